// SPDX-License-Identifier: MIT
#include "app/commands/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/gpus.hpp"
#include "app/manual/help.hpp"
#include "app/platform/machine.hpp"
#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/bodies/distributed_body_system.hpp"
#include "core/gl/info.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

/// How a command ended: its exit code and error message.
struct Outcome {
    int code = 0;
    std::string trouble = {};
};

Outcome failed(Blame blame, std::string text) { return {static_cast<int>(blame), std::move(text)}; }

struct CommandLine {
    CLI::App app{"Orrery, a gravitational N-body program with a live view.", "orrery"};
    Work window;
    struct Command {
        CLI::App* app;
        Work work;
        const CommandEntry* entry;
    };
    std::vector<Command> works;
    int gpus = 0;             // 0: not requested
    std::string gl_device;    // empty: not requested
    bool own_bodies = false;  // of each rank
    bool quiet = false, verbose = false, interrupt_is_ok = false;

    CommandLine() {
        app.set_version_flag("-V,--version", fmt::format("orrery {} ({})\n{}", version(), commit(), built_with()),
                             "Print the version, the compiler and the libraries of the build, and exit");
        app.set_help_flag("-h,--help", "Print a short help and exit");
        app.set_help_all_flag("--help-all", "Print a help with all options and exit");
        window = declare_window(app);
        add_gpus(app, gpus);
        add_gl_device(app);
        add_loudness(app);
        for (const CommandEntry& entry : commands()) {
            CLI::App* command = app.add_subcommand(std::string{entry.id}, std::string{entry.doc});
            works.push_back({command, entry.declare(*command), &entry});
            if (entry.on_ranks != OnRanks::kFirstAlone) add_gpus(*command, gpus);
            if (entry.on_ranks == OnRanks::kAlike || entry.on_ranks == OnRanks::kLedOrAlike)
                add_ranks(*command, own_bodies);
            if (command->get_option_no_throw("--backend") || entry.id == "info") add_gl_device(*command);
            if (entry.ends_whole)
                command->add_flag("--ok-if-interrupted", interrupt_is_ok,
                                  "End with exit code 0, not 130, after Ctrl + C: its outputs are complete");
            add_loudness(*command);
            check_values(*command);
        }
        check_values(app);
        app.require_subcommand(0, 1);
    }

    int work() const {
        const auto parsed = std::ranges::find_if(works, [](const Command& each) { return each.app->parsed(); });
        quieten_stderr(quiet);
        show_details(verbose);
        if (parsed == works.end()) require_no_misspelt_command(app);
        choose_gl_device(gl_device);
        require_use_for_gpus(parsed != works.end() ? *parsed->app : app);
        be_ranks_on_gpus(gpus);
        if (process_ranks()) process_ranks()->own_bodies = own_bodies;
        if (parsed == works.end()) return with_ranks("the window", OnRanks::kLed, window);
        const TimeTaken taken;
        const int code = with_ranks(parsed->entry->id, parsed->entry->on_ranks, parsed->work);
        print_detail("{} took {:.3g} s", parsed->entry->id, taken.seconds());
        return interrupt_is_ok && code == interrupt_code() ? 0 : code;
    }

    /// The help of the requested command, or of the program.
    std::string help(HelpLength length) const {
        const auto named = app.get_subcommands();
        return help_text(named.empty() ? app : *named.front(), terminal_columns(), length);
    }

private:
    void add_loudness(CLI::App& command) {
        CLI::Option* less = command.add_flag("-q,--quiet", quiet, "No notes and no progress on stderr, only errors");
        command.add_flag("-v,--verbose", verbose, "Details on stderr: format, time to read, values and engine chosen")
            ->excludes(less);
    }
    void add_gl_device(CLI::App& command) {
        const HelpGroup engine{command, "Engine"};
        command.add_option("--gl-device", gl_device,
                           "The OpenGL device of engines on gl: the number of an EGL device, or a part of its name; "
                           "`orrery info` lists them (default: hardware before software)");
    }
    void require_use_for_gpus(const CLI::App& command) const {
        const CLI::Option* backend = command.get_option_no_throw("--backend");
        if (gpus > 0 && backend && backend->count() > 0 && backend->as<std::string>() == "cpu")
            usage_error("--gpus has no effect with --backend cpu");
    }
    static int with_ranks(std::string_view what, OnRanks together, const Work& work) {
        Ranks* ranks = process_ranks();
        if (together == OnRanks::kLedOrAlike) together = ranks && ranks->own_bodies ? OnRanks::kAlike : OnRanks::kLed;
        if (!ranks || together == OnRanks::kAlike) return work();
        if (together == OnRanks::kLed) return ranks->first() ? lead(*ranks, work) : follow_to_end(*ranks);
        if (!ranks->first()) return 0;
        to_stderr("orrery: note: {} is not shared by ranks; rank 0 of {} runs it alone\n", what, ranks->count());
        return work();
    }
    static int lead(Ranks& ranks, const Work& work) {
        const RankLeader lead{ranks};
        return work();
    }
    /// Followers ignore signals: rank 0 receives the same ones and ends the work in order.
    static int follow_to_end(Ranks& ranks) {
        const InterruptGuard left_to_the_first;
        run_follower(ranks);
        return 0;
    }
};

Outcome run_command(int argc, char** argv) {
    CommandLine line;
    try {
        line.app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        to_stdout("{}", line.help(HelpLength::kShort));
        return {};
    } catch (const CLI::CallForAllHelp&) {
        to_stdout("{}", line.help(HelpLength::kWhole));
        return {};
    } catch (const CLI::CallForVersion& version) {
        to_stdout("{}\n", version.what());
        return {};
    } catch (const CLI::ParseError& e) {
        return failed(Blame::kUsage, explain_parse_error(line.app, e));
    }
    return {line.work()};
}

constexpr int kBySignal = 128;  // plus the signal's number: the exit code that shells report

/// A full disk must not look like success. If the reader of standard output has gone, such as head(1), the program ends
/// as SIGPIPE ends others, without a message.
Outcome with_flushed_output(Outcome outcome) {
    const int error = output_error();
    if (error == 0) return outcome;
    if (error == EPIPE) return {outcome.code == 0 ? kBySignal + SIGPIPE : outcome.code};
    return failed(Blame::kEnvironment, fmt::format("standard output: cannot be written: {}", std::strerror(error)));
}

/// FNV-1a (Fowler, Noll & Vo) of everything that must be equal on all ranks.
std::uint64_t fingerprint(int argc, char** argv) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](std::string_view text) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        hash *= 0x100000001b3;  // separates the texts
    };
    add(version());
    add(commit());
    for (int i = 1; i < argc; ++i) add(argv[i]);
    return hash;
}

void require_same_start(Ranks& ranks, int argc, char** argv) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.count()));
    all[static_cast<std::size_t>(ranks.rank())] = fingerprint(argc, argv);
    gather_parts(ranks, std::span{all}, all.size(), 1);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            usage_error(
                fmt::format("rank {} of {} has other options, or another version, than rank 0", rank, all.size()));
}

Outcome outcome_of(int argc, char** argv) {
    try {
        if (Ranks* ranks = process_ranks()) require_same_start(*ranks, argc, argv);
        return with_flushed_output(run_command(argc, argv));
    } catch (const Error& e) {
        // After Ctrl + C the exit code ends a shell loop, whatever else failed.
        return {interrupt_code() != 0 ? interrupt_code() : static_cast<int>(e.blame()), e.what()};
    } catch (const std::bad_alloc&) {
        return failed(Blame::kEnvironment, "this machine does not have enough memory");
    } catch (const std::length_error&) {
        return failed(Blame::kEnvironment, "this machine does not have enough memory");
    } catch (const std::filesystem::filesystem_error& e) {
        return failed(Blame::kEnvironment, fmt::format("{}: {}", e.path1().string(), e.code().message()));
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::resource_unavailable_try_again)
            return failed(
                Blame::kEnvironment,
                "cannot start a thread: raise the limits of processes (ulimit -u) or address space (ulimit -v)");
        return failed(Blame::kEnvironment, fmt::format("unexpected: {}", e.what()));
    } catch (const std::exception& e) {
        return failed(Blame::kEnvironment, fmt::format("unexpected: {}", e.what()));
    }
}

/// Prints the error, if there is one, in one line.
int report(const Outcome& outcome) {
    quieten_stderr(false);
    if (!outcome.trouble.empty()) to_stderr("orrery: {}\n", outcome.trouble);
    return outcome.code;
}

/// An error common to all ranks is reported once. If only this rank fails, the others are blocked in a collective, so
/// abort them.
int run_as_rank(Ranks& ranks, int argc, char** argv) {
    constexpr double kPatience = 5, kForever = 1e18;  // seconds
    mute_standard_streams(!ranks.first());
    const Outcome outcome = outcome_of(argc, argv);
    const bool waits = outcome.code == 0 || (outcome.trouble.empty() && outcome.code == interrupt_code());
    if (ranks.all_arrive(waits ? kForever : kPatience)) return report(outcome);
    ranks.end_all(outcome.code, outcome.trouble);
    return outcome.code;
}

/// Ends the program by a signal if its exit code says so: a shell stops a loop only if SIGINT itself ended the command.
/// Returns for all other exit codes.
void end_by_signal(int code) {
    for (const int signal : {SIGINT, SIGPIPE}) {
        if (code != kBySignal + signal) continue;
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

/// Resets handlers that libraries install before main(): UCX, which Open MPI 5 loads, ignores the end of the terminal.
void reset_handlers_of_libraries() {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
    }
}

}  // namespace

int run_program(int argc, char** argv) {
    reset_handlers_of_libraries();
    prepare_standard_streams();
    use_tuning_files();
    std::unique_ptr<Ranks> ranks;
    try {
        ranks = start_ranks();
    } catch (const Error& e) {
        return report(failed(e.blame(), e.what()));
    }
    if (ranks) return run_as_rank(*ranks, argc, argv);  // MPI must be finalised
    const int code = report(outcome_of(argc, argv));
    end_by_signal(code);
    return code;
}

}  // namespace orrery
