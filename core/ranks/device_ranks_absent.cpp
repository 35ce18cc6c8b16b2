// SPDX-License-Identifier: MIT
// Linked in place of core/ranks/cuda in builds without CUDA.
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {

DeviceRanks& device_ranks(Ranks&) { environment_error(cuda_info().reason); }
std::string nccl_description() { return "no: this build has no CUDA"; }
void take_device_of_rank(int, int) {}

}  // namespace orrery
