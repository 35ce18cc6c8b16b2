// SPDX-License-Identifier: MIT
#include "app/commands/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_values.hpp"
#include "app/commands/commands.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"

namespace orrery {
namespace {

/// Tells what went wrong, in one line.
int fail(Blame blame, std::string_view text) {
    to_stderr("orrery: {}\n", text);
    return static_cast<int>(blame);
}

struct CommandLine {
    CLI::App app{"Orrery, a gravitational N-body program with a live view.", "orrery"};
    Work window;
    std::vector<std::pair<CLI::App*, Work>> works;

    CommandLine() {
        app.set_version_flag("--version", fmt::format("orrery {} ({})", version(), commit()));
        app.set_help_flag("-h,--help", "Print this help and exit");
        window = declare_window(app);
        for (const CommandEntry& entry : commands()) {
            CLI::App* command = app.add_subcommand(std::string{entry.id}, std::string{entry.doc});
            works.emplace_back(command, entry.declare(*command));
            check_values(*command);
        }
        check_values(app);
        app.require_subcommand(0, 1);
    }

    int work() const {
        for (const auto& [command, chosen] : works)
            if (command->parsed()) return chosen();
        return window();
    }
};

int run_command(int argc, char** argv) {
    CommandLine line;
    try {
        line.app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return line.app.exit(e);  // --help, --version
        return fail(Blame::kUsage, fmt::format("{}; see --help", e.what()));
    }
    return line.work();
}

/// A reader that went away or a full disk must not look like success.
int flush_output(int code) {
    const int error = output_error();
    if (error == 0) return code;
    return fail(Blame::kEnvironment, fmt::format("standard output: cannot be written: {}", std::strerror(error)));
}

}  // namespace

int run_program(int argc, char** argv) {
    prepare_standard_streams();
    try {
        return flush_output(run_command(argc, argv));
    } catch (const Error& e) {
        return fail(e.blame(), e.what());
    } catch (const std::bad_alloc&) {
        return fail(Blame::kEnvironment, "this machine does not have enough memory");
    } catch (const std::length_error&) {
        return fail(Blame::kEnvironment, "this machine does not have enough memory");
    } catch (const std::filesystem::filesystem_error& e) {
        return fail(Blame::kEnvironment, fmt::format("{}: {}", e.path1().string(), e.code().message()));
    } catch (const std::exception& e) {
        return fail(Blame::kEnvironment, fmt::format("unexpected: {}", e.what()));
    }
}

}  // namespace orrery
