// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace orrery::gl {

/// The uniform block of core/gl/shaders/arguments.glsl.
template <class Real>
struct PairArguments {
    std::uint32_t count = 0, first_item = 0, last_item = 0, splits = 0;
    std::uint32_t tile_rows = 0, grid_x = 0, map = 0, root = 0;
    std::uint32_t window = 0, first_window = 0, last_window = 0, law = 0;
    std::uint32_t equal_masses = 0, balanced_side = 0, unused[2]{};
    Real softening2{}, h{}, per_h{}, sigma2{};
    Real cut_off2{}, cut_energy{}, constant{}, unused_real{};
};

}  // namespace orrery::gl
