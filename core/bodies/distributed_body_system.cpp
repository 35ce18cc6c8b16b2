// SPDX-License-Identifier: MIT
#include "core/bodies/distributed_body_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {
namespace {

constexpr double kPatience = 3;  // seconds to wait for the other ranks before a failure counts as this rank's alone

// The calls that rank 0 repeats on the other ranks. execute() makes the call on a system.

struct MoveBodies {
    static constexpr std::size_t kMost = 8;

    std::size_t count;
    std::array<Move, kMost> moves;

    explicit MoveBodies(std::span<const Move> some) : count{some.size()}, moves{} {
        std::ranges::copy(some, moves.begin());
    }
    void execute(BodySystem& system) const { system.move(std::span{moves}.first(count)); }
};
struct BeginForces {
    Gravity gravity;
    Potential potential;
    std::uint64_t execute(BodySystem& system) const { return system.begin_forces(gravity, potential); }
};
struct BeginJerkForces {
    Gravity gravity;
    bool due;
    std::uint64_t execute(BodySystem& system) const { return require_steps(system).begin_jerk_forces(gravity, due); }
};
struct BeginDueForces {
    Gravity gravity;
    Potential potential;
    std::uint64_t execute(BodySystem& system) const {
        return require_steps(system).begin_due_forces(gravity, potential);
    }
};
struct BeginSteps {
    StepRule rule;
    void execute(BodySystem& system) const { require_steps(system).begin_steps(rule); }
};
struct Predict {
    DueBodies execute(BodySystem& system) const { return require_steps(system).predict(); }
};
struct Correct {
    void execute(BodySystem& system) const { require_steps(system).correct(); }
};
struct AbandonSteps {
    void execute(BodySystem& system) const { require_steps(system).abandon_steps(); }
};
struct RestoreHistory {
    Gravity gravity;
    std::uint64_t key;
    void execute(BodySystem& system) const { system.restore_history(gravity, key); }
};
struct ForgetHistory {
    void execute(BodySystem& system) const { system.forget_history(); }
};
struct ScaleAcceptance {
    double factor;
    void execute(BodySystem& system) const { system.scale_acceptance(factor); }
};

// The calls that need more than the system; see FollowerSystems.

struct MakeSystem {  // followed by the configuration and the bodies
    std::size_t count, charges;
    Urgency urgency;
};
struct EndSystem {};
struct RunForces {
    std::uint64_t last, items;  // done and in total, of rank 0's evaluation
};
struct RestoreState {  // followed by the bytes
    Precision precision;
    std::size_t count, bytes;
};
struct Leave {};

using RankCommand = std::variant<Leave, MakeSystem, EndSystem, MoveBodies, BeginForces, BeginJerkForces, BeginDueForces,
                                 RunForces, BeginSteps, Predict, Correct, AbandonSteps, RestoreState, RestoreHistory,
                                 ForgetHistory, ScaleAcceptance>;
/// A command for the body system of this number.
struct Announcement {
    RankCommand command;
    std::uint32_t system = 0;
};
static_assert(std::is_trivially_copyable_v<Announcement>);

void announce(Ranks& ranks, Announcement& announcement) {
    ranks.announce(std::as_writable_bytes(std::span{&announcement, 1}));
}
void announce(Ranks& ranks, const RankCommand& command, std::uint32_t system) {
    Announcement announcement{command, system};
    announce(ranks, announcement);
}

template <class T>
void broadcast(Ranks& ranks, std::vector<T>& values, std::size_t count) {
    values.resize(count);
    ranks.broadcast(std::as_writable_bytes(std::span{values}), 0);
}
/// Broadcasts from rank 0, which has all values.
template <class T>
void broadcast(Ranks& ranks, const std::vector<T>& values) {
    // Rank 0 only reads them.
    ranks.broadcast(std::as_writable_bytes(std::span{const_cast<T*>(values.data()), values.size()}), 0);
}

/// Broadcasts a text of any length from rank `from`.
std::string broadcast(Ranks& ranks, std::string text, int from) {
    std::uint64_t size = text.size();
    ranks.broadcast(std::as_writable_bytes(std::span{&size, 1}), from);
    text.resize(size);
    ranks.broadcast(std::as_writable_bytes(std::span{text}), from);
    return text;
}

/// All settings, bit for bit: a number is a line, a text its length and itself.
std::string text_of(const EngineConfig& config) {
    std::string text;
    for (const EngineSetting& setting : engine_settings()) {
        const SettingValue value = setting.member.get(config);
        const auto* word = std::get_if<std::string>(&value);
        text += word ? fmt::format("{}\n{}", word->size(), *word) : fmt::format("{}\n", to_number(value));
    }
    return text;
}

/// The inverse of text_of().
EngineConfig engine_of(const std::string& text) {
    std::istringstream lines{text};
    std::string line;
    EngineConfig config;
    for (const EngineSetting& setting : engine_settings()) {
        std::getline(lines, line);
        const SettingValue before = setting.member.get(config);
        if (!std::holds_alternative<std::string>(before)) {
            setting.member.set(config, from_number(setting.info, std::stod(line)));
            continue;
        }
        std::string word(std::stoul(line), '\0');
        lines.read(word.data(), static_cast<std::streamsize>(word.size()));
        setting.member.set(config, SettingValue{word});
    }
    return config;
}

/// Creates the system on all ranks, or throws on all ranks the Error of the first rank that failed.
std::unique_ptr<BodySystem> made_by_all(Ranks& ranks, const EngineConfig& config, const Bodies& bodies,
                                        Urgency urgency) {
    std::unique_ptr<BodySystem> own;
    std::string trouble;
    int blame = 0;
    try {
        if (config.backend == Backend::kCuda) device_ranks(ranks);  // collective, unlike the following calls
        own = make_own_system(config, bodies, urgency, &ranks);
    } catch (const Error& error) {
        trouble = error.what(), blame = static_cast<int>(error.blame());
    } catch (const std::exception& error) {
        trouble = error.what(), blame = static_cast<int>(Blame::kEnvironment);
    }
    std::vector<int> blames(static_cast<std::size_t>(ranks.count()));
    blames[static_cast<std::size_t>(ranks.rank())] = blame;
    gather_parts(ranks, std::span{blames}, blames.size(), 1);
    const auto first = std::ranges::find_if(blames, [](int each) { return each != 0; });
    if (first == blames.end()) return own;
    const auto rank = static_cast<int>(first - blames.begin());
    trouble = broadcast(ranks, std::move(trouble), rank);
    throw Error{Blame{*first}, rank == 0 ? trouble : fmt::format("rank {} of {}: {}", rank, ranks.count(), trouble)};
}

class DistributedBodySystem final : public BodySystem, private StepPower, private QueuePower {
public:
    DistributedBodySystem(std::unique_ptr<BodySystem> own, std::uint32_t number, Ranks& ranks)
        : own_{std::move(own)}, number_{number}, ranks_{ranks} {}
    ~DistributedBodySystem() override {
        try {
            announce(ranks_, EndSystem{}, number_);
        } catch (const std::exception&) {  // the other ranks have ended; the next call will report it
        }
    }

    void move(std::span<const Move> moves) override {
        while (!moves.empty()) {
            const auto some = moves.first(std::min(moves.size(), MoveBodies::kMost));
            moves = moves.subspan(some.size());
            on_all_ranks(MoveBodies{some});
        }
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return items_ = on_all_ranks(BeginForces{gravity, potential});
    }
    std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) override {
        return items_ = on_all_ranks(BeginJerkForces{gravity, due});
    }
    std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) override {
        return items_ = on_all_ranks(BeginDueForces{gravity, potential});
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override {
        on_all_ranks(RunForces{last, items_}, [&] { own_->run_forces(first, last); });
    }
    void begin_steps(const StepRule& rule) override { on_all_ranks(BeginSteps{rule}); }
    DueBodies predict() override { return on_all_ranks(Predict{}); }
    void correct() override { on_all_ranks(Correct{}); }
    void abandon_steps() override { on_all_ranks(AbandonSteps{}); }
    void restore(const BodyState& state) override {
        on_all_ranks(RestoreState{state.precision, state.count, state.bytes.size()}, [&] {
            broadcast(ranks_, state.bytes);
            own_->restore(state);
        });
    }
    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        on_all_ranks(RestoreHistory{gravity, key});
    }
    void forget_history() override { on_all_ranks(ForgetHistory{}); }
    void scale_acceptance(double factor) override { on_all_ranks(ScaleAcceptance{factor}); }

    // Calls that this rank serves on its own.
    std::vector<std::size_t> ladder() const override { return require_steps(*own_).ladder(); }
    std::size_t count() const override { return own_->count(); }
    void wait() override { own_->wait(); }
    Stopwatch& clock() override { return own_->clock(); }
    StepPower* steps() override { return own_->steps() ? this : nullptr; }
    QueuePower* step_queue() override { return own_->step_queue() ? this : nullptr; }
    void begin_checks() override { own_->step_queue()->begin_checks(); }
    std::optional<LostBody> first_lost() override { return own_->step_queue()->first_lost(); }
    std::uint64_t repeat(const MoveCycle&, const Gravity&, Potential, std::uint64_t) override {
        return 0;  // distributed engines are not replayed
    }
    Bodies bodies() const override { return own_->bodies(); }
    const Bodies& labels() const override { return own_->labels(); }
    void set_fields(std::vector<BodyField> fields) override { own_->set_fields(std::move(fields)); }
    std::vector<Vec4d> accelerations() const override { return own_->accelerations(); }
    std::vector<BodySample> sample(std::span<const std::uint32_t> which) const override { return own_->sample(which); }
    BodyState save() const override { return own_->save(); }
    std::shared_ptr<const BodyCopy> copy() const override { return own_->copy(); }
    std::uint64_t history_key() const override { return own_->history_key(); }
    double accuracy_to_keep() const override { return own_->accuracy_to_keep(); }
    void fill(Frame& frame, const Coloring& coloring) const override { own_->fill(frame, coloring); }
    ForceError force_error(const Gravity& gravity, std::size_t samples) const override {
        return own_->force_error(gravity, samples);
    }
    std::vector<Vec4d> references(const Gravity& gravity, std::span<const std::uint32_t> which) const override {
        return own_->references(gravity, which);
    }
    std::vector<std::uint32_t> heavy_bodies() const override { return own_->heavy_bodies(); }
    Vec3d centre_of_mass() const override { return own_->centre_of_mass(); }
    double net_force() const override { return own_->net_force(); }
    std::optional<std::size_t> first_not_finite() const override { return own_->first_not_finite(); }
    Law law() const override { return own_->law(); }
    bool shared() const override { return true; }
    std::string engine_choice() const override { return own_->engine_choice(); }
    EngineReport engine_report() const override { return own_->engine_report(); }
    std::vector<TreeCell> engine_cells(std::size_t most) const override { return own_->engine_cells(most); }

private:
    /// Runs `work` on this rank while the others execute the command. If only this rank fails, the others are blocked
    /// in a collective, so end all.
    template <class Work>
    std::invoke_result_t<Work> on_all_ranks(const RankCommand& command, const Work& work) {
        announce(ranks_, command, number_);
        try {
            return work();
        } catch (const std::exception& error) {
            if (!ranks_.all_arrive(kPatience)) ranks_.end_all(static_cast<int>(Blame::kEnvironment), error.what());
            throw;
        }
    }
    template <class Command>
    decltype(std::declval<Command>().execute(std::declval<BodySystem&>())) on_all_ranks(const Command& command) {
        return on_all_ranks(command, [&] { return command.execute(*own_); });
    }

    std::unique_ptr<BodySystem> own_;
    std::uint32_t number_;
    Ranks& ranks_;
    std::uint64_t items_ = 0;  // of the current evaluation
};

/// The body systems of a follower rank.
class FollowerSystems {
public:
    explicit FollowerSystems(Ranks& ranks) : ranks_{ranks} {}

    void execute(const Announcement& announcement) {
        std::visit([&](const auto& command) { execute(command, announcement.system); }, announcement.command);
    }

private:
    struct One {
        std::unique_ptr<BodySystem> system;
        std::uint64_t items = 0, done = 0;  // of the current evaluation
    };

    void execute(const MakeSystem& command, std::uint32_t number) {
        const EngineConfig config = engine_of(broadcast(ranks_, {}, 0));
        Bodies bodies;
        broadcast(ranks_, bodies.position_mass, command.count);
        broadcast(ranks_, bodies.velocity, command.count);
        broadcast(ranks_, bodies.charge, command.charges);
        std::unique_ptr<BodySystem> made;
        try {
            made = made_by_all(ranks_, config, bodies, command.urgency);
        } catch (const Error&) {  // rank 0 reports it
            return;
        }
        if (made->shared()) all_[number].system = std::move(made);
    }
    void execute(const EndSystem&, std::uint32_t number) { all_.erase(number); }
    void execute(const Leave&, std::uint32_t) {}
    /// Runs the same fraction of its items as rank 0, whose number may differ; the last item only with rank 0's last.
    void execute(const RunForces& command, std::uint32_t number) {
        One& one = all_.at(number);
        std::uint64_t last = one.items;
        if (command.last < command.items) {
            const double share = static_cast<double>(command.last) / static_cast<double>(command.items);
            last = std::min(one.items - 1, static_cast<std::uint64_t>(share * static_cast<double>(one.items)));
        }
        if (last > one.done) one.system->run_forces(one.done, last);
        one.done = std::max(one.done, last);
    }
    void execute(const RestoreState& command, std::uint32_t number) {
        BodyState state{.precision = command.precision, .count = command.count, .bytes = {}};
        broadcast(ranks_, state.bytes, command.bytes);
        all_.at(number).system->restore(state);
    }
    template <class Command>
    void execute(const Command& command, std::uint32_t number) {
        One& one = all_.at(number);
        if constexpr (std::is_same_v<decltype(command.execute(*one.system)), std::uint64_t>)
            one.items = command.execute(*one.system), one.done = 0;
        else
            static_cast<void>(command.execute(*one.system));
    }

    Ranks& ranks_;
    std::map<std::uint32_t, One> all_;
};

/// FNV-1a (Fowler, Noll & Vo), on 64-bit words.
class Fingerprint {
public:
    void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3, hash_ ^= hash_ >> 32; }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

void require_same(Ranks& ranks, std::uint64_t fingerprint, const char* what) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.count()));
    all[static_cast<std::size_t>(ranks.rank())] = fingerprint;
    gather_parts(ranks, std::span{all}, all.size(), 1);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            usage_error(
                fmt::format("rank {} of {} has read {} than rank 0: files of the same name differ; copy the file "
                            "of rank 0 to all machines",
                            rank, all.size(), what));
}

}  // namespace

RankLeader::RankLeader(Ranks& ranks) : ranks_{ranks} { ranks.leader = this; }
RankLeader::~RankLeader() {
    ranks_.leader = nullptr;
    try {
        announce(ranks_, Leave{}, 0);
    } catch (const std::exception&) {  // the other ranks have ended
    }
}

void run_follower(Ranks& ranks) {
    FollowerSystems followers{ranks};
    for (;;) {
        Announcement announcement;
        announce(ranks, announcement);
        if (std::holds_alternative<Leave>(announcement.command)) return;
        try {
            followers.execute(announcement);
        } catch (const std::exception&) {
            if (!ranks.all_arrive(kPatience)) throw;  // otherwise rank 0 reports it
        }
    }
}

std::unique_ptr<BodySystem> make_distributed_body_system(const EngineConfig& config, const Bodies& bodies,
                                                         Urgency urgency, Ranks& ranks) {
    const std::uint32_t number = ranks.leader->next_number();
    announce(ranks, MakeSystem{bodies.size(), bodies.charge.size(), urgency}, number);
    broadcast(ranks, text_of(config), 0);
    broadcast(ranks, bodies.position_mass);
    broadcast(ranks, bodies.velocity);
    broadcast(ranks, bodies.charge);
    auto own = made_by_all(ranks, config, bodies, urgency);
    if (own->shared()) return std::make_unique<DistributedBodySystem>(std::move(own), number, ranks);
    own.reset();  // its engine still refers to the ranks
    return make_own_system(config, bodies, urgency, nullptr);
}

void require_same_bodies(Ranks& ranks, const Bodies& bodies) {
    Fingerprint all;
    all.add(std::uint64_t{bodies.size()});
    for (const Vec4d& body : bodies.position_mass) all.add(body.x), all.add(body.y), all.add(body.z), all.add(body.w);
    for (const Vec3d& v : bodies.velocity) all.add(v.x), all.add(v.y), all.add(v.z);
    for (const double charge : bodies.charge) all.add(charge);
    for (const std::uint64_t id : bodies.ids) all.add(id);
    require_same(ranks, all.value(), "other bodies");
}

void require_same_numbers(Ranks& ranks, std::span<const double> numbers) {
    Fingerprint all;
    for (const double number : numbers) all.add(number);
    require_same(ranks, all.value(), "another time, dt or softening");
}

}  // namespace orrery
