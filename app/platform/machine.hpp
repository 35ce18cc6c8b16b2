// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/backend.hpp"

namespace orrery {

std::string cpu_model();  ///< "AMD EPYC 9B14"; "unknown CPU" if the system does not report it
/// The device of engines on `backend`: the first CUDA device, or the CPU with its instruction set.
std::string device_name(Backend backend);
std::string driver_version();  ///< of CUDA, "13.0"; empty without a driver

}  // namespace orrery
