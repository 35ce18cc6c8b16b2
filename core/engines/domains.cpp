// SPDX-License-Identifier: MIT
// Domain decomposition: cuts the Hilbert curve at cell boundaries so that estimated costs are balanced, and lists the
// border cells, the top of the octree that the domains share.
#include "core/engines/domains.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace orrery {
namespace {

/// Enough samples to estimate the number of bodies within a factor of two.
constexpr std::uint64_t kLeastSamples = 32;

/// Prefix sums over sorted samples: cost of all samples before the i-th, and number of samples in a cell.
class SampledCosts {
public:
    SampledCosts(std::span<const std::uint64_t> samples, const DomainCosts* before) : samples_{samples}, sums_(1) {
        sums_.reserve(samples.size() + 1);
        for (const std::uint64_t key : samples) {
            const double cost = before ? before->of_body[static_cast<std::size_t>(before->domains.of(key))] : 1;
            sums_.push_back(sums_.back() + cost);
        }
    }
    double all() const { return sums_.back(); }
    double before(std::uint64_t key) const { return sums_[place(key)]; }
    /// The sample at which the accumulated cost reaches this value.
    std::uint64_t key_at(double cost) const {
        const auto at = std::ranges::lower_bound(sums_, cost) - sums_.begin();
        return samples_[std::min<std::size_t>(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at - 1, 0)),
                                              samples_.size() - 1)];
    }
    std::uint64_t in_cell(std::uint64_t first, int level) const {
        return place(first + keys_in_cell(level)) - place(first);
    }

private:
    std::size_t place(std::uint64_t key) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(samples_, key) - samples_.begin());
    }
    std::span<const std::uint64_t> samples_;
    std::vector<double> sums_;
};

}  // namespace

int Domains::of(std::uint64_t key) const {
    return static_cast<int>(std::ranges::upper_bound(ends, key) - ends.begin());
}

int level_of_border(std::uint64_t key) {
    const int zeros = std::min(std::countr_zero(key), 3 * kKeyLevels);
    return kKeyLevels - zeros / 3;
}

std::vector<BorderCell> border_cells(const Domains& domains) {
    std::map<std::pair<int, std::uint64_t>, std::int32_t> numbers;  // by level, then along the curve
    for (int d = 0; d + 1 < domains.count(); ++d)
        for (int level = 0; level < level_of_border(domains.end(d)); ++level)
            numbers[{level, first_key(domains.end(d), level)}] = 0;
    std::int32_t next = 0;
    for (auto& [cell, number] : numbers) number = next++;
    std::vector<BorderCell> cells;
    for (const auto& [cell, number] : numbers) {
        BorderCell one{.level = cell.first, .first = cell.second, .child = {}};
        for (int octant = 0; octant < BorderCell::kOctants; ++octant) {
            const std::uint64_t first = one.first + static_cast<std::uint64_t>(octant) * keys_in_cell(one.level + 1);
            const auto border = numbers.find({one.level + 1, first});
            one.child[octant] = border != numbers.end() ? border->second : -1 - domains.of(first);
        }
        cells.push_back(one);
    }
    return cells;
}

std::optional<Domains> cut_curve(std::span<const std::uint64_t> samples, std::uint64_t bodies, int domains,
                                 std::uint64_t least, int deepest, const DomainCosts* before) {
    if (samples.empty()) return std::nullopt;
    const SampledCosts costs{samples, before};
    const std::uint64_t wanted = std::max(kLeastSamples, 2 * least * samples.size() / bodies + 1);
    Domains found;
    for (int d = 1; d < domains; ++d) {
        const double target = costs.all() * d / domains;
        const std::uint64_t near = costs.key_at(target), last = found.ends.empty() ? 0 : found.ends.back();
        std::uint64_t best = 0;
        double nearest = std::numeric_limits<double>::max();
        for (int level = 1; level <= deepest; ++level)
            for (const std::uint64_t border : {first_key(near, level), first_key(near, level) + keys_in_cell(level)}) {
                if (border <= last || border >= kKeyEnd || costs.in_cell(border, level) < wanted) continue;
                const double off = std::abs(costs.before(border) - target);
                if (off < nearest) nearest = off, best = border;
            }
        if (best == 0) return std::nullopt;
        found.ends.push_back(best);
    }
    found.ends.push_back(kKeyEnd);
    return found;
}

}  // namespace orrery
