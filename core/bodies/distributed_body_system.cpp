// SPDX-License-Identifier: MIT
#include "core/bodies/distributed_body_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/make_system.hpp"
#include "core/bodies/rank_commands.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {
namespace {

using Call = RankCommand::Call;

constexpr double kPatience = 3;  // seconds to wait for the other ranks before a failure counts as this rank's alone

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
            RankCommand command{.call = Call::kEnd, .system = number_};
            announce(ranks_, command);
        } catch (const std::exception&) {  // the other ranks have ended; the next call will report it
        }
    }

    void move(std::span<const Move> moves) override {
        while (!moves.empty()) {
            const auto some = moves.first(std::min(moves.size(), RankCommand::kMostMoves));
            moves = moves.subspan(some.size());
            RankCommand command{.call = Call::kMove, .count = some.size()};
            std::ranges::copy(some, command.moves.begin());
            on_all_ranks(command, [&] { own_->move(some); });
        }
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return items_ = on_all_ranks({.call = Call::kForces, .gravity = gravity, .potential = potential},
                                     [&] { return own_->begin_forces(gravity, potential); });
    }
    std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) override {
        return items_ = on_all_ranks({.call = Call::kJerkForces, .gravity = gravity, .due = due},
                                     [&] { return steps_of_own().begin_jerk_forces(gravity, due); });
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override {
        on_all_ranks({.call = Call::kRunForces, .last = last, .items = items_}, [&] { own_->run_forces(first, last); });
    }
    std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) override {
        return items_ = on_all_ranks({.call = Call::kDueForces, .gravity = gravity, .potential = potential},
                                     [&] { return steps_of_own().begin_due_forces(gravity, potential); });
    }
    void begin_steps(const StepRule& rule) override {
        on_all_ranks({.call = Call::kBeginSteps, .rule = rule}, [&] { steps_of_own().begin_steps(rule); });
    }
    DueBodies predict() override {
        return on_all_ranks({.call = Call::kPredict}, [&] { return steps_of_own().predict(); });
    }
    void correct() override {
        on_all_ranks({.call = Call::kCorrect}, [&] { steps_of_own().correct(); });
    }
    void abandon_steps() override {
        on_all_ranks({.call = Call::kAbandonSteps}, [&] { steps_of_own().abandon_steps(); });
    }
    std::vector<std::size_t> ladder() const override { return require_steps(*own_).ladder(); }
    void restore(const BodyState& state) override {
        on_all_ranks(
            {.call = Call::kRestore, .count = state.bytes.size(), .precision = state.precision, .bodies = state.count},
            [&] {
                broadcast(ranks_, state.bytes);
                own_->restore(state);
            });
    }
    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        on_all_ranks({.call = Call::kRestoreHistory, .gravity = gravity, .key = key},
                     [&] { own_->restore_history(gravity, key); });
    }
    void forget_history() override {
        on_all_ranks({.call = Call::kForgetHistory}, [&] { own_->forget_history(); });
    }

    void scale_acceptance(double factor) override {
        on_all_ranks({.call = Call::kScaleAcceptance, .factor = factor}, [&] { own_->scale_acceptance(factor); });
    }

    // Calls that this rank serves on its own.
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
    StepPower& steps_of_own() { return require_steps(*own_); }

    /// Runs `work` on all ranks. If only this rank fails, the others are blocked in a collective, so end all.
    template <class Work>
    std::invoke_result_t<Work> on_all_ranks(RankCommand command, const Work& work) {
        command.system = number_;
        announce(ranks_, command);
        try {
            return work();
        } catch (const std::exception& error) {
            if (!ranks_.all_arrive(kPatience)) ranks_.end_all(static_cast<int>(Blame::kEnvironment), error.what());
            throw;
        }
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

    void make(const RankCommand& command) {
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
        if (made->shared()) all_[command.system].system = std::move(made);
    }

    void execute(const RankCommand& command) {
        if (command.call == Call::kMake) return make(command);
        if (command.call == Call::kEnd) return void(all_.erase(command.system));
        One& one = all_.at(command.system);
        BodySystem& system = *one.system;
        switch (command.call) {
            case Call::kMove:
                return system.move(std::span{command.moves}.first(command.count));
            case Call::kForces:
                return one.begin(system.begin_forces(command.gravity, command.potential));
            case Call::kJerkForces:
                return one.begin(require_steps(system).begin_jerk_forces(command.gravity, command.due));
            case Call::kRunForces:
                return one.run(command);
            case Call::kDueForces:
                return one.begin(require_steps(system).begin_due_forces(command.gravity, command.potential));
            case Call::kBeginSteps:
                return require_steps(system).begin_steps(command.rule);
            case Call::kPredict:
                return void(require_steps(system).predict());
            case Call::kCorrect:
                return require_steps(system).correct();
            case Call::kAbandonSteps:
                return require_steps(system).abandon_steps();
            case Call::kRestore: {
                BodyState state{.precision = command.precision, .count = command.bodies, .bytes = {}};
                broadcast(ranks_, state.bytes, command.count);
                return system.restore(state);
            }
            case Call::kRestoreHistory:
                return system.restore_history(command.gravity, command.key);
            case Call::kForgetHistory:
                return system.forget_history();
            case Call::kScaleAcceptance:
                return system.scale_acceptance(command.factor);
            case Call::kMake:
            case Call::kEnd:
            case Call::kLeave:
                return;
        }
    }

private:
    struct One {
        std::unique_ptr<BodySystem> system;
        std::uint64_t items = 0, done = 0;  // of the current evaluation

        void begin(std::uint64_t count) { items = count, done = 0; }
        /// Runs the same fraction of its items as rank 0, whose number may differ; the last item only with rank 0's
        /// last.
        void run(const RankCommand& command) {
            std::uint64_t last = items;
            if (command.last < command.items) {
                const double share = static_cast<double>(command.last) / static_cast<double>(command.items);
                last = std::min(items - 1, static_cast<std::uint64_t>(share * static_cast<double>(items)));
            }
            if (last > done) system->run_forces(done, last);
            done = std::max(done, last);
        }
    };

    Ranks& ranks_;
    std::map<std::uint32_t, One> all_;
};

}  // namespace

RankLeader::RankLeader(Ranks& ranks) : ranks_{ranks} { ranks.leader = this; }
RankLeader::~RankLeader() {
    ranks_.leader = nullptr;
    try {
        RankCommand command{.call = Call::kLeave};
        announce(ranks_, command);
    } catch (const std::exception&) {  // the other ranks have ended
    }
}

void run_follower(Ranks& ranks) {
    FollowerSystems followers{ranks};
    for (;;) {
        RankCommand command;
        announce(ranks, command);
        if (command.call == Call::kLeave) return;
        try {
            followers.execute(command);
        } catch (const std::exception&) {
            if (!ranks.all_arrive(kPatience)) throw;  // otherwise rank 0 reports it
        }
    }
}

std::unique_ptr<BodySystem> make_distributed_body_system(const EngineConfig& config, const Bodies& bodies,
                                                         Urgency urgency, Ranks& ranks) {
    const std::uint32_t number = ranks.leader->next_number();
    RankCommand command{.call = Call::kMake,
                        .system = number,
                        .count = bodies.size(),
                        .urgency = urgency,
                        .charges = bodies.charge.size()};
    announce(ranks, command);
    broadcast(ranks, text_of(config), 0);
    broadcast(ranks, bodies.position_mass);
    broadcast(ranks, bodies.velocity);
    broadcast(ranks, bodies.charge);
    auto own = made_by_all(ranks, config, bodies, urgency);
    if (own->shared()) return std::make_unique<DistributedBodySystem>(std::move(own), number, ranks);
    own.reset();  // its engine still refers to the ranks
    return make_own_system(config, bodies, urgency, nullptr);
}

}  // namespace orrery
