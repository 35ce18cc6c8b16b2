// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/error.hpp"

namespace orrery {

/// A device was reset, and everything in its memory is gone. BodySystem::restore() opens it again, so that a caller who
/// kept a state can go on from there.
class DeviceLost : public Error {
public:
    explicit DeviceLost(const std::string& text) : Error{Blame::kEnvironment, text} {}
};

}  // namespace orrery
