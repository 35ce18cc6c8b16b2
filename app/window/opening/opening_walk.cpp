// SPDX-License-Identifier: MIT
#include "app/window/opening/opening_walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace orrery {
namespace {

constexpr int kMostWalkedLevel = 20;  // three coordinates fit 64 bits

Vec3f centre_of(const TreeCell& cell) { return 0.5f * (cell.low + cell.high); }

/// Finds the children of a cell by their places in the grid of their level.
class CellPlaces {
public:
    explicit CellPlaces(std::span<const TreeCell> cells) : root_{cells.front()} {
        for (std::uint32_t i = 0; i < cells.size(); ++i)
            if (cells[i].level <= kMostWalkedLevel)
                places_[static_cast<std::size_t>(cells[i].level)].emplace(key(cells[i].level, centre_of(cells[i])), i);
    }

    std::vector<std::uint32_t> children(const TreeCell& parent) const {
        std::vector<std::uint32_t> found;
        if (parent.level >= kMostWalkedLevel) return found;
        const auto& level = places_[static_cast<std::size_t>(parent.level + 1)];
        const Vec3f centre = centre_of(parent);
        const float quarter = 0.25f * (parent.high.x - parent.low.x);
        for (int octant = 0; octant < 8; ++octant) {
            const auto to = [&](int bit) { return (octant >> bit & 1) != 0 ? quarter : -quarter; };
            const auto at = level.find(key(parent.level + 1, {centre.x + to(0), centre.y + to(1), centre.z + to(2)}));
            if (at != level.end()) found.push_back(at->second);
        }
        return found;
    }

private:
    std::uint64_t key(int level, Vec3f at) const {
        const double cells = std::ldexp(1.0, level), side = static_cast<double>(root_.high.x - root_.low.x);
        const auto place = [&](float x, float low) {
            const double of = std::floor(cells * static_cast<double>(x - low) / side);
            return static_cast<std::uint64_t>(std::clamp(of, 0.0, cells - 1));
        };
        return (place(at.x, root_.low.x) << 40) | (place(at.y, root_.low.y) << 20) | place(at.z, root_.low.z);
    }

    const TreeCell& root_;
    std::array<std::unordered_map<std::uint64_t, std::uint32_t>, kMostWalkedLevel + 1> places_;  // by level
};

}  // namespace

std::vector<WalkedCell> opening_walk(std::span<const TreeCell> cells, Vec3f point, double theta) {
    std::vector<WalkedCell> walked;
    if (cells.empty()) return walked;
    const CellPlaces places{cells};
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
        const std::uint32_t index = open.back();
        open.pop_back();
        const TreeCell& cell = cells[index];
        const Vec3f apart = centre_of(cell) - point;
        const double side = static_cast<double>(cell.high.x - cell.low.x);
        const double distance = std::sqrt(static_cast<double>(dot(apart, apart)));
        if (side < theta * distance) {
            walked.push_back({index, true});
            continue;
        }
        const std::vector<std::uint32_t> children = cell.leaf ? std::vector<std::uint32_t>{} : places.children(cell);
        if (children.empty())
            walked.push_back({index, false});
        else
            open.insert(open.end(), children.begin(), children.end());
    }
    return walked;
}

}  // namespace orrery
