// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/simulation/simulation.hpp"

namespace orrery {

/// The position of a snapshot in time.
struct Moment {
    std::uint64_t moment = 0;  ///< steps taken until then, in either direction
    std::int64_t step = 0;
    double time = 0;
    friend bool operator==(const Moment&, const Moment&) = default;
};

/// Snapshots in the order in which they were taken, within a memory budget. When it is exceeded, they are thinned out
/// so that gaps grow with age: fine in the recent past, coarse in the distant past, back to the first one.
class SnapshotRing {
public:
    static constexpr std::size_t kMost = 512;  ///< regardless of their size

    void set_budget(std::size_t bytes);  ///< thins out if the budget is exceeded
    std::size_t budget() const { return budget_; }
    /// True if three snapshots of this size fit; fewer are not a history.
    bool fits(std::size_t bytes) const { return 3 * bytes <= budget_; }

    void add(Snapshot snapshot);  ///< its moment must be later than that of the last
    void drop_after(std::uint64_t moment);
    void clear();

    bool empty() const { return snapshots_.empty(); }
    std::size_t bytes() const { return bytes_; }
    const Snapshot& nearest(std::uint64_t moment) const;  ///< the ring must not be empty
    /// The snapshot this many places before (negative) or after this moment, clamped to the ends.
    const Snapshot& beside(std::uint64_t moment, int by) const;
    /// All moments, oldest first; never null. A new list after each change.
    std::shared_ptr<const std::vector<Moment>> moments() const { return moments_; }

private:
    void thin_out();
    void changed();

    std::vector<Snapshot> snapshots_;
    std::size_t budget_ = 0, bytes_ = 0;
    std::shared_ptr<const std::vector<Moment>> moments_ = std::make_shared<const std::vector<Moment>>();
};

}  // namespace orrery
