// SPDX-License-Identifier: MIT
// What a build without CUDA links in place of core/ranks/cuda.
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/ranks/device_ranks.hpp"

namespace orrery {

DeviceRanks& device_ranks(Ranks&) { environment_error(cuda_info().reason); }
std::string nccl_description() { return "no: this build has no CUDA"; }
void take_device_of_rank(int, int) {}

}  // namespace orrery
