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

/// The rewindable past, as shown to the user.
struct Timeline {
    std::shared_ptr<const std::vector<Moment>> moments =
        std::make_shared<const std::vector<Moment>>();  ///< oldest first
    Moment now;                                         ///< may lie between two of them
    std::size_t bytes = 0;                              ///< that the snapshots take
    std::size_t budget = 0;
    std::string note;   ///< why rewinding is impossible or limited, if so
    bool held = false;  ///< under Rewind::hold: nothing moves
};

/// The past of a running simulation: takes snapshots at intervals and restores them. Snapshots later than the restored
/// state are kept until a step is taken from it. Belongs to the simulation's thread.
class RewindWatch {
public:
    static constexpr std::size_t kStandardBudget = std::size_t{256} << 20;
    using Copy = std::function<std::shared_ptr<const BodyCopy>(const BodySystem&)>;

    /// `copy` copies the bodies of a snapshot; a test passes one that fails.
    explicit RewindWatch(Copy copy = [](const BodySystem& system) { return system.copy(); });

    void restart(const Simulation& simulation);  ///< other bodies
    /// The same, but that their first snapshot is taken before the first step from here: further edits may follow.
    void restart_later();
    void begins(const Simulation& simulation);  ///< a step; or goes on with one
    void set_budget(const Simulation& simulation, std::size_t bytes);
    void stepped(const Simulation& simulation, std::uint64_t steps);  ///< number of steps taken since the last call

    /// To the snapshot nearest to the moment, or to one this many before or after. Throws Error{kUsage} if there is
    /// none.
    void go_to(Simulation& simulation, std::uint64_t moment);
    void go_by(Simulation& simulation, int snapshots);

    void tell(const Simulation& simulation, Timeline& timeline) const;

private:
    using Clock = std::chrono::steady_clock;
    /// Being copied from the device.
    struct Coming {
        Snapshot snapshot;  // all but the bodies
        std::shared_ptr<const BodyCopy> bodies;
    };
    struct Arrived {
        std::optional<BodyState> bodies;
        std::string failure;  // why there are none
    };
    using Way = BackgroundJob<std::shared_ptr<const BodyCopy>, Arrived>;

    bool has_room(const Simulation& simulation);  ///< otherwise discards the past and notes why
    void take(const Simulation& simulation);
    void begin(const Simulation& simulation);
    void collect();  ///< what has arrived
    void wait();     ///< for pending copies
    void forget_coming();
    void plan_next();
    void keep_present(const Simulation& simulation);  ///< so that the user can return to it
    void require_past() const;

    void note_failure(const std::string& why);

    Copy copy_;
    SnapshotRing ring_;
    std::optional<Coming> coming_;
    Way way_;
    std::string note_;
    bool went_back_ = false;
    bool due_ = false;  // the first snapshot
    Clock::time_point next_{}, asked_{};
};

}  // namespace orrery
