// SPDX-License-Identifier: MIT
#include "core/bodies/led_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/led_orders.hpp"
#include "core/bodies/make_system.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {
namespace {

using Call = LedOrder::Call;

constexpr double kPatience = 3;  // seconds until a rank is alone with its failure

/// On all ranks, or Error on all of them: of the first that could not.
std::unique_ptr<BodySystem> made_by_all(Ranks& ranks, const EngineConfig& config, const Bodies& bodies,
                                        Urgency urgency) {
    std::unique_ptr<BodySystem> own;
    std::string trouble;
    int blame = 0;
    try {
        if (config.backend == Backend::kCuda) device_ranks(ranks);  // collective: nothing of what follows is
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

class LedSystem final : public BodySystem, private StepPower, private QueuePower {
public:
    LedSystem(std::unique_ptr<BodySystem> own, std::uint32_t number, Ranks& ranks)
        : own_{std::move(own)}, number_{number}, ranks_{ranks} {}
    ~LedSystem() override {
        try {
            LedOrder order{.call = Call::kEnd, .system = number_};
            announce(ranks_, order);
        } catch (const std::exception&) {  // the others are gone, which the next call will tell
        }
    }

    void move(std::span<const Move> moves) override {
        while (!moves.empty()) {
            const auto some = moves.first(std::min(moves.size(), LedOrder::kMostMoves));
            moves = moves.subspan(some.size());
            LedOrder order{.call = Call::kMove, .count = some.size()};
            std::ranges::copy(some, order.moves.begin());
            together(order, [&] { own_->move(some); });
        }
    }

    std::uint64_t begin_forces(const Gravity& gravity, Potential potential) override {
        return items_ = together({.call = Call::kForces, .gravity = gravity, .potential = potential},
                                 [&] { return own_->begin_forces(gravity, potential); });
    }
    std::uint64_t begin_jerk_forces(const Gravity& gravity, bool due) override {
        return items_ = together({.call = Call::kJerkForces, .gravity = gravity, .due = due},
                                 [&] { return steps_of_own().begin_jerk_forces(gravity, due); });
    }
    void run_forces(std::uint64_t first, std::uint64_t last) override {
        together({.call = Call::kRunForces, .last = last, .items = items_}, [&] { own_->run_forces(first, last); });
    }
    std::uint64_t begin_due_forces(const Gravity& gravity, Potential potential) override {
        return items_ = together({.call = Call::kDueForces, .gravity = gravity, .potential = potential},
                                 [&] { return steps_of_own().begin_due_forces(gravity, potential); });
    }
    void begin_steps(const StepRule& rule) override {
        together({.call = Call::kBeginSteps, .rule = rule}, [&] { steps_of_own().begin_steps(rule); });
    }
    DueBodies predict() override {
        return together({.call = Call::kPredict}, [&] { return steps_of_own().predict(); });
    }
    void correct() override {
        together({.call = Call::kCorrect}, [&] { steps_of_own().correct(); });
    }
    void abandon_steps() override {
        together({.call = Call::kAbandonSteps}, [&] { steps_of_own().abandon_steps(); });
    }
    std::vector<std::size_t> ladder() const override { return with_steps(*own_).ladder(); }
    void restore(const BodyState& state) override {
        together(
            {.call = Call::kRestore, .count = state.bytes.size(), .precision = state.precision, .bodies = state.count},
            [&] {
                broadcast(ranks_, state.bytes);
                own_->restore(state);
            });
    }
    void restore_history(const Gravity& gravity, std::uint64_t key) override {
        together({.call = Call::kRestoreHistory, .gravity = gravity, .key = key},
                 [&] { own_->restore_history(gravity, key); });
    }

    void scale_acceptance(double factor) override {
        together({.call = Call::kScaleAcceptance, .factor = factor}, [&] { own_->scale_acceptance(factor); });
    }

    // What this rank can do by itself.
    std::size_t count() const override { return own_->count(); }
    void wait() override { own_->wait(); }
    Stopwatch& clock() override { return own_->clock(); }
    StepPower* steps() override { return own_->steps() ? this : nullptr; }
    QueuePower* step_queue() override { return own_->step_queue() ? this : nullptr; }
    void begin_checks() override { own_->step_queue()->begin_checks(); }
    std::optional<LostBody> first_lost() override { return own_->step_queue()->first_lost(); }
    std::uint64_t repeat(const MoveCycle&, const Gravity&, Potential, std::uint64_t) override {
        return 0;  // engines that share are not replayed
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
    Vec3d mass_centre() const override { return own_->mass_centre(); }
    double net_force() const override { return own_->net_force(); }
    std::optional<std::size_t> first_not_finite() const override { return own_->first_not_finite(); }
    Law law() const override { return own_->law(); }
    bool shared() const override { return true; }
    std::string engine_choice() const override { return own_->engine_choice(); }
    EngineReport engine_report() const override { return own_->engine_report(); }
    std::vector<TreeCell> engine_cells(std::size_t most) const override { return own_->engine_cells(most); }

private:
    StepPower& steps_of_own() { return with_steps(*own_); }

    /// All ranks do it. Where this one alone fails, the others wait for it somewhere.
    template <class Work>
    std::invoke_result_t<Work> together(LedOrder order, const Work& work) {
        order.system = number_;
        announce(ranks_, order);
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
    std::uint64_t items_ = 0;  // of the evaluation under way
};

/// The systems of a rank that follows.
class Followers {
public:
    explicit Followers(Ranks& ranks) : ranks_{ranks} {}

    void make(const LedOrder& order) {
        const EngineConfig config = engine_of(broadcast(ranks_, {}, 0));
        Bodies bodies;
        broadcast(ranks_, bodies.position_mass, order.count);
        broadcast(ranks_, bodies.velocity, order.count);
        broadcast(ranks_, bodies.charge, order.charges);
        std::unique_ptr<BodySystem> made;
        try {
            made = made_by_all(ranks_, config, bodies, order.urgency);
        } catch (const Error&) {  // which rank 0 tells
            return;
        }
        if (made->shared()) all_[order.system].system = std::move(made);
    }

    void obey(const LedOrder& order) {
        if (order.call == Call::kMake) return make(order);
        if (order.call == Call::kEnd) return void(all_.erase(order.system));
        One& one = all_.at(order.system);
        BodySystem& system = *one.system;
        switch (order.call) {
            case Call::kMove:
                return system.move(std::span{order.moves}.first(order.count));
            case Call::kForces:
                return one.begin(system.begin_forces(order.gravity, order.potential));
            case Call::kJerkForces:
                return one.begin(with_steps(system).begin_jerk_forces(order.gravity, order.due));
            case Call::kRunForces:
                return one.run(order);
            case Call::kDueForces:
                return one.begin(with_steps(system).begin_due_forces(order.gravity, order.potential));
            case Call::kBeginSteps:
                return with_steps(system).begin_steps(order.rule);
            case Call::kPredict:
                return void(with_steps(system).predict());
            case Call::kCorrect:
                return with_steps(system).correct();
            case Call::kAbandonSteps:
                return with_steps(system).abandon_steps();
            case Call::kRestore: {
                BodyState state{.precision = order.precision, .count = order.bodies, .bytes = {}};
                broadcast(ranks_, state.bytes, order.count);
                return system.restore(state);
            }
            case Call::kRestoreHistory:
                return system.restore_history(order.gravity, order.key);
            case Call::kScaleAcceptance:
                return system.scale_acceptance(order.factor);
            case Call::kMake:
            case Call::kEnd:
            case Call::kLeave:
                return;
        }
    }

private:
    struct One {
        std::unique_ptr<BodySystem> system;
        std::uint64_t items = 0, done = 0;  // of the evaluation under way

        void begin(std::uint64_t count) { items = count, done = 0; }
        /// The same share of its items as rank 0, which has others; the last one only with rank 0's last.
        void run(const LedOrder& order) {
            std::uint64_t last = items;
            if (order.last < order.items) {
                const double share = static_cast<double>(order.last) / static_cast<double>(order.items);
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

Lead::Lead(Ranks& ranks) : ranks_{ranks} { ranks.lead = this; }
Lead::~Lead() {
    ranks_.lead = nullptr;
    try {
        LedOrder order{.call = Call::kLeave};
        announce(ranks_, order);
    } catch (const std::exception&) {  // they are gone
    }
}

void follow(Ranks& ranks) {
    Followers followers{ranks};
    for (;;) {
        LedOrder order;
        announce(ranks, order);
        if (order.call == Call::kLeave) return;
        try {
            followers.obey(order);
        } catch (const std::exception&) {
            if (!ranks.all_arrive(kPatience)) throw;  // else rank 0 tells it
        }
    }
}

std::unique_ptr<BodySystem> make_led_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency,
                                            Ranks& ranks) {
    const std::uint32_t number = ranks.lead->next_number();
    LedOrder order{.call = Call::kMake,
                   .system = number,
                   .count = bodies.size(),
                   .urgency = urgency,
                   .charges = bodies.charge.size()};
    announce(ranks, order);
    broadcast(ranks, text_of(config), 0);
    broadcast(ranks, bodies.position_mass);
    broadcast(ranks, bodies.velocity);
    broadcast(ranks, bodies.charge);
    auto own = made_by_all(ranks, config, bodies, urgency);
    if (own->shared()) return std::make_unique<LedSystem>(std::move(own), number, ranks);
    own.reset();  // whose engine still knows of ranks
    return make_own_system(config, bodies, urgency, nullptr);
}

}  // namespace orrery
