// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
}

namespace orrery {

/// Adds --gpus, of commands that ranks share.
void add_gpus(CLI::App& command, int& gpus);

/// Starts this program again as so many ranks, with the same arguments, and does not return; returns where `gpus` is 0
/// and within one of these ranks. Throws Error: kUsage if somebody else started another number of ranks,
/// kEnvironment if there are fewer GPUs, or no MPI.
void be_ranks_on_gpus(int gpus);

}  // namespace orrery
