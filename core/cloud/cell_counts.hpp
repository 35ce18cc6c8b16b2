// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cloud/cloud_format.hpp"

namespace orrery {

/// Numbers of bodies in the cells of several levels below a cell, the finest level last.
class CellCounts {
public:
    /// `cell`: the cell's key in the form of CloudNode::key, at this level.
    CellCounts(int level, std::uint64_t cell, int levels)
        : cell_{cell}, shift_{3 * (kDeepestCloudNode - level - levels)} {
        for (int k = 0; k <= levels; ++k) at_.emplace_back(std::size_t{1} << 3 * k);
    }
    int levels() const { return static_cast<int>(at_.size()) - 1; }
    std::size_t finest(std::uint64_t key) const {
        return static_cast<std::size_t>((key >> shift_) & (at_.back().size() - 1));
    }
    void add(std::uint64_t key) { ++at_.back()[finest(key)]; }
    void sum() {
        for (std::size_t k = at_.size() - 1; k > 0; --k)
            for (std::size_t i = 0; i < at_[k].size(); ++i) at_[k - 1][i / 8] += at_[k][i];
    }
    std::uint64_t operator()(int depth, std::size_t cell) const { return at_[static_cast<std::size_t>(depth)][cell]; }
    /// In the form of CloudNode::key.
    std::uint64_t key(int depth, std::size_t cell) const { return cell_ << 3 * depth | cell; }

private:
    std::uint64_t cell_;
    int shift_;
    std::vector<std::vector<std::uint64_t>> at_;
};

}  // namespace orrery
