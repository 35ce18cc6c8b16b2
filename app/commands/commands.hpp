// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace orrery {

/// The work of a command, run after its options are parsed. Returns the exit code, or throws Error.
using Work = std::function<int()>;

/// How the ranks of MPI share a command.
enum class OnRanks {
    kFirstAlone,  ///< rank 0 runs it, the others wait
    kAlike,       ///< all ranks run it and share the evaluations of forces
    kLed,         ///< rank 0 runs it, the others execute its commands: see core/bodies/distributed_body_system.hpp
    kLedOrAlike   ///< kLed, but kAlike with --ranks own
};

/// An entry of the menu of commands. `declare` adds its options to `app` and returns the work, which reads them later.
struct CommandEntry {
    std::string_view id, doc;
    Work (*declare)(CLI::App& app);
    OnRanks on_ranks = OnRanks::kFirstAlone;
    bool ends_whole = false;  ///< a signal ends the work early, with complete outputs
};

std::span<const CommandEntry> commands();

inline constexpr int kCheckFailed = 1;  // the other exit codes are those of Blame

Work declare_window(CLI::App& app);  ///< `orrery` without a command
Work declare_serve(CLI::App& app);
Work declare_record(CLI::App& app);
Work declare_run(CLI::App& app);
Work declare_convert(CLI::App& app);
Work declare_fields(CLI::App& app);
Work declare_halos(CLI::App& app);
Work declare_select(CLI::App& app);
Work declare_audit(CLI::App& app);
Work declare_plot(CLI::App& app);
Work declare_bench(CLI::App& app);
Work declare_frames(CLI::App& app);
Work declare_check(CLI::App& app);
Work declare_lab(CLI::App& app);
Work declare_learn(CLI::App& app);
Work declare_info(CLI::App& app);
Work declare_list(CLI::App& app);
Work declare_help(CLI::App& app);

/// The whole program: parses the command line, runs the command, and reports an error in one line on stderr. Returns
/// the exit code: 0, or the Blame of the error (core/base/error.hpp). Does not return if Ctrl + C ended the work early
/// or the reader of standard output has gone: SIGINT or SIGPIPE then ends the process, as shells expect.
int run_program(int argc, char** argv);

}  // namespace orrery
