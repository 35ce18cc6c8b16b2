// SPDX-License-Identifier: MIT
// Mixed precision on an OpenGL device: splits double positions into two floats about the middle of all bodies for a
// single-precision engine.
#include "core/engines/mixed.hpp"

#include "core/engines/engine.hpp"
#include "core/gl/device.hpp"

namespace orrery {
namespace {

class GlMixed final : public Engine<Gl, double>, public TreePower<Gl>, public HistoryPower<Gl, double> {
public:
    explicit GlMixed(std::unique_ptr<Engine<Gl, float>> single) : single_{std::move(single)} {}

    std::uint64_t begin(BodyView<Gl, double> bodies, const Gravity& gravity, Potential potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            reserve(bodies);
            split();
            return items_ = single_->begin(view(), gravity, potential, {});
        });
    }
    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device& device = gl::Device::get();
        device.run([&] {
            single_->run(first, last, {});
            if (last == items_)
                device.dispatch(device.program("mixed.comp:widen", ""), {acceleration_.name(), bodies_.acceleration},
                                arguments(), groups());
        });
    }
    std::string choice() const override { return single_->choice(); }
    EngineReport report() const override { return single_->report(); }

    HistoryPower<Gl, double>* history() override { return single_->history() ? this : nullptr; }
    const TreePower<Gl>* tree() const override { return single_->tree() ? this : nullptr; }
    AcceptancePower* acceptance() override { return single_->acceptance(); }
    /// Accelerations were computed as floats, so converting them back is exact.
    void restore_history(BodyView<Gl, double> bodies, const Gravity& gravity, std::uint64_t key, Queue<Gl>) override {
        gl::Device& device = gl::Device::get();
        device.run([&] {
            reserve(bodies);
            device.dispatch(device.program("mixed.comp:narrow", ""), {bodies.acceleration, acceleration_.name()},
                            arguments(), groups());
            single_->history()->restore_history(view(), gravity, key, {});
        });
    }
    void forget() override { single_->history()->forget(); }
    std::uint64_t history_key() const override { return single_->history()->history_key(); }
    std::vector<TreeCell> cells(std::size_t most) const override {
        std::vector<TreeCell> cells = single_->tree()->cells(most);
        if (cells.empty()) return cells;
        Vec4d middle;
        corners_.read(std::as_writable_bytes(std::span{&middle, 1}), (kCorners - 1) * sizeof(Vec4d));
        const Vec3f shift{static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)};
        for (TreeCell& cell : cells) cell.low = cell.low + shift, cell.high = cell.high + shift;
        return cells;
    }
    bool labels(TreeLabel label, float* out, Queue<Gl>) const override {
        return single_->tree()->labels(label, out, {});
    }

private:
    static constexpr std::uint64_t kCorners = 129;  // see corners.comp

    struct Arguments {
        std::uint32_t count, unused[3]{};
    };
    Arguments arguments() const { return {.count = static_cast<std::uint32_t>(bodies_.count)}; }
    std::uint64_t groups() const { return (bodies_.count + 127) / 128; }

    BodyView<Gl, float> view() const {
        return {.position_mass = high_.name(),
                .acceleration = acceleration_.name(),
                .count = bodies_.count,
                .low = low_.name()};
    }
    void reserve(const BodyView<Gl, double>& bodies) {
        bodies_ = bodies;
        corners_.reserve(kCorners * sizeof(Vec4d));
        for (gl::Buffer* column : {&high_, &low_, &acceleration_}) column->reserve(bodies_.count * sizeof(Vec4f));
    }

    void split() {
        gl::Device& device = gl::Device::get();
        device.dispatch(device.program("mixed.comp:corners", "#define FIRST 1\n"),
                        {bodies_.position_mass, corners_.name()}, arguments(), 64);
        device.dispatch(device.program("mixed.comp:corners", "#define FIRST 0\n"),
                        {bodies_.position_mass, corners_.name()}, arguments(), 1);
        device.dispatch(device.program("mixed.comp:split", ""),
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
