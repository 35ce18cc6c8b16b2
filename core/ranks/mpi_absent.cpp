// SPDX-License-Identifier: MIT
#include "core/base/error.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {

std::unique_ptr<Ranks> start_ranks() {
    // Otherwise each process would compute everything, and all would write the same files.
    if (launched_ranks() > 1) environment_error("this build has no MPI: it cannot run as several ranks");
    return nullptr;
}

Ranks* process_ranks() { return nullptr; }

std::string mpi_description() { return "no: MPI was not found when this program was built"; }

}  // namespace orrery
