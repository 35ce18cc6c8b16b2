// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// Connects this process with the other ranks over MPI; null if no launcher (mpirun) started several. Call once per
/// process, in the thread that makes the collective calls; the ranks stay connected while the object lives. Throws
/// Error{kEnvironment} if there are several processes but this build has no MPI.
std::unique_ptr<Ranks> start_ranks();
/// The result of start_ranks() while it lives; null: a single process.
Ranks* process_ranks();
/// True if this process prints and writes files: the first of several ranks, or the only process.
inline bool is_first_process() { return !process_ranks() || process_ranks()->first(); }
/// The value of the first rank, collective; the given value if there is only one process.
template <class T>
T agreed(T value) {
    return process_ranks() ? process_ranks()->agreed(value) : value;
}

/// "Open MPI v4.1.4", or why this build has no MPI.
std::string mpi_description();

/// Number of processes started by an MPI launcher according to the environment; 1 without a launcher.
inline int launched_ranks() {
    // Open MPI; MPICH and Intel MPI; Slurm with PMI.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return 1;
}

}  // namespace orrery
