// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// `check --orders`: prints the error of every integrator over its step length, and plots it as SVG to `path` unless
/// that is empty. Returns the exit code.
int check_orders(const std::string& path, bool json);

}  // namespace orrery
