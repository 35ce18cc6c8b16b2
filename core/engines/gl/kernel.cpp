// SPDX-License-Identifier: MIT
// The force of a kernel file in GLSL: a pair force in the shader of `direct`, or a whole shader.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/kernels/examples.hpp"
#include "core/kernels/glsl.hpp"

namespace orrery {
namespace {

/// A kernel of kind forces. An item is a work group.
template <class Real>
class GlForces final : public Engine<Gl, Real> {
public:
    explicit GlForces(const KernelFile& kernel) : kernel_{kernel} {}

    std::uint64_t begin(BodyView<Gl, Real> bodies, const Gravity& gravity, Potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            bodies_ = bodies;
            arguments_ = gl::pair_arguments<Real>(gravity, bodies.count);
            program_ = &glsl_program(kernel_, "kernel.comp:forces", gl::defines_of<Real>() + glsl_defines(kernel_));
            return (bodies.count + rows() - 1) / rows();
        });
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device::get().run([&] {
            gl::Device& device = gl::Device::get();
            const double pairs = static_cast<double>(rows()) * static_cast<double>(bodies_.count);  // of an item
            pace_.cut(first, last, pairs, [&](std::uint64_t begin, std::uint64_t end) {
                arguments_.first_item = static_cast<std::uint32_t>(begin);
                arguments_.last_item = static_cast<std::uint32_t>(end);
                device.dispatch(*program_, {bodies_.position_mass, bodies_.acceleration}, arguments_, end - begin,
                                begin == 0 ? gl::After::kAll : gl::After::kNone);
            });
            device.check("engine 'kernel' on gl");
            device.functions().flush();
        });
    }

    std::string choice() const override {
        return fmt::format("{}, {} threads for {} bodies", kernel_.title, kernel_.threads, kernel_.rows);
    }

private:
    std::uint64_t rows() const { return static_cast<std::uint64_t>(kernel_.rows); }

    const KernelFile kernel_;
    BodyView<Gl, Real> bodies_{};
    gl::PairArguments<Real> arguments_;
    const gl::Program* program_ = nullptr;
    gl::Pace pace_;
};

AnyEngine make_gl_kernel(const EngineConfig& config) {
    const KernelFile file = force_kernel(config.kernel, config.backend);
    require_glsl_runs(file);
    if (file.kind == KernelKind::kPair) return make_gl_direct(config, file);
    if (config.precision == Precision::kDouble) return std::make_unique<GlForces<double>>(file);
    return std::make_unique<GlForces<float>>(file);
}

}  // namespace

EngineEntry gl_kernel_engine() {
    return {.id = "kernel",
            .label = "Kernel file",
            .doc =
                "The force of a kernel file in GLSL, written by the user: a pair force in the tiles of `direct`, or a "
                "whole compute shader; without a file, Newton's force as an example.",
            .backend = Backend::kGl,
            .tolerance_single = 5e-6,
            .tolerance_double = 1e-13,
            .max_bodies = 1 << 20,
            .capabilities = {Capability::kKernel},
            .make = make_gl_kernel};
}

}  // namespace orrery
