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

/// What the ranks of MPI do of a command.
enum class OnRanks {
    kFirstAlone,  ///< the first one does it, and the others wait for it
    kAlike,       ///< all of them do the same, and share the evaluations of forces
    kLed          ///< the first one does it, and the others follow its bodies: see core/bodies/led_system.hpp
};

/// A line of the menu of commands: adds its options to `app`; the work reads them later.
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
Work declare_plot(CLI::App& app);
Work declare_bench(CLI::App& app);
Work declare_frames(CLI::App& app);
Work declare_check(CLI::App& app);
Work declare_lab(CLI::App& app);
Work declare_info(CLI::App& app);
Work declare_list(CLI::App& app);
Work declare_manual(CLI::App& app);
Work declare_help(CLI::App& app);

}  // namespace orrery
