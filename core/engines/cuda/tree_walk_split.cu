// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree_walks.cuh"

namespace orrery::cuda {

std::span<const WalkVariant<float>> walks_split() {
    constexpr Softened kEither = Softened::kNo;
    constexpr Split kSplit = Split::kYes;
    using V = WalkVariant<float>;
    static constexpr std::array menu{V{1, 1, false, false, &walk_tree<float, 1, 1, kEither, false, kSplit>},
                                     V{2, 1, false, false, &walk_tree<float, 2, 1, kEither, false, kSplit>},
                                     V{4, 1, false, false, &walk_tree<float, 4, 1, kEither, false, kSplit>},
                                     V{1, 2, false, false, &walk_tree<float, 1, 2, kEither, false, kSplit>},
                                     V{2, 2, false, false, &walk_tree<float, 2, 2, kEither, false, kSplit>},
                                     V{4, 2, false, false, &walk_tree<float, 4, 2, kEither, false, kSplit>},
                                     V{1, 1, false, true, &walk_tree<float, 1, 1, kEither, true, kSplit>},
                                     V{2, 1, false, true, &walk_tree<float, 2, 1, kEither, true, kSplit>},
                                     V{4, 1, false, true, &walk_tree<float, 4, 1, kEither, true, kSplit>},
                                     V{1, 2, false, true, &walk_tree<float, 1, 2, kEither, true, kSplit>},
                                     V{2, 2, false, true, &walk_tree<float, 2, 2, kEither, true, kSplit>},
                                     V{4, 2, false, true, &walk_tree<float, 4, 2, kEither, true, kSplit>}};
    return menu;
}

}  // namespace orrery::cuda
