// SPDX-License-Identifier: MIT
// Linked in place of core/analysis/gl in builds without EGL.
#include "core/analysis/tuple_tiles.hpp"
#include "core/base/error.hpp"
#include "core/gl/info.hpp"

namespace orrery {

DeviceSums sum_triples_on_gl(const TiledCatalogue&, std::span<const std::uint8_t>, const TupleBins&,
                             std::span<const std::uint16_t>, std::size_t, const std::function<bool()>&) {
    environment_error(gl_compute_info().reason);
}

}  // namespace orrery
