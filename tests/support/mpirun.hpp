// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace orrery::test {

/// The command prefix that starts a program as `count` ranks.
inline std::vector<std::string> mpirun(const std::string& launcher, int count) {
    return {launcher, "-n", std::to_string(count), "--bind-to", "none"};
}

/// Settings of Open MPI: more ranks than cores, which yield while waiting and search for no network; run as any user,
/// also in a container. Files of a run go to `folder`: in the machine's temporary folder, two runs that begin and end
/// at the same time create and remove the same one.
inline std::map<std::string, std::string> mpi_environment(const std::filesystem::path& folder) {
    return {{"OMPI_MCA_orte_tmpdir_base", folder},
            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
            {"PRTE_MCA_rmaps_default_mapping_policy", ":OVERSUBSCRIBE"},  // the same for Open MPI 5
            {"OMPI_MCA_mpi_yield_when_idle", "1"},
            {"OMPI_MCA_pml", "ob1"},
            {"HWLOC_COMPONENTS", "-gl"},  // as in core/ranks/mpi_ranks.cpp, for mpirun itself
            {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};
}

}  // namespace orrery::test
