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
    std::uint64_t moment = 0;  ///< steps taken until then, either way
    std::int64_t step = 0;
    double time = 0;
    friend bool operator==(const Moment&, const Moment&) = default;
};

/// Snapshots in the order in which they were taken, within a memory budget. Beyond it they are thinned out so that the
/// gaps between the remaining ones grow with age: fine in the recent past, coarse in the distant past, back to the
/// first one.
class SnapshotRing {
public:
    static constexpr std::size_t kMost = 512;  ///< however small they are

    void set_budget(std::size_t bytes);  ///< thins out beyond the budget
    std::size_t budget() const { return budget_; }
    /// Whether three of this size fit: fewer are not a history.
    bool fits(std::size_t bytes) const { return 3 * bytes <= budget_; }

    void add(Snapshot snapshot);  ///< its moment must be later than that of the last
    void drop_after(std::uint64_t moment);
    void clear();

    bool empty() const { return snapshots_.empty(); }
    std::size_t bytes() const { return bytes_; }
    const Snapshot& nearest(std::uint64_t moment) const;  ///< not of an empty ring
    /// This many snapshots before (negative) or after this moment, as far as they exist.
    const Snapshot& beside(std::uint64_t moment, int by) const;
    /// All of them, oldest first; never null. A new list with each change.
    std::shared_ptr<const std::vector<Moment>> moments() const { return moments_; }

private:
    void thin_out();
    void changed();

    std::vector<Snapshot> snapshots_;
    std::size_t budget_ = 0, bytes_ = 0;
    std::shared_ptr<const std::vector<Moment>> moments_ = std::make_shared<const std::vector<Moment>>();
};

}  // namespace orrery
