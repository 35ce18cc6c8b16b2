// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Restricts this process to its memory and the files and sockets it has open or receives; it can still exit. All other
/// system calls fail with EPERM. Does nothing if the kernel or the processor architecture is not supported.
void allow_only_memory_and_open_files();

}  // namespace orrery
