// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace orrery::test {

/// The words before a program that start `count` of it as ranks.
inline std::vector<std::string> mpirun(const std::string& launcher, int count) {
    return {launcher, "-n", std::to_string(count), "--bind-to", "none"};
}

/// Open MPI: more ranks than cores, who wait give way; and as whoever runs the tests, in a container too. What it keeps
/// of a run goes into `folder`: in the temporary folder of the machine, two that begin and end at the same time make
/// and remove the same one.
inline std::map<std::string, std::string> mpi_environment(const std::filesystem::path& folder) {
    return {{"OMPI_MCA_orte_tmpdir_base", folder},
            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
            {"OMPI_MCA_mpi_yield_when_idle", "1"},
            {"HWLOC_COMPONENTS", "-gl"},  // as core/ranks/mpi_ranks.cpp, of mpirun itself
            {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};
}

}  // namespace orrery::test
