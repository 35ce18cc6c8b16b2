// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/background_job.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/simulation/snapshot_ring.hpp"

namespace orrery {

/// What a person sees of the past that can be gone back to.
struct Timeline {
    std::shared_ptr<const std::vector<Moment>> moments =
        std::make_shared<const std::vector<Moment>>();  ///< oldest first
    Moment now;                                         ///< may lie between two of them
    std::size_t bytes = 0;                              ///< that the snapshots take
    std::size_t budget = 0;
    std::string note;   ///< why there is no going back, when there is none, or not to all that was meant to be kept
    bool held = false;  ///< under Rewind::hold: nothing moves
};

/// The past of a running simulation: takes snapshots now and then, and goes back to them. What lies after the state
/// that one has gone back to is kept until a step is taken from there. Belongs to the simulation's thread.
class RewindWatch {
public:
    static constexpr std::size_t kStandardBudget = std::size_t{256} << 20;
    using Copy = std::function<std::shared_ptr<const BodyCopy>(const BodySystem&)>;

    /// `copy` keeps the bodies of a snapshot; a test has one that fails.
    explicit RewindWatch(Copy copy = [](const BodySystem& system) { return system.copy(); });

    void restart(const Simulation& simulation);  ///< other bodies
    void set_budget(const Simulation& simulation, std::size_t bytes);
    void stepped(const Simulation& simulation, std::uint64_t steps);  ///< so many have been taken since the last call

    /// To the snapshot nearest to the moment, or to one so many before or after. Throws Error{kUsage} where there is
    /// none.
    void go_to(Simulation& simulation, std::uint64_t moment);
    void go_by(Simulation& simulation, int snapshots);

    void tell(const Simulation& simulation, Timeline& timeline) const;

private:
    using Clock = std::chrono::steady_clock;
    /// On its way from the device.
    struct Coming {
        Snapshot snapshot;  // all but the bodies
        std::shared_ptr<const BodyCopy> bodies;
    };
    struct Arrived {
        std::optional<BodyState> bodies;
        std::string failure;  // why there are none
    };
    using Way = BackgroundJob<std::shared_ptr<const BodyCopy>, Arrived>;

    bool has_room(const Simulation& simulation);  ///< else forgets the past and notes why
    void take(const Simulation& simulation);
    void begin(const Simulation& simulation);
    void collect();  ///< what has come
    void wait();     ///< for what is on its way
    void forget_coming();
    void plan_next();
    void keep_present(const Simulation& simulation);  ///< so that one can come back to where one was
    void require_past() const;

    void note_failure(const std::string& why);

    Copy copy_;
    SnapshotRing ring_;
    std::optional<Coming> coming_;
    Way way_;
    std::string note_;
    bool went_back_ = false;
    Clock::time_point next_{}, asked_{};
};

}  // namespace orrery
