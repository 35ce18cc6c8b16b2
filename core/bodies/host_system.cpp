// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/bodies/make_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/cpu/pool.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

template <class Real>
class HostSystem final : public BodySystem {
public:
    HostSystem(std::unique_ptr<Engine<Host, Real>> engine, const EngineConfig& config, Law law, const Bodies& bodies)
        : engine_{std::move(engine)},
          law_{law},
          pool_{config.threads, config.background},
          position_mass_(bodies.size()),
          acceleration_(bodies.size()),
          velocity_(bodies.size()),
          names_{bodies.names} {
        for_blocks([&](std::size_t i) {
            position_mass_[i] = convert<Real>(bodies.position_mass[i]);
            const Vec3d v = bodies.velocity[i];
            velocity_[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
        });
    }

    std::size_t count() const override { return position_mass_.size(); }

    void drift(double dt) override {
        const auto step = static_cast<Real>(dt);
        for_blocks([&, step](std::size_t i) {
            Vec4<Real>& x = position_mass_[i];
            const Vec4<Real>& v = velocity_[i];
            x.x += step * v.x, x.y += step * v.y, x.z += step * v.z;
        });
    }

    void kick(double dt) override {
        const auto step = static_cast<Real>(dt);
        for_blocks([&, step](std::size_t i) {
            Vec4<Real>& v = velocity_[i];
            const Vec4<Real>& a = acceleration_[i];
            v.x += step * a.x, v.y += step * a.y, v.z += step * a.z;
        });
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return engine_->begin({position_mass_.data(), acceleration_.data(), count()}, gravity, potential, {});
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override { engine_->run(first, last, {}); }
    void wait() override {}
    void start_clock() override { start_ = Clock::now(); }
    double stop_clock() override { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    Bodies bodies() const override {
        Bodies copy;
        copy.names = names_;
        copy.position_mass.reserve(count());
        copy.velocity.reserve(count());
        for (const Vec4<Real>& x : position_mass_) copy.position_mass.push_back(convert<double>(x));
        for (const Vec4<Real>& v : velocity_) copy.velocity.push_back(xyz(convert<double>(v)));
        return copy;
    }

    std::vector<Vec4d> accelerations() const override {
        std::vector<Vec4d> copy;
        copy.reserve(count());
        for (const Vec4<Real>& a : acceleration_) copy.push_back(convert<double>(a));
        return copy;
    }

    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples;
        samples.reserve(which.size());
        for (const std::uint32_t i : which)
            samples.push_back({convert<double>(position_mass_[i]), xyz(convert<double>(velocity_[i])),
                               xyz(convert<double>(acceleration_[i]))});
        return samples;
    }

    Vec3d mass_centre() const override {
        Vec4d sum{};
        for (const Vec4<Real>& v : position_mass_) {
            const double m = v.w;
            sum = {sum.x + m * v.x, sum.y + m * v.y, sum.z + m * v.z, sum.w + m};
        }
        return (1 / sum.w) * xyz(sum);
    }

    BodyState save() const override { return pack<Real>(position_mass_, velocity_, acceleration_); }
    void restore(const BodyState& state) override {
        BodyVectors<Real> vectors = unpack<Real>(state);
        std::ranges::copy(vectors.position_mass, position_mass_.begin());  // an engine may know where they lie
        std::ranges::copy(vectors.velocity, velocity_.begin());
        std::ranges::copy(vectors.acceleration, acceleration_.begin());
    }

    ForceError force_error(const Gravity& gravity, std::size_t samples) const override {
        const auto indices = sample_indices(count(), affordable_samples(law_, samples, count(), kReferenceCost));
        std::vector<Vec4d> found(indices.size()), reference(indices.size());
        pool_.parallel_for(0, indices.size(), [&](std::uint64_t k) {
            found[k] = convert<double>(acceleration_[indices[k]]);
            reference[k] = reference_pull(law_, position_mass_.data(), count(), indices[k], gravity);
        });
        return compare(found, reference);
    }

    Vec3d reference(const Gravity& gravity, std::size_t body) const override {
        return xyz(reference_pull(law_, position_mass_.data(), count(), body, gravity));
    }

    std::optional<std::size_t> first_not_finite() const override {
        // NaN and ∞ alike make a difference with themselves that is not 0.
        const auto bad = [](const Vec4<Real>& v) { return !((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0); };
        for (const auto* state : {&position_mass_, &velocity_})
            if (const auto body = std::ranges::find_if(*state, bad); body != state->end())
                return static_cast<std::size_t>(body - state->begin());
        return std::nullopt;
    }

    void fill(Frame& frame) const override {
        frame.device.reset();
        frame.count = count();
        frame.host.resize(count());
        for_blocks([&](std::size_t i) { frame.host[i] = vertex(i); });
        std::vector<Vec4f> sample;
        for (const std::size_t i : sample_indices(count(), kExtentSample)) sample.push_back(frame.host[i]);
        frame.extent = extent_of(std::move(sample));
    }

    std::string engine_choice() const override { return engine_->choice(); }
    EngineReport engine_report() const override { return engine_->report(); }
    std::vector<TreeCell> engine_cells(std::size_t most) const override { return engine_->cells(most); }

private:
    using Clock = std::chrono::steady_clock;
    /// Interactions that a measurement of the error may take: a matter of seconds, which only triplets come to.
    static constexpr double kReferenceCost = 3e8;

    Vec4f vertex(std::size_t i) const {
        const Vec4<Real>&x = position_mass_[i], &v = velocity_[i];
        return {float(x.x), float(x.y), float(x.z), float(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z))};
    }

    /// Few bodies are not worth a thread.
    template <class Body>
    void for_blocks(const Body& body) const {
        constexpr std::size_t block = 8192;
        const auto run = [&](std::uint64_t b) {
            for (std::size_t i = b * block; i < std::min(count(), (b + 1) * block); ++i) body(i);
        };
        if (count() <= block) return run(0);
        pool_.parallel_for(0, (count() + block - 1) / block, run);
    }

    std::unique_ptr<Engine<Host, Real>> engine_;
    Law law_;
    mutable Pool pool_;
    Clock::time_point start_{};
    std::vector<Vec4<Real>> position_mass_, acceleration_;
    std::vector<Vec4<Real>> velocity_;  // w unused: one vector load per body
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<BodySystem> make_host_system(AnyEngine engine, const EngineConfig& config, Law law,
                                             const Bodies& bodies) {
    if (auto* single = std::get_if<std::unique_ptr<Engine<Host, float>>>(&engine))
        return std::make_unique<HostSystem<float>>(std::move(*single), config, law, bodies);
    return std::make_unique<HostSystem<double>>(std::move(std::get<std::unique_ptr<Engine<Host, double>>>(engine)),
                                                config, law, bodies);
}

}  // namespace orrery
