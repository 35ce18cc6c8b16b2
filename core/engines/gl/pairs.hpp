// SPDX-License-Identifier: MIT
// Common parts of the engines of pairs on OpenGL: arguments and variants of their shaders, strengths of laws, and the
// check of a shader at its first use.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/engines/config.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/gl/device.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::gl {

// Checks and descriptions of the settings of OpenGL engines.

/// "#define DOUBLE 0": for shaders that depend on the precision alone.
template <class Real>
std::string defines_of() {
    return sizeof(Real) == 8 ? "#define DOUBLE 1\n" : "#define DOUBLE 0\n";
}

/// Throws Error{kUsage} if the device permits no work group of this shape, with `bytes` of shared memory per thread.
void require_group(const TileConfig& tile, std::size_t bytes);
/// `windows`: how often the sums of tiles are added; `shuffles`: reactions rotate by subgroup shuffles.
std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, std::uint64_t windows,
                          bool shuffles);

/// The arguments that follow from the force law.
template <class Real>
PairArguments<Real> pair_arguments(const Gravity& gravity, std::size_t count);

/// Definitions that choose the variant of a shader of pairs.
template <class Real>
std::string pair_defines(const PairArguments<Real>& arguments, bool potential, bool split);

/// Bodies with the strengths of a law in place of their masses.
template <class Real>
class Strengths {
public:
    /// The buffer with them; that of the bodies for gravity.
    unsigned of(const BodyView<Gl, Real>& bodies, const PairArguments<Real>& arguments);

private:
    Buffer memory_;
};

/// A variant of an engine's shader.
struct CheckedVariant {
    std::string engine;   ///< id, for messages
    std::string defines;  ///< with the name of the shader, identifies the variant
    Gravity gravity;      ///< the law
    bool potential, split;
    std::size_t bodies;  ///< to check with
    double tolerance;    ///< relative RMS error
};

/// Computes bodies with a new engine and compares with the reference in double, once for each variant. Throws
/// Error{kEnvironment}, naming engine and device, if the result is wrong: then also on later calls.
template <class Real>
void require_correct(const CheckedVariant& variant, const std::function<std::unique_ptr<Engine<Gl, Real>>()>& make);

}  // namespace orrery::gl

namespace orrery {

/// Engine `direct` with the force of a kernel of kind pair, which has passed its trial, in place of a law.
AnyEngine make_gl_direct(const EngineConfig& config, const KernelFile& kernel);

}  // namespace orrery
