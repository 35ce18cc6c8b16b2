// SPDX-License-Identifier: MIT
#include "core/ranks/device_ranks.hpp"

namespace orrery {

std::unique_ptr<DeviceRanks> make_nccl_ranks(Ranks&, std::string& why_not) {
    why_not = "this build has no NCCL";
    return nullptr;
}
std::string nccl_description() { return "no: this build has no NCCL"; }

}  // namespace orrery
