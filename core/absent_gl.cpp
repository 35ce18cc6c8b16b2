// SPDX-License-Identifier: MIT
// Linked in builds without EGL, in place of the folders named gl.
#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/gl/info.hpp"
#include "core/lab/gl/kernels.hpp"

namespace orrery {

DeviceSums sum_triples_on_gl(const TiledCatalogue&, std::span<const std::uint8_t>, const TupleBins&,
                             std::span<const std::uint16_t>, std::size_t, const std::function<bool()>&) {
    environment_error(gl_compute_info().reason);
}

std::unique_ptr<BodySystem> make_gl_system(AnyEngine, const EngineConfig&, const EngineEntry&, const BodySource&) {
    environment_error(gl_compute_info().reason);
}

std::span<const EngineEntry> gl_engines() { return {}; }

std::uint32_t first_wrong_row_on_gl(AnyMap, std::uint32_t) { environment_error(gl_compute_info().reason); }
std::uint32_t first_wrong_utm_on_gl(RootId, std::uint32_t) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_dummy(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_edm(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision_pairs(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision_rows(LabSize) { environment_error(gl_compute_info().reason); }

}  // namespace orrery
