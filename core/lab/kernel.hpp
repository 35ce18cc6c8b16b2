// SPDX-License-Identifier: MIT
// A kernel timed by the laboratory: one experiment at one size on one backend, with any form.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {

/// Implies rows ≤ kNarrowRows and thread numbers below 2³² at ρ ≥ 8.
inline constexpr std::uint32_t kMostLabBodies = 65536;

/// Limit for triples: the cube of blocks can be launched, and one bit per triple fits into memory.
inline constexpr std::uint32_t kMostLabTripleBodies = 4096;
/// Threads of a block of triples along each of three dimensions; a device supports 1024 in all.
inline constexpr std::uint32_t kTripleRho = 8;
/// Limit for quadruples, for the same reasons: 128 tiles a side.
inline constexpr std::uint32_t kMostLabQuadrupleBodies = 512;
/// Threads of a block of quadruples along each of four dimensions.
inline constexpr std::uint32_t kQuadrupleRho = 4;

struct LabSize {
    std::uint32_t bodies;
    std::uint32_t rho;   ///< threads of a block along each of two dimensions: 8, 16 or 32; kTripleRho for triplet,
                         ///< kQuadrupleRho for quadruplet; collision-rows: 8ρ along one
    int dimensions = 0;  ///< features of edm, 1 … 4; dimensions of the box of collision, 1 or 3; otherwise 0
};

struct LabCheck {
    bool right = false;
    std::string why;   ///< what is wrong; empty if the result is right
    double error = 0;  ///< of forces: relative, RMS over the compared bodies
};

class LabKernel {
public:
    virtual ~LabKernel() = default;
    using Stop = std::function<bool()>;
    /// Seconds of each of `repeat` runs, after a warm-up. Fewer if `stop`, polled before each run, returns true.
    virtual std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) = 0;
    std::vector<double> seconds(FormChoice choice, int repeat) { return seconds(choice, repeat, nullptr); }
    /// Runs once on an output filled with garbage, and compares the whole output with a direct loop.
    virtual LabCheck check(FormChoice choice) = 0;
    /// Clock of the device's cores while computing, measured now; 0 if it cannot be measured.
    virtual double clock_mhz() { return 0; }
};

/// Kernel<1> to Kernel<4>, by the dimensions of the size.
template <template <int> class Kernel>
std::unique_ptr<LabKernel> kernel_of_dimensions(LabSize size) {
    switch (size.dimensions) {
        case 1:
            return std::make_unique<Kernel<1>>(size);
        case 2:
            return std::make_unique<Kernel<2>>(size);
        case 3:
            return std::make_unique<Kernel<3>>(size);
        default:
            return std::make_unique<Kernel<4>>(size);
    }
}

/// The same bodies everywhere for the same N: coordinates in the unit box; w is a fourth feature or a radius.
std::vector<Vec4f> lab_bodies(std::uint32_t count);

// In core/lab/cpu and core/lab/cuda. They throw Error{kEnvironment} if the device is missing or lacks memory.
using MakeLabKernel = std::unique_ptr<LabKernel> (*)(LabSize);
std::unique_ptr<LabKernel> cpu_dummy(LabSize size);
std::unique_ptr<LabKernel> cpu_edm(LabSize size);
std::unique_ptr<LabKernel> cpu_collision(LabSize size);
std::unique_ptr<LabKernel> cpu_collision_pairs(LabSize size);
std::unique_ptr<LabKernel> cpu_collision_rows(LabSize size);
std::unique_ptr<LabKernel> cpu_automaton(LabSize size);
std::unique_ptr<LabKernel> cpu_triplet(LabSize size);
std::unique_ptr<LabKernel> cpu_quadruplet(LabSize size);
std::unique_ptr<LabKernel> cuda_dummy(LabSize size);
std::unique_ptr<LabKernel> cuda_edm(LabSize size);
std::unique_ptr<LabKernel> cuda_collision(LabSize size);
std::unique_ptr<LabKernel> cuda_collision_pairs(LabSize size);
std::unique_ptr<LabKernel> cuda_collision_rows(LabSize size);
std::unique_ptr<LabKernel> cuda_automaton(LabSize size);
std::unique_ptr<LabKernel> cuda_triplet(LabSize size);
std::unique_ptr<LabKernel> cuda_quadruplet(LabSize size);

// Verdicts of the checks of all kernels; separate, since nvcc does not compile fmt's format strings.
LabCheck dummy_verdict(std::uint64_t pairs, std::uint64_t visited, std::uint64_t twice, std::uint64_t last_sum,
                       std::uint32_t bodies);
LabCheck triplet_verdict(std::uint64_t triples, std::uint64_t visited, std::uint64_t twice, std::uint64_t last_sum,
                         std::uint32_t bodies);
LabCheck quadruplet_verdict(std::uint64_t quadruples, std::uint64_t visited, std::uint64_t twice,
                            std::uint64_t last_sum, std::uint32_t bodies);
LabCheck pairs_verdict(std::uint64_t pairs, std::uint64_t visited, std::uint64_t twice);
LabCheck automaton_verdict(std::uint64_t wrong, std::uint64_t outside);
LabCheck edm_verdict(std::uint64_t wrong, std::uint64_t outside);
LabCheck collision_verdict(std::uint64_t wrong, std::uint64_t counted, std::uint64_t colliding);

// The thread map of a kernel file as one more form of the laboratory, on a CPU.

/// The form that set_kernel_map() adds to a LabKernel; it is not in lab_forms().
inline constexpr FormId kKernelForm{255};

/// A thread map of a kernel file, compiled.
struct KernelForm {
    std::string id, doc;  ///< of its rows: "kernel My map", and its description
    EvaluatedMap map;
};
/// Throws Error{kUsage} unless the kernel is a thread map in C++, which runs on `backend`, and as kernel_map() does.
std::shared_ptr<const KernelForm> kernel_form(const KernelFile& file, Backend backend);

/// Adds kKernelForm to a kernel made by one of cpu_dummy() to cpu_collision_rows(). Throws Error{kUsage} for others.
void set_kernel_map(LabKernel& kernel, std::shared_ptr<const KernelForm> form);

}  // namespace orrery
