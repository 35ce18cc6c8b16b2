// SPDX-License-Identifier: MIT
// Constants of the OpenGL engines that were fitted by measurements on an NVIDIA H200 (November 2026).
#pragma once

namespace orrery::gl {

/// Bodies of a leaf. Against 16, the walk of 1 048 576 bodies by monopoles takes 2.8 ms instead of 3.6:
///   orrery bench --engines tree --backend gl --order 1 --leaf 8 --group 64 --accuracy 1e-3 --bodies 1048576
inline constexpr int kTreeLeaf = 8;

}  // namespace orrery::gl
