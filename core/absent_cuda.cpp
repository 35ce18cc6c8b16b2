// SPDX-License-Identifier: MIT
// Linked in builds without CUDA, in place of the folders named cuda.
#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/neighbours_device.hpp"
#include "core/bodies/owned/owned_system.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/ceilings.hpp"
#include "core/engines/entries.hpp"
#include "core/lab/exactness.hpp"
#include "core/lab/kernel.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/spatial/friends.hpp"

namespace orrery {

DeviceSums sum_tuples_on_device(std::size_t, const TiledCatalogue&, const TupleBins&, std::span<const std::uint16_t>,
                                std::size_t, const std::function<bool()>&) {
    environment_error(cuda_info().reason);
}

std::unique_ptr<BodySystem> make_device_system(AnyEngine, const EngineEntry&, const BodySource&, Precision, Urgency,
                                               Ranks*) {
    environment_error(cuda_info().reason);
}

std::unique_ptr<BodySystem> make_owned_device_system(AnyEngine, const EngineConfig&, const EngineEntry&,
                                                     const BodySource&, Ranks&) {
    environment_error(cuda_info().reason);
}

DeviceDistances neighbours_on_device(std::span<const Vec4f>, int, int, std::size_t) {
    environment_error(cuda_info().reason);
}

std::span<const EngineEntry> cuda_engines() { return {}; }

template <class Real>
Ceilings measure_cuda_ceilings() {
    environment_error(cuda_info().reason);
}
template Ceilings measure_cuda_ceilings<float>();
template Ceilings measure_cuda_ceilings<double>();

std::uint32_t first_wrong_layer_on_device(bool, double, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_layer4_on_device(Layers4Form, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_row_on_device(AnyMap, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_utm_on_device(RootId, std::uint32_t) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_automaton(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_dummy(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_edm(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision_pairs(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision_rows(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_quadruplet(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_triplet(LabSize) { environment_error(cuda_info().reason); }

DeviceRanks& device_ranks(Ranks&) { environment_error(cuda_info().reason); }
std::string nccl_description() { return "no: this build has no CUDA"; }
void take_device_of_rank(int, int) {}

DeviceFriends friends_on_device(std::span<const Vec4f>, double, double, int) { environment_error(cuda_info().reason); }
DeviceFriends friends_on_device(std::span<const Vec4d>, double, double, int) { environment_error(cuda_info().reason); }

}  // namespace orrery
