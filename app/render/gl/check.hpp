// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// Clears errors of earlier commands, so that check_gl() does not report them.
void clear_gl_errors();
/// Throws Error{kEnvironment} "OpenGL refused WHAT: out of memory" if an error is pending. May wait for the driver.
void check_gl(const std::string& what);

}  // namespace orrery
