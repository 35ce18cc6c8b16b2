// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <initializer_list>

namespace orrery {

/// Number of processes started by an MPI launcher according to the environment; 1 without a launcher.
inline int launched_ranks() {
    // Open MPI; MPICH and Intel MPI; Slurm with PMI.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return 1;
}

}  // namespace orrery
