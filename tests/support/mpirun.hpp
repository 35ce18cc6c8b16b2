// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace orrery::test {

/// The words before a program that start `count` of it as ranks.
inline std::vector<std::string> mpirun(const std::string& launcher, int count) {
    return {launcher, "-n", std::to_string(count), "--bind-to", "none"};
}

/// Open MPI: more ranks than cores, who wait give way; and as whoever runs the tests, in a container too.
inline constexpr auto kMpiEnvironment = std::to_array<std::pair<const char*, const char*>>(
    {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
     {"OMPI_MCA_mpi_yield_when_idle", "1"},
     {"HWLOC_COMPONENTS", "-gl"},  // as core/ranks/mpi_ranks.cpp, of mpirun itself
     {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
     {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
     {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}});

}  // namespace orrery::test
