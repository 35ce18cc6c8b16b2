// SPDX-License-Identifier: MIT
// Bodies in buffers of the OpenGL device. Backups and edits go through host memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/gl/frame_maker.hpp"
#include "core/bodies/rounding.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/gl/device.hpp"

namespace orrery {
namespace {

/// Times the work of the device between two moments in its stream of commands.
class GlStopwatch final : public Stopwatch {
public:
    void start() override { start_.record(); }
    void hold() override { stop_.record(); }
    double seconds() override { return 1e-9 * static_cast<double>(stop_.read() - start_.read()); }

private:
    gl::Timestamp start_, stop_;
};

constexpr std::uint64_t kGroup = 128;  // threads of the shaders of bodies

gl::NoRoom no_room_for(const EngineEntry& entry, std::size_t bodies, const gl::NoRoom& refused) {
    return gl::NoRoom{fmt::format("engine '{}' on gl has no room for {} bodies: {}", entry.id, bodies, refused.what())};
}

template <class Real>
class GlSystem final : public EngineSystem, private QueuePower, private EditPower {
public:
    GlSystem(std::unique_ptr<Engine<Gl, Real>> engine, const EngineConfig& config, const EngineEntry& entry,
             const BodySource& bodies)
        : EngineSystem{std::move(engine), entry, bodies, config.precision},
          pool_{config.threads, config.background},
          labels_{.names = bodies.labels().names,
                  .species = bodies.labels().species,
                  .ids = bodies.labels().ids,
                  .pinned = bodies.labels().pinned,
                  .charge = bodies.labels().charge,
                  .fields = bodies.labels().fields} {
        Columns columns;
        for_stretches(bodies, [&](std::size_t first, std::span<const Vec4d> x, std::span<const Vec3d> v) {
            if (!bodies.in_memory()) require_fit(x, v, config.precision, first);
            for (const Vec4d& body : x) columns.position_mass.push_back(convert<Real>(body));
            for (const Vec3d& each : v) columns.velocity.push_back(row_of(each));
        });
        columns.acceleration.resize(bodies.size());
        write(columns);
        write_charges();
    }

    ~GlSystem() override {
        gl::Device::of_objects().run([] {});  // posted work refers to this system
    }

    std::size_t count() const override { return count_; }

    void move(std::span<const Move> moves) override {
        post([this, all = std::vector<Move>(moves.begin(), moves.end())] { enqueue(all); });
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        require_takes(gravity);
        rethrow();
        require_alive();
        try {
            return engine().begin(view(), gravity, potential, {});
        } catch (const gl::NoRoom& refused) {
            throw no_room_for(entry(), count(), refused);
        }
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override {
        post([this, first, last] { engine().run(first, last, {}); });
    }
    void wait() override {
        gl::Device::get().wait();
        rethrow();
    }

    // QueuePower
    QueuePower* step_queue() override { return this; }
    void begin_checks() override {
        post([this] {
            constexpr std::array<std::uint32_t, 2> none{kNone, kNone};
            lost_.write(std::as_bytes(std::span{none}));
            ends_ = 0;
        });
    }
    std::optional<LostBody> first_lost() override {
        std::array<std::uint32_t, 2> lost{};
        lost_.read(std::as_writable_bytes(std::span{lost}));
        rethrow();
        if (lost[0] == kNone) return std::nullopt;
        return LostBody{.ends = lost[0], .body = lost[1] & ~kVelocity};
    }
    std::uint64_t repeat(const MoveCycle&, const Gravity&, Potential, std::uint64_t) override { return 0; }

    Stopwatch& clock() override { return stopwatch_; }
    EditPower* edits() override { return this; }

    Bodies bodies() const override {
        Bodies copy = labels_;
        copy.position_mass = widened(host(position_mass_));
        copy.velocity.reserve(count());
        for (const Vec4<Real>& v : host(velocity_)) copy.velocity.push_back(xyz(convert<double>(v)));
        return copy;
    }
    const Bodies& labels() const override { return labels_; }
    void set_fields(std::vector<BodyField> fields) override { labels_.fields = std::move(fields); }
    std::vector<Vec4d> accelerations() const override { return widened(host(acceleration_)); }

    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override {
        std::vector<BodySample> samples;
        samples.reserve(which.size());
        const auto add = [&](const Vec4<Real>& x, const Vec4<Real>& v, const Vec4<Real>& a) {
            samples.push_back({convert<double>(x), xyz(convert<double>(v)), xyz(convert<double>(a))});
        };
        if (which.size() < kFewSamples) {
            for (const std::uint32_t i : which) add(row(position_mass_, i), row(velocity_, i), row(acceleration_, i));
            return samples;
        }
        const Columns columns = read();
        for (const std::uint32_t i : which) add(columns.position_mass[i], columns.velocity[i], columns.acceleration[i]);
        return samples;
    }

    std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const override {
        if (gravity.law != PairLaw::kGravity) return BodySystem::references(gravity, which);
        if (which.empty()) return {};
        constexpr std::uint64_t kLeastOfShare = 65'536, kMostShares = 64;
        const std::uint64_t samples = which.size(),
                            shares = std::clamp<std::uint64_t>(count() / kLeastOfShare, 1, kMostShares);
        ReferenceArguments arguments{.count = static_cast<std::uint32_t>(count()),
                                     .samples = static_cast<std::uint32_t>(samples),
                                     .shares = static_cast<std::uint32_t>(shares),
                                     .softening2 = gravity.softening * gravity.softening,
                                     .constant = gravity.constant};
        std::vector<Vec4d> parts(samples * shares), sums(samples);
        gl::Device& device = gl::Device::get();
        device.run([&] {
            gl::Buffer places{which.size_bytes()}, out{parts.size() * sizeof(Vec4d)};
            places.write(std::as_bytes(which));
            const gl::Program& program = device.program("bodies.comp:reference", kDefines);
            const double pairs = static_cast<double>(count()) / static_cast<double>(shares);
            reference_pace_.cut(0, parts.size(), pairs, [&](std::uint64_t begin, std::uint64_t end) {
                arguments.first_item = static_cast<std::uint32_t>(begin);
                device.dispatch(program, {position_mass_.name(), places.name(), out.name()}, arguments, end - begin,
                                begin == 0 ? gl::After::kAll : gl::After::kNone);
            });
            out.read(std::as_writable_bytes(std::span{parts}));
            device.check("reference of the accelerations");
        });
        rethrow();
        for (std::size_t k = 0; k < parts.size(); ++k) {
            Vec4d& sum = sums[k % samples];
            sum = {sum.x + parts[k].x, sum.y + parts[k].y, sum.z + parts[k].z, 0};
        }
        return sums;
    }

    std::optional<std::size_t> first_not_finite() const override {
        gl::Device& device = gl::Device::get();
        std::array<std::uint32_t, 2> first{kNone, kNone};
        const MoveArguments arguments{.count = static_cast<std::uint32_t>(count_)};
        device.run([&] {
            not_finite_.write(std::as_bytes(std::span{first}));
            device.dispatch(device.program("bodies.comp:not_finite", kDefines),
                            {position_mass_.name(), velocity_.name(), not_finite_.name()}, arguments, groups());
            not_finite_.read(std::as_writable_bytes(std::span{first}));
        });
        rethrow();
        for (const std::uint32_t body : first)
            if (body != kNone) return body;
        return std::nullopt;
    }

    BodyState save() const override {
        const Columns all = read();
        return pack<Real>(all.position_mass, all.velocity, all.acceleration);
    }
    /// Also after the device was lost: opens it again and replaces the buffers.
    void restore(const BodyState& state) override {
        gl::Device::get().reopen_if_lost();
        if (stale()) renew();
        BodyVectors<Real> vectors = unpack<Real>(state);
        write({std::move(vectors.position_mass), std::move(vectors.velocity), std::move(vectors.acceleration)});
    }
    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        if (auto* history = engine().history()) history->restore_history(view(), gravity, key, {});
    }

    // EditPower
    void change(const BodyChange& change) override {
        std::vector<Vec4<Real>> x, v;
        x.reserve(change.after.position_mass.size()), v.reserve(change.after.velocity.size());
        for (const Vec4d& body : change.after.position_mass) x.push_back(convert<Real>(body));
        for (const Vec3d& from : change.after.velocity) v.push_back(row_of(from));
        Columns columns = read();
        const std::size_t before = count();
        change_column(change, x, columns.position_mass), change_column(change, v, columns.velocity);
        columns.acceleration.resize(columns.position_mass.size());
        write(columns);
        apply_labels(change, before, labels_);
        frames_.forget_labels();
        find_massless(&change, count(), [&](std::size_t i) { return columns.position_mass[i].w; });
    }
    BodyBackup backup(BodyBackup old) const override {
        BodyBackup all{kPrecision, count(), std::move(old)};
        const std::vector<Vec4<Real>> v = host(velocity_);
        position_mass_.read(std::as_writable_bytes(std::span{all.template position_mass<Real>(), count()}));
        std::ranges::transform(v, all.template velocity<Real>(), [](const Vec4<Real>& each) { return xyz(each); });
        all.labels = labels_;
        return all;
    }
    void restore(const BodyBackup& bodies) override {
        const Vec4<Real>* const x = bodies.template position_mass<Real>();
        const Vec3<Real>* const v = bodies.template velocity<Real>();
        Columns columns;
        columns.position_mass.assign(x, x + bodies.count());
        for (std::size_t i = 0; i < bodies.count(); ++i) columns.velocity.push_back({v[i].x, v[i].y, v[i].z, 0});
        columns.acceleration.resize(bodies.count());
        write(columns);
        labels_ = bodies.labels;
        frames_.forget_labels();
        find_massless(nullptr, count(), [x](std::size_t i) { return x[i].w; });
    }
    void restart() override {
        acceleration_.clear();
        write_charges();
        frames_.forget_densities();
        forget_history();
    }

    void fill(Frame& frame, const Coloring& coloring) const override {
        require_alive();
        frames_.fill(frame, coloring, {position_mass_.name(), velocity_.name(), acceleration_.name(), count()}, labels_,
                     engine(), pool_, [this] { return host(position_mass_); });
        rethrow();
    }

private:
    void for_positions(const TakePositions& take) const override { take(0, widened(host(position_mass_))); }

    static constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble;
    static constexpr const char* kDefines = sizeof(Real) == 4 ? "#define DOUBLE 0\n" : "#define DOUBLE 1\n";
    static constexpr std::size_t kFewSamples = 16, kMoves = 8;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max(), kVelocity = 1u << 31;

    /// The uniform block of move.comp.
    struct alignas(4 * sizeof(Real)) MoveArguments {
        std::uint32_t count = 0, moves = 0, ends = 0, unused = 0;
        std::uint32_t op[kMoves]{};
        alignas(4 * sizeof(Real)) Real dt[kMoves]{};
    };
    /// The uniform block of reference.comp.
    struct ReferenceArguments {
        std::uint32_t count = 0, samples = 0, shares = 0, first_item = 0;
        double softening2 = 0, constant = 1;
    };
    struct Columns {
        std::vector<Vec4<Real>> position_mass, velocity, acceleration;
    };

    static Vec4<Real> row_of(const Vec3d& v) { return {Real(v.x), Real(v.y), Real(v.z), 0}; }
    static void change_column(const BodyChange& change, std::span<const Vec4<Real>> values,
                              std::vector<Vec4<Real>>& column) {
        if (change.kind == BodyChange::Kind::kErase) return erase_rows(column, change.rows);
        if (change.kind == BodyChange::Kind::kInsert) return insert_rows(column, change.rows, values);
        for (std::size_t k = 0; k < values.size(); ++k) column[change.rows[k]] = values[k];
    }

    /// Runs `work` on the device's thread without waiting; rethrow() reports its Error.
    template <class Work>
    void post(Work work) {
        gl::Device::get().post([this, work = std::move(work)] {
            try {
                if (!failed_) require_alive(), work();
            } catch (...) {
                failure_ = std::current_exception();
                failed_ = true;
            }
        });
    }
    bool stale() const { return lost_.stale(); }
    /// Names of stale buffers may be those of new ones.
    void require_alive() const {
        if (stale())
            throw DeviceLost{"the bodies in the memory of the OpenGL device no longer exist: it was opened again"};
    }
    void renew() {
        gl::Device::get().run([this] { failed_ = false, failure_ = nullptr; });
        count_ = 0;  // write() makes the other buffers
        lost_ = gl::Buffer{lost_.bytes()}, not_finite_ = gl::Buffer{not_finite_.bytes()};
        write_charges();
    }

    /// Call after the device's thread has done what was posted, or before more is requested.
    void rethrow() const {
        if (failed_) {
            const std::exception_ptr failure = gl::Device::get().run([this] {
                failed_ = false;
                return std::exchange(failure_, nullptr);
            });
            if (failure) std::rethrow_exception(failure);
        }
    }

    /// On the device's thread: dispatches the moves, as many at once as a shader takes.
    void enqueue(std::span<const Move> moves) {
        gl::Device& device = gl::Device::get();
        const gl::Program& program = device.program("bodies.comp:move", kDefines);
        MoveArguments arguments{.count = static_cast<std::uint32_t>(count_)};
        const auto dispatch = [&] {
            if (arguments.moves == 0) return;
            arguments.ends = ends_;
            device.dispatch(program, {position_mass_.name(), velocity_.name(), acceleration_.name(), lost_.name()},
                            arguments, groups());
            arguments.moves = 0;
        };
        for (const Move& one : moves) {
            const bool ends = one.op == Move::Op::kStepEnd;
            arguments.op[arguments.moves] = ends ? 2 : one.op == Move::Op::kDrift ? 1 : 0;
            arguments.dt[arguments.moves++] = static_cast<Real>(one.dt);
            if (arguments.moves == kMoves || ends) dispatch();
            if (ends) ++ends_;
        }
        dispatch();
        device.check("moving the bodies");
    }

    std::uint64_t groups() const { return (count_ + kGroup - 1) / kGroup; }
    BodyView<Gl, Real> view() const {
        return {.position_mass = position_mass_.name(),
                .acceleration = acceleration_.name(),
                .count = count(),
                .charge = charge_.name()};
    }
    Engine<Gl, Real>& engine() const { return EngineSystem::engine<Gl, Real>(); }

    std::vector<Vec4<Real>> host(const gl::Buffer& column) const {
        std::vector<Vec4<Real>> rows(count());
        column.read(std::as_writable_bytes(std::span{rows}));
        return rows;
    }
    Vec4<Real> row(const gl::Buffer& column, std::uint32_t i) const {
        Vec4<Real> one;
        column.read(std::as_writable_bytes(std::span{&one, 1}), i * sizeof(Vec4<Real>));
        return one;
    }
    Columns read() const { return {host(position_mass_), host(velocity_), host(acceleration_)}; }

    /// Replaces all columns; allocates all before any is replaced.
    void write(const Columns& columns) {
        const std::size_t bytes = columns.position_mass.size() * sizeof(Vec4<Real>);
        if (columns.position_mass.size() != count_) {
            gl::Buffer x{bytes}, v{bytes}, a{bytes};
            position_mass_ = std::move(x), velocity_ = std::move(v), acceleration_ = std::move(a);
            count_ = columns.position_mass.size();
        }
        position_mass_.write(std::as_bytes(std::span{columns.position_mass}));
        velocity_.write(std::as_bytes(std::span{columns.velocity}));
        acceleration_.write(std::as_bytes(std::span{columns.acceleration}));
    }
    void write_charges() {
        charge_ = {};
        if (labels_.charge.empty()) return;
        const std::vector<Real> charges(labels_.charge.begin(), labels_.charge.end());
        charge_ = gl::Buffer{charges.size() * sizeof(Real)};
        charge_.write(std::as_bytes(std::span{charges}));
    }

    GlStopwatch stopwatch_;
    mutable Pool pool_;
    std::size_t count_ = 0;
    gl::Buffer position_mass_, velocity_, acceleration_;
    gl::Buffer charge_;                           // charges in the engine's precision
    gl::Buffer lost_{2 * sizeof(std::uint32_t)};  // of move.comp
    mutable gl::Buffer not_finite_{2 * sizeof(std::uint32_t)};
    std::uint32_t ends_ = 0;  // steps since begin_checks(), on the device's thread
    mutable std::atomic<bool> failed_ = false;
    mutable std::exception_ptr failure_;  // of posted work; written and read on the device's thread
    Bodies labels_;                       // only names, species, ids and charges
    mutable gl::GlFrameMaker<Real> frames_;
    mutable gl::Pace reference_pace_;  // on the device's thread
};

}  // namespace

std::unique_ptr<BodySystem> make_gl_system(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                                           const BodySource& bodies) {
    try {
        if (auto* single = std::get_if<std::unique_ptr<Engine<Gl, float>>>(&engine))
            return std::make_unique<GlSystem<float>>(std::move(*single), config, entry, bodies);
        return std::make_unique<GlSystem<double>>(std::move(std::get<std::unique_ptr<Engine<Gl, double>>>(engine)),
                                                  config, entry, bodies);
    } catch (const gl::NoRoom& refused) {
        throw no_room_for(entry, bodies.size(), refused);
    }
}

}  // namespace orrery
