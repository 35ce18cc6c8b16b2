// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// The whole program: parses the command line, does what it says, and tells an error in one line on stderr. Returns the
/// exit code: 0, or the Blame of the error (core/base/error.hpp). Does not return after Ctrl + C, which has ended the
/// work early, and where the reader of standard output is gone: then SIGINT or SIGPIPE ends the process, as shells
/// expect.
int run_program(int argc, char** argv);

}  // namespace orrery
