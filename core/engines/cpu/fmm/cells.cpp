// SPDX-License-Identifier: MIT
#include "core/engines/cpu/fmm/cells.hpp"

#include "core/physics/expansion_terms.hpp"

namespace orrery {

template <class Real>
void FmmCells<Real>::build(const Tree<Real>& tree, int order) {
    const std::uint64_t count = 1 + tree.cells() - tree.leaves();
    constexpr const char* kWhat = "engine fmm";
    Family<Real>* const families = families_.reserve(count, kWhat);
    moments_.reserve(count * kFamily * static_cast<std::size_t>(moments_of(order)), kWhat);
    locals_.reserve(count * kFamily * static_cast<std::size_t>(terms_up_to(order)), kWhat);
    cell_.resize(tree.cells());
    cell_[0] = 0;
    level_start_.assign({0, 1});
    families[0] = {};
    std::uint32_t next = 1;
    for (int level = 0; level < tree.levels(); ++level) {
        const auto starts = tree.level_start();
        for (std::size_t i = starts[static_cast<std::size_t>(level)]; i < starts[static_cast<std::size_t>(level) + 1];
             ++i) {
            Family<Real>& family = families[cell_[i] / kFamily];
            const std::uint32_t lane = cell_[i] % kFamily;
            const CellLink link = tree.link(i);
            family.range[lane] = tree.range(i);
            family.lanes |= 1u << lane;
            family.child[lane] = link.leaf() ? 0 : next;
            if (link.leaf()) continue;
            families[next] = {};
            for (std::uint32_t k = 0; k < link.count; ++k) cell_[link.first + k] = next * kFamily + k;
            ++next;
        }
        if (next > level_start_.back()) level_start_.push_back(next);
    }
}

template <class Real>
FmmBlocks FmmCells<Real>::blocks(std::size_t most) const {
    const std::size_t cells = std::size_t{families()} * kFamily;
    FmmBlocks found{.is_block = std::vector<bool>(cells), .number = std::vector<std::uint32_t>(cells), .ends = {}};
    std::vector<FmmCell> waiting{0};
    while (!waiting.empty()) {
        const FmmCell cell = waiting.back();
        waiting.pop_back();
        const std::uint32_t below = child(cell);
        if (below == 0 || range(cell).count <= most) {
            found.is_block[cell] = true, found.number[cell] = static_cast<std::uint32_t>(found.count());
            found.ends.push_back(range(cell).first + range(cell).count);
            continue;
        }
        for (std::uint32_t k = kFamily; k-- > 0;)
            if (range(below * kFamily + k).count > 0) waiting.push_back(below * kFamily + k);
    }
    return found;
}

template class FmmCells<float>;
template class FmmCells<double>;

}  // namespace orrery
