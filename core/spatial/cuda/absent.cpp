// SPDX-License-Identifier: MIT
// Linked in place of core/spatial/cuda in builds without CUDA.
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/spatial/friends.hpp"

namespace orrery {

DeviceFriends friends_on_device(std::span<const Vec4f>, double, double, int) { environment_error(cuda_info().reason); }
DeviceFriends friends_on_device(std::span<const Vec4d>, double, double, int) { environment_error(cuda_info().reason); }

}  // namespace orrery
