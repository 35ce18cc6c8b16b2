// SPDX-License-Identifier: MIT
#include "app/commands/gpus.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cuda/info.hpp"
#include "core/integrators/integrators.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

std::vector<std::string> own_arguments() {
    std::ifstream file{"/proc/self/cmdline", std::ios::binary};
    std::vector<std::string> all;
    for (std::string one; std::getline(file, one, '\0');) all.push_back(one);
    return all;
}

[[noreturn]] void become(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    environment_error(fmt::format("--gpus: {} cannot be started: {}", command[0], std::strerror(errno)));
}

/// By default mpirun binds two ranks to one core each, on which making bodies takes many times as long.
void report_binding() {
    static bool reported = false;
    cpu_set_t own;
    if (reported || sched_getaffinity(0, sizeof own, &own) != 0) return;
    reported = true;
    const int cores = CPU_COUNT(&own);
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores * process_ranks()->count() < all)
        to_stderr("orrery: note: this rank may use {} of {} cores; start with mpirun --bind-to none\n", cores, all);
}

}  // namespace

void add_gpus(CLI::App& command, int& gpus) {
    const HelpGroup engine{command, "Engine"};
    command.add_option("--gpus", gpus, "Number of GPUs of this machine to use; mpirun starts an MPI rank for each")
        ->check(CLI::Range(1, 1024));
}

void add_ranks(CLI::App& command, bool& own) {
    const HelpGroup engine{command, "Engine"};
    command
        .add_option_function<std::string>(
            "--ranks", [&own](const std::string& which) { own = which == "own"; },
            "Bodies that each MPI rank holds: all, or only its own, an interval of the Hilbert curve, for more bodies "
            "than one device holds; own needs --engine fmm or tree (default all)")
        ->check(CLI::IsMember({"all", "own"}));
}

Ranks* ranks_that_own_bodies() { return process_ranks() && process_ranks()->own_bodies ? process_ranks() : nullptr; }

void require_by_parts(const Scene& scene) {
    if (scene.encounters.on()) usage_error("--ranks own resolves no encounters; use --ranks all");
    if (scene.adaptive > 0 || !integrator(scene.integrator).splits() || integrator(scene.integrator).individual)
        usage_error(
            "--ranks own takes steps of one length by kicks and drifts; use --integrator leapfrog, without "
            "--adaptive, or --ranks all");
}

void be_ranks_on_gpus(int gpus) {
    if (gpus == 0) return;
    if (const Ranks* ranks = process_ranks()) {
        if (ranks->count() == gpus) return;
        usage_error(fmt::format("--gpus is {}, but there are {} ranks", gpus, ranks->count()));
    }
    if (!cuda_info().available) environment_error(fmt::format("--gpus: {}", cuda_info().reason));
    const auto there = static_cast<int>(cuda_info().devices.size());
    if (gpus > there) environment_error(fmt::format("--gpus is {}, but this machine shows {}", gpus, there));
    if (gpus == 1) return;
    if (!mpi_description().starts_with("yes"))
        environment_error(fmt::format("--gpus: more than one GPU requires MPI; {}", mpi_description()));
    if (geteuid() == 0)  // Open MPI refuses to run as root; here it starts nothing but this program
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) setenv(name, "1", 1);
    setenv("HWLOC_COMPONENTS", "-gl", 0);  // see core/ranks/mpi_ranks.cpp
    std::vector<std::string> command{"mpirun", "-n", std::to_string(gpus), "--bind-to", "none"};
    command.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
    const std::vector<std::string> own = own_arguments();
    command.insert(command.end(), own.begin() + 1, own.end());
    become(command);
}

void report_sharing(const BodySystem& system, const EngineConfig& engine) {
    if (!process_ranks()) return;
    report_binding();
    const bool led = process_ranks()->leader;
    if (!system.shared())
        to_stderr("orrery: note: engine {} on {} does not share its work: {}\n", engine.engine, name(engine.backend),
                  led ? "rank 0 computes everything" : "each rank computes everything");
    if (engine.backend != Backend::kCuda || (led && !system.shared())) return;
    const std::string how = device_ranks(*process_ranks()).description();
    if (!how.starts_with("NCCL")) to_stderr("orrery: note: accelerations are exchanged by {}\n", how);
}

}  // namespace orrery
