// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// `check --orders`: prints the error of every integrator over its step length and, unless `path` is empty, plots it
/// there as SVG. Returns the exit code.
int check_orders(const std::string& path, bool json);

}  // namespace orrery
