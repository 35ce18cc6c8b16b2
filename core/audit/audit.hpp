// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

// Checks a series of snapshots of any program: conserved quantities of each snapshot, and whether the motion between
// two snapshots agrees with their velocities and with the forces between their bodies.

struct AuditPlan {
    EngineConfig engine;              ///< evaluates the forces
    std::optional<double> softening;  ///< replaces that of the first snapshot
    std::optional<double> constant;   ///< replaces G of the first snapshot
    std::size_t steps = 0;  ///< leapfrog steps from each snapshot to the next, which are then compared; 0: none
};

/// Time, energy and momenta of one snapshot, in the units of the series.
struct SnapshotAudit {
    std::filesystem::path path;
    double time = 0, kinetic = 0, potential = 0;
    Vec3d momentum{}, angular_momentum{};
    double momentum_scale = 0;  ///< Σ m|v|
    double energy() const { return kinetic + potential; }
    /// Change of the energy since `first`, over |E| of the first, or over K + |W| where these nearly cancel.
    double energy_change(const SnapshotAudit& first) const;
};

/// A body that moves farther between two snapshots than its velocities say, and than others do.
struct AuditJump {
    std::size_t body = 0;  ///< in the order of the first snapshot
    std::uint64_t id = 0;  ///< its id; its index if there are no ids
    double distance = 0;   ///< |x₁ − x₀ − h (v₀ + v₁)/2 − h² (a₀ − a₁)/12|
    double expected = 0;   ///< 99th percentile of that distance over all bodies
};

/// Between two consecutive snapshots h apart.
struct IntervalAudit {
    double from = 0, to = 0;
    /// √(Σ d²) / √(Σ l²): d as AuditJump::distance, l the largest of |x₁ − x₀|, h|v₀| and h|v₁|. Above kResolved orbits
    /// are shorter than h, or velocities are not lengths per time.
    double position_error = 0;
    /// √(Σ|v₁ − v₀ − h (a₀ + a₁)/2|²) / √(Σ|h a|²), a the larger of both: above kResolved the forces of the series are
    /// not those that were recomputed, or h is too long.
    double velocity_error = 0;
    std::vector<AuditJump> jumps;  ///< the farthest first, at most kMostJumps
    std::size_t jumped = 0;        ///< number of all that jump
    /// With AuditPlan::steps: root mean square distance of the recomputed bodies from those of the later snapshot, and
    /// that distance over the root mean square distance travelled.
    std::optional<double> recomputed, recomputed_share;

    static constexpr double kResolved = 0.1, kJumpFactor = 8;
    static constexpr std::size_t kMostJumps = 16;
};

struct Audit {
    std::string source, engine, law;  ///< law: with its softening, for display
    std::size_t bodies = 0;
    std::vector<SnapshotAudit> snapshots;
    std::vector<IntervalAudit> intervals;
    std::vector<std::string> notes;     ///< of the readers
    std::vector<std::string> findings;  ///< what is wrong, one line each; empty: nothing
};

/// Reads all snapshots of the sources (files, folders, patterns) one after another. Throws Error{kUsage} if there are
/// fewer than two, and as Series and the engine do.
Audit audit_series(const std::vector<std::string>& sources, const AuditPlan& plan);

/// A page with figures, findings and tables, without references to other files.
std::string audit_html(const Audit& audit);

}  // namespace orrery
