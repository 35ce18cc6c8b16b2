// SPDX-License-Identifier: MIT
#include "core/simulation/snapshot_ring.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace orrery {
namespace {

/// Counts shared labels for each snapshot: an upper bound.
std::size_t bytes_of(const Snapshot& snapshot) {
    const std::size_t ids = snapshot.labels ? snapshot.labels->ids.size() : 0;
    return snapshot.bodies.bytes.size() + ids * sizeof(std::uint64_t);
}

}  // namespace

void SnapshotRing::set_budget(std::size_t bytes) {
    budget_ = bytes;
    thin_out();
    changed();
}

void SnapshotRing::add(Snapshot snapshot) {
    bytes_ += bytes_of(snapshot);
    snapshots_.push_back(std::move(snapshot));
    thin_out();
    changed();
}

void SnapshotRing::drop_after(std::uint64_t moment) {
    while (!snapshots_.empty() && snapshots_.back().moment > moment) {
        bytes_ -= bytes_of(snapshots_.back());
        snapshots_.pop_back();
    }
    changed();
}

void SnapshotRing::clear() {
    snapshots_.clear();
    bytes_ = 0;
    changed();
}

const Snapshot& SnapshotRing::nearest(std::uint64_t moment) const {
    return *std::ranges::min_element(
        snapshots_, {}, [&](const Snapshot& s) { return s.moment > moment ? s.moment - moment : moment - s.moment; });
}

const Snapshot& SnapshotRing::beside(std::uint64_t moment, int by) const {
    const auto last = static_cast<std::ptrdiff_t>(snapshots_.size()) - 1;
    const auto before = std::ranges::lower_bound(snapshots_, moment, {}, &Snapshot::moment) - snapshots_.begin();
    const auto beyond = std::ranges::upper_bound(snapshots_, moment, {}, &Snapshot::moment) - snapshots_.begin();
    const std::ptrdiff_t place = std::clamp<std::ptrdiff_t>((by < 0 ? before : beyond - 1) + by, 0, last);
    return snapshots_[static_cast<std::size_t>(place)];
}

/// Keeps the first and the last. Of the others it drops the one whose gap relative to its age would be smallest.
void SnapshotRing::thin_out() {
    while (snapshots_.size() > 2 && (bytes_ > budget_ || snapshots_.size() > kMost)) {
        const auto newest = static_cast<double>(snapshots_.back().moment);
        std::size_t least = 1;
        double least_gap = std::numeric_limits<double>::max();
        for (std::size_t i = 1; i + 1 < snapshots_.size(); ++i) {
            const auto gap = static_cast<double>(snapshots_[i + 1].moment - snapshots_[i - 1].moment);
            const double by_age = gap / (1 + newest - static_cast<double>(snapshots_[i].moment));
            if (by_age < least_gap) least_gap = by_age, least = i;
        }
        bytes_ -= bytes_of(snapshots_[least]);
        snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(least));
    }
}

void SnapshotRing::changed() {
    std::vector<Moment> list;
    list.reserve(snapshots_.size());
    for (const Snapshot& s : snapshots_) list.push_back({s.moment, s.steps, s.time});
    moments_ = std::make_shared<const std::vector<Moment>>(std::move(list));
}

}  // namespace orrery
