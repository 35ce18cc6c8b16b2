// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// This process can use its memory and the files and sockets that it has open, receive others, and end; any other call
/// of the kernel fails with EPERM. Does nothing where the kernel or the processor's filter is not known.
void allow_only_memory_and_open_files();

}  // namespace orrery
