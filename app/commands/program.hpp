// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// The whole program: parses the command line, runs the command, and reports an error in one line on stderr. Returns
/// the exit code: 0, or the Blame of the error (core/base/error.hpp). Does not return if Ctrl + C ended the work early
/// or the reader of standard output has gone: SIGINT or SIGPIPE then ends the process, as shells expect.
int run_program(int argc, char** argv);

}  // namespace orrery
