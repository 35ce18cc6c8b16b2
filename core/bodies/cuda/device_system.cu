// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/pool.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/cuda/copies.hpp"
#include "core/bodies/cuda/frame_maker.cuh"
#include "core/bodies/cuda/interval_steps.hpp"
#include "core/bodies/cuda/moment_store.hpp"
#include "core/bodies/cuda/reference.cuh"
#include "core/bodies/cuda/step_queue.cuh"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/rounding.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/share.hpp"
#include "core/engines/engine.hpp"
#include "core/physics/law.hpp"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;

/// Limit of interactions for measuring the force error: about a second, reached only by triplets.
constexpr double kReferenceCost = 3e10;

template <class Real>
class DeviceSystem final : public EngineSystem,
                           private StepPower,
                           private QueuePower,
                           private EditPower,
                           private InterpolationPower {
public:
    DeviceSystem(std::unique_ptr<Engine<Device, Real>> engine, const EngineEntry& entry, const BodySource& bodies,
                 Precision precision, Urgency urgency, Ranks* ranks)
        : EngineSystem{std::move(engine), entry, bodies, precision, ranks},
          ranks_{ranks},
          stream_{urgency == Urgency::kLow ? cuda::Priority::kLow : cuda::Priority::kMiddle},
          position_mass_{bodies.size()},
          velocity_{bodies.size()},
          acceleration_{bodies.size()},
          not_finite_{2},
          shares_{cuda::kCentreBlocks},
          labels_{.names = bodies.labels().names,
                  .species = bodies.labels().species,
                  .ids = bodies.labels().ids,
                  .pinned = bodies.labels().pinned,
                  .charge = bodies.labels().charge,
                  .fields = bodies.labels().fields} {
        cuda::PinnedBuffer<Vec4<Real>> rows{std::min(kStretch, bodies.size())};
        for_stretches(bodies, [&](std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) {
            if (!bodies.in_memory()) require_fit(x, v, precision, first);
            upload_stretches(first, x, v, rows);
        });
        if (!labels_.charge.empty()) cuda::upload_as(labels_.charge, charge_, stream_.get());
        cuda::check(cudaMemsetAsync(acceleration_.data(), 0, count() * sizeof(Vec4<Real>), stream_.get()), "clearing");
        stream_.wait();
        if (ranks_) device_ranks(*ranks_);  // takes a while, so not in the first step
    }
    ~DeviceSystem() override { cudaStreamSynchronize(stream_.get()); }

    std::size_t count() const override { return position_mass_.size(); }

    void move(std::span<const Move> moves) override { steps_.move(moves, moving(), stream_.get()); }

    StepPower* steps() override { return engine().jerks() || engine().due() ? this : nullptr; }
    EditPower* edits() override { return ranks_ ? nullptr : this; }
    InterpolationPower* interpolation() override { return this; }
    std::optional<BodyColumns> columns() const override {
        return BodyColumns{Backend::kCuda,        kPrecision,       count(),
                           position_mass_.data(), velocity_.data(), acceleration_.data()};
    }
    QueuePower* step_queue() override { return this; }
    Stopwatch& clock() override { return stopwatch_; }
    void begin_checks() override { steps_.begin_checks(stream_.get()); }
    std::optional<LostBody> first_lost() override { return steps_.first_lost(stream_.get()); }
    std::uint64_t repeat(const MoveCycle& moves, const Gravity& gravity, Potential potential,
                         std::uint64_t times) override {
        if (ranks_ || !engine().replays()) return 0;
        return steps_.repeat(moves, gravity, potential, times, stream_.get(), [&] {
            for (const std::vector<Move>& after : moves) {
                run_forces(0, begin_forces(gravity, potential));
                move(after);
            }
        });
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        with_jerk_ = each_alone_ = false;
        require_takes(gravity);
        return items_ = engine().begin(view(), gravity, potential, queue());
    }
    std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) override {
        return begin_with_jerk(due ? interval_.due() : interval_.all_bodies(count(), stream_.get()), gravity);
    }
    std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) override {
        auto* const power = engine().due();
        if (!power) return begin_with_jerk(interval_.due(), gravity);
        steps_.forget(), with_jerk_ = false, each_alone_ = true;
        return items_ = power->begin_due(view(), interval_.due(), gravity, potential, queue());
    }
    void begin_steps(const StepRule& rule) override { interval_.begin(rule, stepping(), stream_.get()); }
    DueBodies predict() override { return interval_.predict(stepping(), stream_.get()); }
    void correct() override { interval_.correct(stepping(), stream_.get()); }
    void abandon_steps() override { interval_.abandon(stepping(), stream_.get()); }
    std::vector<std::size_t> ladder() const override { return interval_.ladder(stream_.get()); }

    void run_forces(std::uint64_t first, std::uint64_t last) override {
        engine().run(first, last, queue());
        if (!ranks_ || last < items_) return;
        // Ranks that computed everything themselves may have added in different orders: use rank 0's result.
        if (each_alone_ || !shared()) cuda::take_of_first(*ranks_, acceleration_, stream_.get());
        if (with_jerk_) cuda::take_of_first(*ranks_, jerk_, stream_.get());
    }
    void wait() override { stream_.wait(); }

    Bodies bodies() const override {
        Bodies copy = labels_;
        copy.position_mass.reserve(count());
        copy.velocity.reserve(count());
        for_column(position_mass_, [&](std::size_t, std::span<const Vec4<Real>> some) {
            for (const Vec4<Real>& x : some) copy.position_mass.push_back(convert<double>(x));
        });
        for_column(velocity_, [&](std::size_t, std::span<const Vec4<Real>> some) {
            for (const Vec4<Real>& v : some) copy.velocity.push_back(xyz(convert<double>(v)));
        });
        return copy;
    }

    const Bodies& labels() const override { return labels_; }
    void set_fields(std::vector<BodyField> fields) override { labels_.fields = std::move(fields); }
    std::vector<Vec4d> accelerations() const override { return widened(host(acceleration_)); }

    ForceError force_error(const Gravity& gravity, std::size_t samples) const override {
        return force_error_within(kReferenceCost, gravity, samples);
    }

    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples(which.size());
        if (which.empty()) return samples;
        DeviceBuffer<std::uint32_t> places{which.size()};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        const auto x = some(position_mass_, places), v = some(velocity_, places), a = some(acceleration_, places);
        for (std::size_t k = 0; k < which.size(); ++k) samples[k] = {x[k], xyz(v[k]), xyz(a[k])};
        return samples;
    }

    std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const override {
        if (gravity.law != PairLaw::kGravity) return BodySystem::references(gravity, which);
        const bool pairs = law() == Law::kPairs;
        const std::uint64_t samples = which.size(),
                            shares = pairs ? std::clamp<std::uint64_t>(count() / cuda::kReferenceShare, 1,
                                                                       cuda::kMostReferenceShares)
                                           : 1;
        if (samples == 0) return {};
        DeviceBuffer<std::uint32_t> places{samples};
        cuda::upload<std::uint32_t>(which, places, stream_.get());
        DeviceBuffer<Vec4d> parts{shares * samples};
        launch("reference",
               {dim3(static_cast<unsigned>(samples), static_cast<unsigned>(shares)), dim3(cuda::kReferenceThreads)},
               stream_.get(), pairs ? cuda::reference_rows<Real> : cuda::reference_triplets<Real>,
               position_mass_.data(), count(), places.data(), samples, gravity.softening * gravity.softening,
               gravity.constant, parts.data());
        const std::vector<Vec4d> found = host(parts);
        std::vector<Vec4d> sums(samples);
        for (std::size_t k = 0; k < found.size(); ++k) {
            Vec4d& sum = sums[k % samples];
            sum = {sum.x + found[k].x, sum.y + found[k].y, sum.z + found[k].z, 0};
        }
        return sums;
    }

    Vec3d centre_of_mass() const override {
        launch("weighted_positions", kShares, stream_.get(), cuda::weighted_positions<Real>, position_mass_.data(),
               count(), shares_.data());
        const Vec4d sum = sum_of_shares();
        return (1 / sum.w) * xyz(sum);
    }

    double net_force() const override {
        launch("add_forces", kShares, stream_.get(), cuda::add_forces<Real>, position_mass_.data(),
               acceleration_.data(), count(), shares_.data());
        const Vec4d sum = sum_of_shares();
        return sum.w > 0 ? std::sqrt(dot(xyz(sum), xyz(sum))) / sum.w : 0;
    }

    std::optional<BodyColumns> host_columns() const override {
        constexpr std::size_t kMostPinned = std::size_t{1} << 30;
        if (2 * count() * sizeof(Vec4<Real>) > kMostPinned) return std::nullopt;
        Vec4<Real>* const rows = brought(velocity_, brought(position_mass_, reserve_rows()));
        stream_.wait();
        return BodyColumns{Backend::kCpu, kPrecision, count(), rows_.data(), rows - count(), nullptr};
    }

    // EditPower
    void change(const BodyChange& change) override {
        const std::size_t before = count();
        std::vector<Vec4<Real>> x, v;
        x.reserve(change.after.position_mass.size()), v.reserve(change.after.velocity.size());
        for (const Vec4d& body : change.after.position_mass) x.push_back(convert<Real>(body));
        for (const Vec3d& from : change.after.velocity) v.push_back({Real(from.x), Real(from.y), Real(from.z), 0});
        if (!change.rows.empty()) {
            DeviceBuffer<std::uint32_t> places{change.rows.size()};
            cuda::upload<std::uint32_t>(change.rows, places, stream_.get());
            if (change.kind != BodyChange::Kind::kWrite) {
                DeviceBuffer<Vec4<Real>> places_then = with_rows(change, x, places, position_mass_),
                                         velocities_then = with_rows(change, v, places, velocity_),
                                         accelerations_then{places_then.size()};
                position_mass_ = std::move(places_then), velocity_ = std::move(velocities_then);
                acceleration_ = std::move(accelerations_then);
            } else {
                scatter(x, places, position_mass_), scatter(v, places, velocity_);
            }
        }
        apply_labels(change, before, labels_);
        frames_.forget_labels();
        find_massless(change, x);
    }
    BodyBackup backup(BodyBackup old) const override {
        BodyBackup all{kPrecision, count(), std::move(old)};
        const auto columns = host_columns();
        std::vector<Vec4<Real>> pageable_x, pageable_v;
        if (!columns) pageable_x = host(position_mass_), pageable_v = host(velocity_);
        const auto* const x = columns ? static_cast<const Vec4<Real>*>(columns->position_mass) : pageable_x.data();
        const auto* const v = columns ? static_cast<const Vec4<Real>*>(columns->velocity) : pageable_v.data();
        std::copy_n(x, count(), all.template position_mass<Real>());
        std::transform(v, v + count(), all.template velocity<Real>(), [](const Vec4<Real>& each) { return xyz(each); });
        all.labels = labels_;
        return all;
    }
    void restore(const BodyBackup& bodies) override {
        if (bodies.count() != count()) {
            DeviceBuffer<Vec4<Real>> x{bodies.count()}, v{bodies.count()}, a{bodies.count()};
            position_mass_ = std::move(x), velocity_ = std::move(v), acceleration_ = std::move(a);
        }
        const Vec4<Real>* const x = bodies.template position_mass<Real>();
        const Vec3<Real>* const v = bodies.template velocity<Real>();
        Vec4<Real>* const rows = reserve_rows();
        std::transform(v, v + count(), rows, [](const Vec3<Real>& each) {
            return Vec4<Real>{each.x, each.y, each.z, 0};
        });
        cuda::upload(std::span{x, count()}, position_mass_, stream_.get());
        cuda::upload(std::span<const Vec4<Real>>{rows, count()}, velocity_, stream_.get());
        stream_.wait();
        labels_ = bodies.labels;
        frames_.forget_labels();
        EngineSystem::find_massless(nullptr, count(), [&](std::size_t i) { return x[i].w; });
    }
    void restart() override {
        cuda::check(cudaMemsetAsync(acceleration_.data(), 0, count() * sizeof(Vec4<Real>), stream_.get()), "clearing");
        launch("clear_w", linear(count()), stream_.get(), cuda::clear_w<Real>, velocity_.data(), count());
        if (!labels_.charge.empty()) cuda::upload_as(labels_.charge, charge_, stream_.get());
        if (labels_.charge.empty()) charge_ = {};
        with_jerk_ = each_alone_ = false;
        steps_.forget();  // the recorded graph refers to the old columns, and to an engine with the old masses
        forget_history();
        stream_.wait();
    }

    BodyState save() const override {
        const std::size_t column = count() * sizeof(Vec4<Real>);
        BodyState state{.precision = kPrecision, .count = count(), .bytes = std::vector<std::byte>(3 * column)};
        std::byte* to = state.bytes.data();
        for (const DeviceBuffer<Vec4<Real>>* each : {&position_mass_, &velocity_, &acceleration_}) {
            cuda::check(cudaMemcpyAsync(to, each->data(), column, cudaMemcpyDeviceToHost, stream_.get()), "download");
            to += column;
        }
        stream_.wait();
        return state;
    }
    std::shared_ptr<const BodyCopy> copy() const override {
        auto kept = copies_->keep({.precision = kPrecision,
                                   .count = count(),
                                   .d_columns = {position_mass_.data(), velocity_.data(), acceleration_.data()},
                                   .column_bytes = count() * sizeof(Vec4<Real>)},
                                  stream_.get());
        return kept ? kept : BodySystem::copy();
    }
    void restore(const BodyState& state) override {
        const BodyVectors<Real> vectors = unpack<Real>(state);
        cuda::upload<Vec4<Real>>(vectors.position_mass, position_mass_, stream_.get());
        cuda::upload<Vec4<Real>>(vectors.velocity, velocity_, stream_.get());
        cuda::upload<Vec4<Real>>(vectors.acceleration, acceleration_, stream_.get());
        stream_.wait();
    }

    // InterpolationPower
    void show(const Interpolation& way, double time) override {
        const auto ends = moments_.ends_of(way, stream_.get());
        if (!ends) return restore(way.at(time, kPrecision));
        const auto& [from, to] = *ends;
        const std::size_t bytes = count() * sizeof(Vec4<Real>);
        if (way.whole()) {
            const auto copy = [&](const Vec4<Real>* d_from, DeviceBuffer<Vec4<Real>>& there) {
                cuda::check(cudaMemcpyAsync(there.data(), d_from, bytes, cudaMemcpyDeviceToDevice, stream_.get()),
                            "copying a snapshot");
            };
            copy(from.position_mass, position_mass_), copy(from.velocity, velocity_);
        } else {
            cuda::interpolate(from, to, way.at(time), position_mass_.data(), velocity_.data(), count(), stream_.get());
        }
        cuda::check(cudaMemsetAsync(acceleration_.data(), 0, bytes, stream_.get()), "clearing");
    }

    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, queue());
    }

    std::optional<std::size_t> first_not_finite() const override {
        cuda::check(cudaMemsetAsync(not_finite_.data(), 0xff, 2 * sizeof(unsigned long long), stream_.get()),
                    "clearing");
        unsigned long long* first = not_finite_.data();
        for (const DeviceBuffer<Vec4<Real>>* state : {&position_mass_, &velocity_})
            launch("find_not_finite", linear(count()), stream_.get(), cuda::find_not_finite<Real>, state->data(),
                   count(), first++);
        for (const unsigned long long body : host(not_finite_))
            if (body != std::numeric_limits<unsigned long long>::max()) return body;
        return std::nullopt;
    }

    void fill(Frame& frame, const Coloring& coloring) const override {
        frames_.fill(frame, coloring, {position_mass_.data(), velocity_.data(), acceleration_.data(), count()}, labels_,
                     engine(), stream_);
    }

private:
    void release_engine() override { steps_.forget(); }

    static constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble;

    BodyView<Device, Real> view() {
        return {.position_mass = position_mass_.data(),
                .acceleration = acceleration_.data(),
                .count = count(),
                .charge = charge_.data()};
    }
    Engine<Device, Real>& engine() const { return EngineSystem::engine<Device, Real>(); }

    std::uint64_t begin_with_jerk(DueView<Device> rows, const Gravity& gravity) {
        steps_.forget(), with_jerk_ = each_alone_ = true;  // the engine uses other kernels
        if (jerk_.size() != count()) jerk_ = DeviceBuffer<Vec4<Real>>{count()};
        return items_ = require_jerks(engine()).begin_with_jerk(
                   view(), {velocity_.data(), jerk_.data(), rows.rows, rows.count}, gravity, queue());
    }

    static inline const cuda::Shape kShares{dim3(cuda::kCentreBlocks), dim3(cuda::kCentreThreads)};

    typename cuda::StepQueue<Real>::State moving() {
        return {position_mass_.data(), velocity_.data(), acceleration_.data(), count()};
    }
    Vec4d sum_of_shares() const {
        Vec4d sum{};
        for (const Vec4d& s : host(shares_)) sum = {sum.x + s.x, sum.y + s.y, sum.z + s.z, sum.w + s.w};
        return sum;
    }
    Queue<Device> queue() const { return {stream_.get()}; }
    typename cuda::IntervalSteps<Real>::State stepping() {
        return {position_mass_.data(), velocity_.data(), acceleration_.data(), jerk_.data(), count()};
    }

    std::vector<Vec4d> some(const DeviceBuffer<Vec4<Real>>& of, const DeviceBuffer<std::uint32_t>& places) const {
        DeviceBuffer<Vec4<Real>> found{places.size()};
        launch("gather_some", linear(places.size()), stream_.get(), cuda::gather_some<Vec4<Real>>, of.data(),
               places.data(), found.data(), places.size());
        return widened(host(found));
    }

    /// Converts bodies in stretches, through a buffer of one, and copies them to the device from index `first` on.
    void upload_stretches(std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v,
                          cuda::PinnedBuffer<Vec4<Real>>& rows) {
        Pool pool{0, false};
        const auto copy = [&](DeviceBuffer<Vec4<Real>>& to, std::size_t at, std::size_t length) {
            cuda::check(cudaMemcpyAsync(to.data() + first + at, rows.data(), length * sizeof(Vec4<Real>),
                                        cudaMemcpyHostToDevice, stream_.get()),
                        "upload");
            stream_.wait();
        };
        for (std::size_t at = 0; at < x.size(); at += kStretch) {
            const std::size_t length = std::min(kStretch, x.size() - at);
            for_each_in_blocks(pool, length, [&](std::size_t i) { rows.data()[i] = convert<Real>(x[at + i]); });
            copy(position_mass_, at, length);
            for_each_in_blocks(pool, length, [&](std::size_t i) {
                const Vec3d& from = v[at + i];
                rows.data()[i] = {Real(from.x), Real(from.y), Real(from.z), 0};
            });
            copy(velocity_, at, length);
        }
    }
    /// Calls take(first, rows) with a column in stretches, copied to the host one after the other.
    template <class Take>
    void for_column(const DeviceBuffer<Vec4<Real>>& column, const Take& take) const {
        std::vector<Vec4<Real>> rows(std::min(kStretch, count()));
        for (std::size_t first = 0; first < count(); first += kStretch) {
            const std::size_t length = std::min(kStretch, count() - first);
            cuda::check(cudaMemcpyAsync(rows.data(), column.data() + first, length * sizeof(Vec4<Real>),
                                        cudaMemcpyDeviceToHost, stream_.get()),
                        "download");
            stream_.wait();
            take(first, std::span<const Vec4<Real>>{rows}.first(length));
        }
    }
    void for_positions(const TakePositions& take) const override {
        std::vector<Vec4d> some;
        for_column(position_mass_, [&](std::size_t first, std::span<const Vec4<Real>> rows) {
            some.clear();
            for (const Vec4<Real>& x : rows) some.push_back(convert<double>(x));
            take(first, some);
        });
    }

    template <class T>
    std::vector<T> host(const DeviceBuffer<T>& device) const {
        std::vector<T> copy(device.size());
        cuda::download<T>(device, copy, stream_.get());
        stream_.wait();
        return copy;
    }

    /// Pinned host memory for positions and velocities of all bodies.
    Vec4<Real>* reserve_rows() const {
        if (rows_room_ < 2 * count()) {
            rows_ = {}, rows_room_ = 0;
            rows_ = cuda::PinnedBuffer<Vec4<Real>>{2 * with_slack(count())};
            rows_room_ = 2 * with_slack(count());
        }
        return rows_.data();
    }
    /// Enqueues copying a column to `to`; returns its end.
    Vec4<Real>* brought(const DeviceBuffer<Vec4<Real>>& column, Vec4<Real>* to) const {
        cuda::download<Vec4<Real>>(column, std::span{to, count()}, stream_.get());
        return to + count();
    }

    /// Returns the column with rows inserted or removed. Waits.
    DeviceBuffer<Vec4<Real>> with_rows(const BodyChange& change, const std::vector<Vec4<Real>>& values,
                                       const DeviceBuffer<std::uint32_t>& rows,
                                       const DeviceBuffer<Vec4<Real>>& column) const {
        const auto changed = static_cast<std::uint32_t>(change.rows.size());
        DeviceBuffer<Vec4<Real>> then{count_after(change, count())};
        if (change.kind == BodyChange::Kind::kErase) {
            launch("erase_rows", linear(column.size()), stream_.get(), cuda::erase_rows<Vec4<Real>>, column.data(),
                   rows.data(), changed, then.data(), column.size());
            stream_.wait();
            return then;
        }
        DeviceBuffer<Vec4<Real>> there{values.size()};
        cuda::upload<Vec4<Real>>(values, there, stream_.get());
        launch("insert_rows", linear(then.size()), stream_.get(), cuda::insert_rows<Vec4<Real>>, column.data(),
               rows.data(), there.data(), changed, then.data(), then.size());
        stream_.wait();
        return then;
    }
    void scatter(const std::vector<Vec4<Real>>& rows, const DeviceBuffer<std::uint32_t>& places,
                 DeviceBuffer<Vec4<Real>>& to) {
        if (rows.empty()) return;
        DeviceBuffer<Vec4<Real>> there{rows.size()};
        cuda::upload<Vec4<Real>>(rows, there, stream_.get());
        launch("scatter_some", linear(rows.size()), stream_.get(), cuda::scatter_some<Vec4<Real>>, there.data(),
               places.data(), to.data(), rows.size());
        stream_.wait();  // before the uploaded memory is freed
    }
    /// Checks for massless bodies only if some may have been added or removed.
    void find_massless(const BodyChange& change, const std::vector<Vec4<Real>>& written) {
        if (written.empty() && change.kind == BodyChange::Kind::kWrite) return;
        std::vector<Vec4<Real>> all;
        EngineSystem::find_massless(&change, count(), [&](std::size_t i) {
            if (all.empty()) all = host(position_mass_);
            return all[i].w;
        });
    }

    Ranks* const ranks_;
    cuda::Stream stream_;
    DeviceStopwatch stopwatch_{stream_};
    DeviceBuffer<Vec4<Real>> position_mass_, velocity_, acceleration_;
    std::uint64_t items_ = 0;                      // of the current evaluation
    bool with_jerk_ = false, each_alone_ = false;  // the evaluation also computes jerks; each rank computes all of it
    DeviceBuffer<Vec4<Real>> jerk_;                // for integrators that need it
    cuda::IntervalSteps<Real> interval_;
    cuda::StepQueue<Real> steps_;
    cuda::MomentStore<Real> moments_;  // snapshots of a series being played
    std::shared_ptr<cuda::CopyStore> copies_ = std::make_shared<cuda::CopyStore>();
    mutable DeviceBuffer<unsigned long long> not_finite_;  // result of a single query
    mutable DeviceBuffer<Vec4d> shares_;                   // partial sums over all bodies
    mutable cuda::FrameMaker<Real> frames_;
    mutable cuda::PinnedBuffer<Vec4<Real>> rows_;  // staging memory for reading and restoring bodies
    mutable std::size_t rows_room_ = 0;
    Bodies labels_;              // only names, species, ids and charges
    DeviceBuffer<Real> charge_;  // charges in the engine's precision
};

template <class Real>
std::unique_ptr<BodySystem> make(std::unique_ptr<Engine<Device, Real>> engine, const EngineEntry& entry,
                                 const BodySource& bodies, Precision precision, Urgency urgency, Ranks* ranks) {
    // State, accelerations, the minimum of partial sums of a tiled engine, and three frames of vertices.
    cuda::require_memory(bodies.size(), bodies.size() * (4 * sizeof(Vec4<Real>) + 3 * sizeof(Vec4f)));
    return std::make_unique<DeviceSystem<Real>>(std::move(engine), entry, bodies, precision, urgency, ranks);
}

}  // namespace

std::unique_ptr<BodySystem> make_device_system(AnyEngine engine, const EngineEntry& entry, const BodySource& bodies,
                                               Precision precision, Urgency urgency, Ranks* ranks) {
    if (auto* single = std::get_if<std::unique_ptr<Engine<Device, float>>>(&engine))
        return make(std::move(*single), entry, bodies, precision, urgency, ranks);
    return make(std::move(std::get<std::unique_ptr<Engine<Device, double>>>(engine)), entry, bodies, precision, urgency,
                ranks);
}

}  // namespace orrery
