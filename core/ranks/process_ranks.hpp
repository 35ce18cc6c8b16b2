// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// The ranks among which this process is one, over MPI; null where no launcher (mpirun) has started several. Once per
/// process, by the thread that makes the
/// collective calls; the ranks are connected as long as the object lives. Throws Error{kEnvironment} if several were
/// started and this build has no MPI.
std::unique_ptr<Ranks> start_ranks();
/// What start_ranks() has returned, while it lives; null: this process is alone.
Ranks* process_ranks();
/// Whether this process is the one that prints and writes: the first of several ranks, or alone.
inline bool is_first_process() { return !process_ranks() || process_ranks()->first(); }
/// The value that the first of several ranks has, collective; alone, this one.
template <class T>
T agreed(T value) {
    return process_ranks() ? process_ranks()->agreed(value) : value;
}

/// "Open MPI v4.1.4", or why this build has none.
std::string mpi_description();

}  // namespace orrery
