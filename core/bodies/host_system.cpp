// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/block_leapfrog.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/hermite.hpp"
#include "core/bodies/host_frame_maker.hpp"
#include "core/bodies/rounding.hpp"
#include "core/engines/engine.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

template <class Real>
class HostSystem final : public EngineSystem, private StepPower, private EditPower {
public:
    HostSystem(std::unique_ptr<Engine<Host, Real>> engine, const EngineConfig& config, const EngineEntry& entry,
               const BodySource& bodies, Ranks* ranks)
        : EngineSystem{std::move(engine), entry, bodies, config.precision, ranks},
          pool_{config.threads, config.background},
          position_mass_{with_room(bodies.size())},
          acceleration_{with_room(bodies.size())},
          velocity_{with_room(bodies.size())},
          compensated_{config.compensated},
          position_low_{with_room(compensated_ ? bodies.size() : 0)},
          velocity_low_{with_room(position_low_.size())},
          labels_{.names = bodies.labels().names,
                  .species = bodies.labels().species,
                  .ids = bodies.labels().ids,
                  .pinned = bodies.labels().pinned,
                  .charge = bodies.labels().charge,
                  .fields = bodies.labels().fields},
          charge_(labels_.charge.begin(), labels_.charge.end()) {
        for_stretches(bodies, [&](std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) {
            if (!bodies.in_memory()) require_fit(x, v, config.precision, first);
            for_each_in_blocks(pool_, x.size(), [&](std::size_t i) {
                position_mass_[first + i] = convert<Real>(x[i]);
                velocity_[first + i] = row_of(v[i]);
            });
        });
    }

    std::size_t count() const override { return position_mass_.size(); }

    void move(std::span<const Move> moves) override {
        copy_.reset();
        for (const Move& one : moves) {
            if (one.op == Move::Op::kDrift) for_blocks([&](std::size_t i) { drift_one(i, static_cast<Real>(one.dt)); });
            if (one.op == Move::Op::kKick) for_blocks([&](std::size_t i) { kick_one(i, static_cast<Real>(one.dt)); });
        }
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        require_takes(gravity);
        return engine().begin(view(), gravity, potential, {});
    }
    std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) override {
        if (!due && all_bodies_.size() != count()) {
            all_bodies_.resize(count());
            std::iota(all_bodies_.begin(), all_bodies_.end(), 0u);
        }
        return begin_with_jerk(due ? due_rows() : all_bodies_, gravity);
    }
    std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) override {
        const std::span<const std::uint32_t> rows = due_rows();
        auto* const power = engine().due();
        return power ? power->begin_due(view(), {rows.data(), rows.size()}, gravity, potential, {})
                     : begin_with_jerk(rows, gravity);
    }
    void begin_steps(const StepRule& rule) override {
        by_hermite_ = rule.hermite;
        at_rest_ = false;
        start_ = save();
        if (by_hermite_) return hermite_.begin(rule.dt, rule.eta, hermite_state());
        leapfrog_.begin(rule, {velocity_, acceleration_});
    }
    DueBodies predict() override {
        copy_.reset();
        const auto each = [this](const auto& body) { for_blocks(body); };
        if (by_hermite_) {
            hermite_.predict(hermite_state(), each);
            return {due_rows().size(), hermite_.arrived(), 0};
        }
        leapfrog_.predict({velocity_, acceleration_}, kicks(), drifts(), each);
        return {due_rows().size(), leapfrog_.arrived(), leapfrog_.finest()};
    }
    void correct() override {
        copy_.reset();
        if (by_hermite_) return hermite_.correct(hermite_state());
        leapfrog_.correct({velocity_, acceleration_}, kicks());
    }
    void abandon_steps() override { restore(start_); }
    std::vector<std::size_t> ladder() const override {
        return by_hermite_ ? ladder_of(hermite_.levels()) : ladder_of(leapfrog_.levels());
    }

    void run_forces(std::uint64_t first, std::uint64_t last) override {
        at_rest_ = false;
        copy_.reset();
        engine().run(first, last, {});
    }
    void wait() override {}
    Stopwatch& clock() override { return stopwatch_; }
    StepPower* steps() override { return engine().jerks() || engine().due() ? this : nullptr; }
    EditPower* edits() override { return this; }
    std::optional<BodyColumns> columns() const override {
        return BodyColumns{Backend::kCpu,         kPrecision,       count(),
                           position_mass_.data(), velocity_.data(), acceleration_.data()};
    }
    std::optional<BodyColumns> host_columns() const override { return columns(); }

    Bodies bodies() const override {
        Bodies copy = labels_;
        copy.position_mass.reserve(count());
        copy.velocity.reserve(count());
        for (const Vec4<Real>& x : position_mass_) copy.position_mass.push_back(convert<double>(x));
        for (const Vec4<Real>& v : velocity_) copy.velocity.push_back(xyz(convert<double>(v)));
        return copy;
    }

    const Bodies& labels() const override { return labels_; }
    void set_fields(std::vector<BodyField> fields) override { labels_.fields = std::move(fields); }

    std::vector<Vec4d> accelerations() const override { return widened(acceleration_); }

    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples;
        samples.reserve(which.size());
        for (const std::uint32_t i : which)
            samples.push_back({convert<double>(position_mass_[i]), xyz(convert<double>(velocity_[i])),
                               xyz(convert<double>(acceleration_[i]))});
        return samples;
    }

    BodyState save() const override {
        return pack<Real>(position_mass_, velocity_, acceleration_, position_low_, velocity_low_);
    }
    /// Shares the previous copy while it is in use and nothing has changed.
    std::shared_ptr<const BodyCopy> copy() const override {
        if (auto there = copy_.lock()) return there;
        auto made = std::make_shared<const HostCopy>(save());
        copy_ = made;
        return made;
    }
    void restore(const BodyState& state) override {
        copy_.reset();
        at_rest_ = false;
        BodyVectors<Real> vectors = unpack<Real>(state);
        std::ranges::copy(vectors.position_mass,
                          position_mass_.begin());  // in place, because an engine may refer to these arrays
        std::ranges::copy(vectors.velocity, velocity_.begin());
        std::ranges::copy(vectors.acceleration, acceleration_.begin());
        if (!compensated_) return;
        position_low_ = std::move(vectors.position_low), velocity_low_ = std::move(vectors.velocity_low);
        position_low_.resize(count()), velocity_low_.resize(count());  // zero if the state has none
    }

    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, {});
    }

    // EditPower
    void change(const BodyChange& change) override {
        copy_.reset();
        const std::size_t before = count(), after = count_after(change, before);
        if (after > position_mass_.capacity()) require_room(after);
        apply_labels(change, before, labels_);
        frames_.forget_labels();
        std::vector<Vec4<Real>> x, v;
        x.reserve(change.after.position_mass.size()), v.reserve(change.after.velocity.size());
        for (const Vec4d& body : change.after.position_mass) x.push_back(convert<Real>(body));
        for (const Vec3d& from : change.after.velocity) v.push_back(row_of(from));
        change_column(change, x, position_mass_), change_column(change, v, velocity_);
        find_massless(&change, after, [this](std::size_t i) { return position_mass_[i].w; });
    }
    BodyBackup backup(BodyBackup old) const override {
        BodyBackup all{kPrecision, count(), std::move(old)};
        Vec4<Real>* const x = all.template position_mass<Real>();
        Vec3<Real>* const v = all.template velocity<Real>();
        for_blocks([&](std::size_t i) { x[i] = position_mass_[i], v[i] = xyz(velocity_[i]); });
        all.labels = labels_;
        return all;
    }
    void restore(const BodyBackup& bodies) override {
        copy_.reset();
        if (bodies.count() > position_mass_.capacity()) require_room(bodies.count());
        for (auto* column : {&position_mass_, &velocity_}) column->resize(bodies.count());
        const Vec4<Real>* const x = bodies.template position_mass<Real>();
        const Vec3<Real>* const v = bodies.template velocity<Real>();
        for_blocks([&](std::size_t i) {
            position_mass_[i] = x[i];
            velocity_[i] = {v[i].x, v[i].y, v[i].z, 0};
        });
        labels_ = bodies.labels;
        frames_.forget_labels();
        find_massless(nullptr, count(), [this](std::size_t i) { return position_mass_[i].w; });
    }
    void restart() override {
        copy_.reset();
        const bool rests = std::exchange(at_rest_, true);
        acceleration_.resize(count());  // new rows are 0
        if (!rests) for_blocks([&](std::size_t i) { acceleration_[i] = {}, velocity_[i].w = 0; });
        if (compensated_) position_low_.assign(count(), {}), velocity_low_.assign(count(), {});
        charge_.assign(labels_.charge.begin(), labels_.charge.end());
        hermite_ = {}, leapfrog_ = {};
        by_hermite_ = false;
        start_ = {};
        jerk_.clear(), all_bodies_.clear();
        frames_.forget_densities();
        forget_history();
    }

    std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const override {
        std::vector<Vec4d> all(which.size());
        if (law() == Law::kPairs && gravity.law == PairLaw::kGravity) {
            const std::span<const Vec4<Real>> bodies{position_mass_};
            pool_.parallel_for(0, (which.size() + kReferenceBlock - 1) / kReferenceBlock, [&](std::uint64_t block) {
                const std::size_t first = block * kReferenceBlock;
                const auto some = which.subspan(first, std::min(kReferenceBlock, which.size() - first));
                references_of_block(bodies, some, gravity, all.data() + first);
            });
        } else {
            pool_.parallel_for(0, which.size(), [&](std::uint64_t k) {
                all[k] = reference_acceleration(law(), position_mass_.data(), count(), which[k], gravity,
                                                labels_.charge.data());
            });
        }
        return all;
    }

    Vec3d centre_of_mass() const override { return orrery::centre_of_mass<Real>(position_mass_); }
    double net_force() const override { return orrery::net_force(widened(position_mass_), widened(acceleration_)); }
    std::optional<std::size_t> first_not_finite() const override {
        // x − x is not 0 for both NaN and ∞.
        const auto bad = [](const Vec4<Real>& v) { return !((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0); };
        for (const auto* state : {&position_mass_, &velocity_})
            if (const auto body = std::ranges::find_if(*state, bad); body != state->end())
                return static_cast<std::size_t>(body - state->begin());
        return std::nullopt;
    }

    void fill(Frame& frame, const Coloring& coloring) const override {
        frames_.fill(frame, coloring, {position_mass_.data(), velocity_.data(), acceleration_.data(), count()}, labels_,
                     engine(), pool_);
    }

private:
    static constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble;

    void for_positions(const TakePositions& take) const override {
        std::vector<Vec4d> some;
        for (std::size_t first = 0; first < count(); first += kStretch) {
            const auto part = std::span{position_mass_}.subspan(first, std::min(kStretch, count() - first));
            some.resize(part.size());
            std::ranges::transform(part, some.begin(), [](const Vec4<Real>& x) { return convert<double>(x); });
            take(first, some);
        }
    }
    static std::vector<Vec4<Real>> with_room(std::size_t count) {
        std::vector<Vec4<Real>> column;
        if (count > 0) column.reserve(with_slack(count));
        column.resize(count);
        return column;
    }
    /// Reserves memory for all columns before any of them grows.
    void require_room(std::size_t bodies) {
        const std::size_t room = with_slack(bodies);
        require_memory(fmt::format("{} bodies", bodies), room * (compensated_ ? 5 : 3) * sizeof(Vec4<Real>));
        for (auto* column : {&position_mass_, &velocity_, &acceleration_}) column->reserve(room);
    }
    static Vec4<Real> row_of(const Vec3d& v) { return {Real(v.x), Real(v.y), Real(v.z), 0}; }
    static void change_column(const BodyChange& change, std::span<const Vec4<Real>> values,
                              std::vector<Vec4<Real>>& column) {
        if (change.kind == BodyChange::Kind::kErase) return erase_rows(column, change.rows);
        if (change.kind == BodyChange::Kind::kInsert) return insert_rows(column, change.rows, values);
        for (std::size_t k = 0; k < values.size(); ++k) column[change.rows[k]] = values[k];
    }
    BodyView<Host, Real> view() {
        return {.position_mass = position_mass_.data(),
                .acceleration = acceleration_.data(),
                .count = count(),
                .charge = charge_.empty() ? nullptr : charge_.data()};
    }
    Engine<Host, Real>& engine() const { return EngineSystem::engine<Host, Real>(); }
    std::span<const std::uint32_t> due_rows() const { return by_hermite_ ? hermite_.due() : leapfrog_.due(); }
    std::uint64_t begin_with_jerk(std::span<const std::uint32_t> rows, const Gravity& gravity) {
        jerk_.resize(count());
        return require_jerks(engine()).begin_with_jerk(
            view(), {velocity_.data(), jerk_.data(), rows.data(), rows.size()}, gravity, {});
    }
    void drift_one(std::size_t i, Real step) {
        Vec4<Real>& x = position_mass_[i];
        const Vec4<Real>& v = velocity_[i];
        if (!compensated_) return void((x.x += step * v.x, x.y += step * v.y, x.z += step * v.z));
        Vec4<Real>&lost = position_low_[i], &low = velocity_low_[i];
        add_compensated(x.x, lost.x, step * v.x + step * low.x);
        add_compensated(x.y, lost.y, step * v.y + step * low.y);
        add_compensated(x.z, lost.z, step * v.z + step * low.z);
    }
    void kick_one(std::size_t i, Real step) {
        Vec4<Real>& v = velocity_[i];
        const Vec4<Real>& a = acceleration_[i];
        if (!compensated_) return void((v.x += step * a.x, v.y += step * a.y, v.z += step * a.z));
        Vec4<Real>& lost = velocity_low_[i];
        add_compensated(v.x, lost.x, step * a.x), add_compensated(v.y, lost.y, step * a.y),
            add_compensated(v.z, lost.z, step * a.z);
    }
    auto drifts() {
        return [this](std::size_t i, double dt) { drift_one(i, static_cast<Real>(dt)); };
    }
    auto kicks() {
        return [this](std::size_t i, double dt) { kick_one(i, static_cast<Real>(dt)); };
    }

    typename HermiteSteps<Real>::State hermite_state() { return {position_mass_, velocity_, acceleration_, jerk_}; }

    template <class Body>
    void for_blocks(const Body& body) const {
        for_each_in_blocks(pool_, count(), body);
    }

    HostStopwatch stopwatch_;
    mutable Pool pool_;
    std::vector<Vec4<Real>> position_mass_, acceleration_;
    std::vector<Vec4<Real>> velocity_;  // w unused: one vector load per body
    bool compensated_;
    std::vector<Vec4<Real>> position_low_, velocity_low_;  // rounding errors; empty unless compensated
    std::vector<Vec4<Real>> jerk_;                         // for integrators that need it
    HermiteSteps<Real> hermite_;
    LeapfrogSteps<Real> leapfrog_;
    bool at_rest_ = true;      // accelerations and w of velocities are 0
    bool by_hermite_ = false;  // scheme of the current steps
    BodyState start_;          // state at their beginning
    std::vector<std::uint32_t> all_bodies_;
    Bodies labels_;                               // only names, species, ids and charges
    std::vector<Real> charge_;                    // charges in the engine's precision
    mutable std::weak_ptr<const BodyCopy> copy_;  // of the current state
    mutable HostFrameMaker<Real> frames_;
};

}  // namespace

std::unique_ptr<BodySystem> make_host_system(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                                             const BodySource& bodies, Ranks* ranks) {
    const bool in_single = std::holds_alternative<std::unique_ptr<Engine<Host, float>>>(engine);
    const std::size_t row = in_single ? sizeof(Vec4f) : sizeof(Vec4d), rows = config.compensated ? 5 : 3;
    require_memory(fmt::format("{} bodies", bodies.size()), bodies.size() * rows * row);
    if (auto* single = std::get_if<std::unique_ptr<Engine<Host, float>>>(&engine))
        return std::make_unique<HostSystem<float>>(std::move(*single), config, entry, bodies, ranks);
    return std::make_unique<HostSystem<double>>(std::move(std::get<std::unique_ptr<Engine<Host, double>>>(engine)),
                                                config, entry, bodies, ranks);
}

}  // namespace orrery
