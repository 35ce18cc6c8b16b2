// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/error.hpp"

namespace orrery {

/// A device was reset, which erased its memory. BodySystem::restore() opens the device again, so a caller that kept a
/// state can continue.
class DeviceLost : public Error {
public:
    explicit DeviceLost(const std::string& text) : Error{Blame::kEnvironment, text} {}
};

}  // namespace orrery
