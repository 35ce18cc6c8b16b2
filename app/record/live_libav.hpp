// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/record/live_encoder.hpp"

namespace orrery {

/// The first encoder of H.264 in this libav that opens. Throws Error{kEnvironment} with the reason of each.
std::unique_ptr<LiveEncoder> make_live_encoder(const LiveConfig& config);

}  // namespace orrery
