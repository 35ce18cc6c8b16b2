// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

namespace orrery {
namespace {

/// True if all corners of the cube lie beyond the same side of the frame.
bool unseen(const ViewRegion& region, Vec3d low, double side, double margin) {
    if (region.everywhere) return false;
    std::array<int, 5> beyond{};
    const auto& m = region.clip_from_world;
    for (int corner = 0; corner < 8; ++corner) {
        const double p[3] = {low.x + (corner & 1 ? side : 0), low.y + (corner & 2 ? side : 0),
                             low.z + (corner & 4 ? side : 0)};
        const auto row = [&](std::size_t k) { return m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]; };
        const double x = row(0), y = row(1), z = row(2), w = row(3);
        beyond[0] += x > margin * w, beyond[1] += -x > margin * w;
        beyond[2] += y > margin * w, beyond[3] += -y > margin * w;
        beyond[4] += z < -w;
    }
    return std::ranges::find(beyond, 8) != beyond.end();
}

/// Spacing in pixels between the drawn bodies of a cell at its nearest point; 0 if all its bodies are drawn.
double spacing_of(const ViewRegion& region, const CloudNode& node, const CloudCube& cube, std::uint32_t drawn) {
    if (drawn == node.bodies) return 0;
    const double side = node.side(cube);
    const Vec3d low = node.low(cube);
    const auto away = [&](double eye, double from) { return std::max({from - eye, eye - from - side, 0.0}); };
    const Vec3d to{away(region.eye.x, low.x), away(region.eye.y, low.y), away(region.eye.z, low.z)};
    const double distance = std::max(length(to), side / 8);  // the eye may be inside the cell
    return side / std::cbrt(static_cast<double>(drawn)) * region.pixels_per_length / distance;
}

struct Candidate {
    double spacing;
    std::uint32_t node;
    bool operator<(const Candidate& other) const {
        return spacing != other.spacing ? spacing < other.spacing : node > other.node;
    }
};

/// A cell that is replaced by those of its children that are in the frame.
struct Division {
    std::uint32_t node;
    double spacing;  // of the cell
    std::vector<std::uint32_t> seen{};
    std::int64_t more = 0;  // bodies of its children beyond the cell's own sample
};

/// Bodies drawn of a child whatever its share: those it contributes to the parent's sample, and at least one, to carry
/// the child's light.
std::uint32_t least_of(const CloudNode& child) {
    return std::max<std::uint32_t>(1, child.shown - std::min(child.own, child.shown));
}

/// Share of the children's additional bodies that is drawn: none if the cell is spaced as the frame should be, all if
/// twice as wide; in steps, so that the bodies drawn do not change with every frame of a flight.
double share(double spacing, double wanted) {
    constexpr double kSteps = 16;
    const double ratio = spacing / wanted;
    return std::floor(kSteps * std::clamp((ratio * ratio * ratio - 1) / 7, 0.0, 1.0)) / kSteps;
}

std::uint32_t part_of(const CloudNode& child, double share) {
    const std::uint32_t least = least_of(child);
    return least + static_cast<std::uint32_t>(share * (child.shown - least));
}

/// Plans the cut as if all cells had been read.
class Plan {
public:
    Plan(const std::vector<CloudNode>& nodes, const CloudCube& cube, const ViewRegion& region, double margin)
        : nodes_{nodes}, cube_{cube}, region_{region}, margin_{margin} {
        limit_ = std::max<std::uint64_t>(region.bodies, nodes[0].shown);
        if (!unseen(region, cube.low, cube.side, margin)) divide_all();
    }
    bool empty() const { return !seen_; }
    bool full() const { return full_; }
    const Division* division_of(std::uint32_t node) const {
        const auto found = places_.find(node);
        return found == places_.end() ? nullptr : &divisions_[found->second];
    }
    double wanted() const { return wanted_; }  ///< pixels between bodies; 0: draw all bodies of the cells

private:
    void divide_all() {
        seen_ = true;
        std::priority_queue<Candidate> open;
        open.push({spacing_of(region_, nodes_[0], cube_, nodes_[0].shown), 0});
        least_ = whole_ = nodes_[0].shown;
        while (!open.empty()) {
            const Candidate c = open.top();
            open.pop();
            if (nodes_[c.node].children == 0 || c.spacing <= region_.spacing) continue;
            if (about(c.spacing) > static_cast<double>(limit_) || !divide(c)) {
                full_ = true;
                wanted_ = even(c.spacing);
                return;
            }
            for (const std::uint32_t child : divisions_.back().seen)
                open.push({std::min(spacing_of(region_, nodes_[child], cube_, nodes_[child].shown), c.spacing), child});
        }
        if (static_cast<std::uint64_t>(whole_) > limit_) full_ = true, wanted_ = even(0);
    }

    bool divide(const Candidate& c) {
        Division made{c.node, c.spacing};
        std::int64_t least = 0, whole = 0;
        for (std::uint32_t k = 0; k < nodes_[c.node].children; ++k) {
            const std::uint32_t child = nodes_[c.node].first_child + k;
            const CloudNode& node = nodes_[child];
            if (unseen(region_, node.low(cube_), node.side(cube_), margin_)) continue;
            made.seen.push_back(child);
            least += least_of(node), whole += node.shown;
        }
        const std::int64_t own = nodes_[c.node].shown;
        if (static_cast<std::uint64_t>(whole_ - own + whole) > region_.whole) return false;
        made.more = whole - least;
        least_ += least - own, whole_ += whole - own;
        const auto more = static_cast<double>(made.more);
        open_ += more, open_cubes_ += more * c.spacing * c.spacing * c.spacing;
        places_[c.node] = divisions_.size();
        divisions_.push_back(std::move(made));
        return true;
    }

    /// Estimates the number of bodies drawn at this spacing everywhere, ignoring the steps of shares. Calls must use
    /// non-increasing spacings.
    double about(double spacing) {
        for (; done_ < divisions_.size() && divisions_[done_].spacing >= 2 * spacing; ++done_) {
            const double cell = divisions_[done_].spacing, more = static_cast<double>(divisions_[done_].more);
            complete_ += more, open_ -= more, open_cubes_ -= more * cell * cell * cell;
        }
        return static_cast<double>(least_) + complete_ + (open_cubes_ / (spacing * spacing * spacing) - open_) / 7;
    }

    /// True if the exact number of bodies drawn at this spacing is within the limit.
    bool fits(double spacing) const {
        std::uint64_t all = divisions_.empty() ? nodes_[0].shown : 0;
        for (const Division& division : divisions_) {
            const double part = share(division.spacing, spacing);
            for (const std::uint32_t child : division.seen)
                if (!places_.contains(child)) all += part_of(nodes_[child], part);
        }
        return all <= limit_;
    }

    /// The smallest spacing, at least `from`, that keeps the number of bodies within the limit.
    double even(double from) {
        if (from > 0 && fits(from)) return from;
        while (!divisions_.empty() && !fits(divisions_.front().spacing)) {
            places_.erase(divisions_.back().node);
            divisions_.pop_back();
        }
        if (divisions_.empty()) return from;
        double low = std::max(from, divisions_.back().spacing / 2), high = divisions_.front().spacing;
        for (int i = 0; i < 40; ++i) {
            const double middle = std::sqrt(low * high);
            (fits(middle) ? high : low) = middle;
        }
        return high;
    }

    const std::vector<CloudNode>& nodes_;
    const CloudCube& cube_;
    const ViewRegion& region_;
    double margin_;
    std::uint64_t limit_ = 0;
    std::int64_t least_ = 0, whole_ = 0;  // bodies drawn with a share of 0, and with a share of 1
    std::vector<Division> divisions_;     // by descending spacing
    std::unordered_map<std::uint32_t, std::size_t> places_;
    std::size_t done_ = 0;  // divisions with a share of 1, in about()
    double complete_ = 0, open_ = 0, open_cubes_ = 0;
    double wanted_ = 0;
    bool seen_ = false, full_ = false;
};

}  // namespace

CloudCut cloud_cut(const std::vector<CloudNode>& nodes, const CloudCube& cube, const ViewRegion& region,
                   const std::function<bool(std::uint32_t)>& at_hand, double margin) {
    const Plan plan{nodes, cube, region, margin};
    CloudCut cut;
    cut.full = plan.full();
    if (plan.empty()) return cut;
    struct Open {
        std::uint32_t node, count;
        double most_spacing;  // spacing of the parent, whose drawn bodies are among those drawn here
    };
    std::vector<Open> open{{0, nodes[0].shown, std::numeric_limits<double>::infinity()}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> shown;
    std::vector<Candidate> wanted;
    while (!open.empty()) {
        const auto [at, count, most_spacing] = open.back();
        open.pop_back();
        cut.visited.push_back(at);
        const CloudNode& node = nodes[at];
        const Division* const division = plan.division_of(at);
        if (division && std::ranges::all_of(division->seen, at_hand)) {
            const double part = plan.wanted() > 0 ? share(division->spacing, plan.wanted()) : 1;
            for (const std::uint32_t child : division->seen)
                open.push_back({child, part_of(nodes[child], part), division->spacing});
            continue;
        }
        if (division)
            for (const std::uint32_t child : division->seen)
                if (!at_hand(child)) wanted.push_back({division->spacing, child});
        shown.emplace_back(at, count);
        cut.bodies += count, cut.stands_for += node.bodies;
        cut.most = std::max(cut.most, static_cast<double>(node.bodies) / count);
        cut.spacing = std::max(cut.spacing, std::min(most_spacing, spacing_of(region, node, cube, count)));
    }
    std::ranges::sort(wanted, [](const Candidate& a, const Candidate& b) { return b < a; });
    for (const Candidate& c : wanted) cut.wanted.push_back(c.node);
    std::ranges::sort(shown);
    for (const auto& [node, count] : shown) cut.shown.push_back(node), cut.counts.push_back(count);
    return cut;
}

}  // namespace orrery
