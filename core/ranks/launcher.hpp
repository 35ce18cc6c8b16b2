// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <initializer_list>

namespace orrery {

/// How many processes a launcher of MPI started, as far as the environment tells; 1: none did.
inline int launched_ranks() {
    // Open MPI; MPICH and Intel MPI; Slurm with PMI.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return 1;
}

}  // namespace orrery
