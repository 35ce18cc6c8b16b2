// SPDX-License-Identifier: MIT
// Mixed precision on the host: splits double positions into two floats about the middle of all bodies for a
// single-precision engine.
#include "core/engines/mixed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/engines/engine.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBlock = 8192;  // bodies per task of the conversion
constexpr std::uint64_t kBytesPerBody = 3 * sizeof(Vec4f);

/// Bounding box of all bodies with finite coordinates.
struct Corners {
    static constexpr double kFar = std::numeric_limits<double>::max();
    Vec3d low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};

    void add(Vec3d at) {
        if (!std::isfinite(at.x + at.y + at.z)) return;
        low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
    }
    Vec3d middle() const { return low.x <= high.x ? 0.5 * low + 0.5 * high : Vec3d{}; }
};

class Mixed final : public Engine<Host, double>,
                    public DuePower<Host, double>,
                    public TreePower<Host>,
                    public HistoryPower<Host, double> {
public:
    Mixed(std::unique_ptr<Engine<Host, float>> single, const EngineConfig& config)
        : pool_{config.threads, config.background}, single_{std::move(single)} {}

    std::uint64_t begin(BodyView<Host, double> bodies, const Gravity& gravity, Potential potential,
                        Queue<Host> queue) override {
        reserve(bodies);
        split(middle());
        return items_ = single_->begin(view(), gravity, potential, queue);
    }
    /// run() converts the accelerations of all bodies; for those not due, the floats of their last evaluation are kept.
    std::uint64_t begin_due(BodyView<Host, double> bodies, DueView<Host> due, const Gravity& gravity,
                            Potential potential, Queue<Host> queue) override {
        reserve(bodies);
        split(middle());
        return items_ = single_->due()->begin_due(view(), due, gravity, potential, queue);
    }
    DuePower<Host, double>* due() override { return single_->due() ? this : nullptr; }

    bool share(Ranks& ranks) override { return single_->share(ranks); }

    void run(std::uint64_t first, std::uint64_t last, Queue<Host> queue) override {
        single_->run(first, last, queue);
        if (last < items_) return;
        for_bodies([this](std::size_t i) { bodies_.acceleration[i] = convert<double>(acceleration_[i]); });
    }

    /// Accelerations were computed as floats, so converting them back is exact.
    void restore_history(BodyView<Host, double> bodies, const Gravity& gravity, std::uint64_t key,
                         Queue<Host> queue) override {
        reserve(bodies);
        for_bodies([this](std::size_t i) { acceleration_[i] = convert<float>(bodies_.acceleration[i]); });
        single_->history()->restore_history(view(), gravity, key, queue);
    }
    void forget() override { single_->history()->forget(); }
    std::uint64_t history_key() const override { return single_->history()->history_key(); }
    HistoryPower<Host, double>* history() override { return single_->history() ? this : nullptr; }
    const TreePower<Host>* tree() const override { return single_->tree() ? this : nullptr; }
    AcceptancePower* acceptance() override { return single_->acceptance(); }

    std::string choice() const override { return single_->choice(); }
    EngineReport report() const override { return single_->report(); }
    std::vector<TreeCell> cells(std::size_t most) const override {
        std::vector<TreeCell> cells = single_->tree()->cells(most);
        const Vec3f shift{static_cast<float>(middle_.x), static_cast<float>(middle_.y), static_cast<float>(middle_.z)};
        for (TreeCell& cell : cells) cell.low = cell.low + shift, cell.high = cell.high + shift;
        return cells;
    }
    bool labels(TreeLabel label, float* out, Queue<Host> queue) const override {
        return single_->tree()->labels(label, out, queue);
    }

private:
    BodyView<Host, float> view() { return {high_.data(), acceleration_.data(), bodies_.count, low_.data()}; }

    void reserve(BodyView<Host, double> bodies) {
        bodies_ = bodies;
        if (high_.size() == bodies.count) return;
        require_memory("mixed precision", bodies.count * kBytesPerBody);
        high_.resize(bodies.count), low_.resize(bodies.count), acceleration_.resize(bodies.count);
    }

    template <class Body>
    void for_bodies(const Body& body) {
        const std::size_t count = bodies_.count;
        pool_.parallel_for(0, (count + kBlock - 1) / kBlock, [&](std::uint64_t block) {
            for (std::size_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) body(i);
        });
    }

    Vec3d middle() {
        std::vector<Corners> corners((bodies_.count + kBlock - 1) / kBlock);
        for_bodies([&](std::size_t i) { corners[i / kBlock].add(xyz(bodies_.position_mass[i])); });
        Corners all;
        for (const Corners& part : corners)
            if (part.low.x <= part.high.x) all.add(part.low), all.add(part.high);
        return all.middle();
    }

    void split(Vec3d middle) {
        middle_ = middle;
        for_bodies([&](std::size_t i) {
            const Vec4d body = bodies_.position_mass[i];
            const Vec3d at = xyz(body) - middle;
            high_[i] = convert<float>(Vec4d{at.x, at.y, at.z, body.w});
            const Vec4f high = high_[i];
            low_[i] = convert<float>(Vec4d{at.x - high.x, at.y - high.y, at.z - high.z, 0});
        });
    }

    Pool pool_;
    std::unique_ptr<Engine<Host, float>> single_;
    BodyView<Host, double> bodies_{};
    Vec3d middle_{};
    std::vector<Vec4f> high_, low_, acceleration_;
    std::uint64_t items_ = 0;
};

}  // namespace

std::unique_ptr<Engine<Host, double>> make_mixed(std::unique_ptr<Engine<Host, float>> single,
                                                 const EngineConfig& config) {
    return std::make_unique<Mixed>(std::move(single), config);
}

}  // namespace orrery
