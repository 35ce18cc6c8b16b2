// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/background_job.hpp"
#include "core/bodies/body_state.hpp"
#include "core/simulation/snapshot_ring.hpp"

namespace orrery {

/// The rewindable past, as displayed to the user.
struct Timeline {
    std::shared_ptr<const std::vector<Moment>> moments =
        std::make_shared<const std::vector<Moment>>();  ///< oldest first
    Moment now;                                         ///< may lie between two moments
    std::size_t bytes = 0;                              ///< memory use of the snapshots
    std::size_t budget = 0;
    std::string note;   ///< why rewinding is impossible or limited; otherwise empty
    bool held = false;  ///< set by Rewind::hold: nothing moves
};

/// Takes snapshots of a running simulation at intervals and restores them. Snapshots later than the restored state are
/// kept until a step is taken from it. Belongs to the simulation's thread.
class RewindMonitor {
public:
    static constexpr std::size_t kStandardBudget = std::size_t{256} << 20;
    using Copy = std::function<std::shared_ptr<const BodyCopy>(const BodySystem&)>;

    /// `copy` copies the bodies of a snapshot; tests pass one that fails.
    explicit RewindMonitor(Copy copy = [](const BodySystem& system) { return system.copy(); });

    void restart(const Simulation& simulation);  ///< call for other bodies
    /// Same, but takes the first snapshot before the next step: more edits may follow.
    void restart_later();
    void begins(const Simulation& simulation);  ///< call before a step begins or continues
    void set_budget(const Simulation& simulation, std::size_t bytes);
    void stepped(const Simulation& simulation, std::uint64_t steps);  ///< `steps`: steps since the last call

    /// Restores the snapshot nearest to the moment, or one this many before or after. Throws Error{kUsage} if there is
    /// none.
    void go_to(Simulation& simulation, std::uint64_t moment);
    void go_by(Simulation& simulation, int snapshots);

    void report_to(const Simulation& simulation, Timeline& timeline) const;

private:
    using Clock = std::chrono::steady_clock;
    /// A snapshot being copied from the device.
    struct Coming {
        Snapshot snapshot;  // without bodies
        std::shared_ptr<const BodyCopy> bodies;
    };
    struct Arrived {
        std::optional<BodyState> bodies;
        std::string failure;  // why there are no bodies
    };
    using Way = BackgroundJob<std::shared_ptr<const BodyCopy>, Arrived>;

    bool has_room(const Simulation& simulation);  ///< otherwise discards the past and notes the reason
    void take(const Simulation& simulation);
    void begin(const Simulation& simulation);
    void collect();  ///< collects arrived bodies
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
    bool due_ = false;  // the first snapshot is due
    Clock::time_point next_{}, asked_{};
};

}  // namespace orrery
