// SPDX-License-Identifier: MIT
// Mixed precision on an OpenGL device: splits double positions into two floats about the middle of all bodies for a
// single-precision engine.
#include "core/engines/mixed.hpp"

#include "core/engines/engine.hpp"
#include "core/gl/device.hpp"

namespace orrery {
namespace {

class GlMixed final : public Engine<Gl, double> {
public:
    explicit GlMixed(std::unique_ptr<Engine<Gl, float>> single) : single_{std::move(single)} {}

    std::uint64_t begin(BodyView<Gl, double> bodies, const Gravity& gravity, Potential potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            bodies_ = bodies;
            split();
            const BodyView<Gl, float> view{.position_mass = high_.name(),
                                           .acceleration = acceleration_.name(),
                                           .count = bodies.count,
                                           .low = low_.name()};
            return items_ = single_->begin(view, gravity, potential, {});
        });
    }
    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device& device = gl::Device::get();
        device.run([&] {
            single_->run(first, last, {});
            if (last == items_)
                device.dispatch(device.program("widen.comp", ""), {acceleration_.name(), bodies_.acceleration},
                                arguments(), groups());
        });
    }
    std::string choice() const override { return single_->choice(); }
    EngineReport report() const override { return single_->report(); }

private:
    struct Arguments {
        std::uint32_t count, unused[3]{};
    };
    Arguments arguments() const { return {.count = static_cast<std::uint32_t>(bodies_.count)}; }
    std::uint64_t groups() const { return (bodies_.count + 127) / 128; }

    void split() {
        constexpr std::uint64_t kCorners = 129;  // see corners.comp
        gl::Device& device = gl::Device::get();
        corners_.reserve(kCorners * sizeof(Vec4d));
        for (gl::Buffer* column : {&high_, &low_, &acceleration_}) column->reserve(bodies_.count * sizeof(Vec4f));
        device.dispatch(device.program("corners.comp", "#define FIRST 1\n"), {bodies_.position_mass, corners_.name()},
                        arguments(), 64);
        device.dispatch(device.program("corners.comp", "#define FIRST 0\n"), {bodies_.position_mass, corners_.name()},
                        arguments(), 1);
        device.dispatch(device.program("split.comp", ""),
                        {bodies_.position_mass, corners_.name(), high_.name(), low_.name()}, arguments(), groups());
    }

    std::unique_ptr<Engine<Gl, float>> single_;
    BodyView<Gl, double> bodies_{};
    gl::Buffer corners_, high_, low_, acceleration_;
    std::uint64_t items_ = 0;
};

}  // namespace

std::unique_ptr<Engine<Gl, double>> make_mixed(std::unique_ptr<Engine<Gl, float>> single, const EngineConfig&) {
    return std::make_unique<GlMixed>(std::move(single));
}

}  // namespace orrery
