// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/manual/completions.hpp"
#include "app/manual/option_arguments.hpp"

namespace orrery {
namespace {

constexpr const char* kFishBegin = R"sh(# Completion of fish for orrery, as `orrery manual` writes it.
function __orrery_command
    for word in (commandline -opc)[2..]
        if contains -- $word @commands@
            echo $word
            return
        end
    end
end
function __orrery_in
    set -l command (__orrery_command)
    test "$command" = "$argv[1]"
end
# Words of a list whose beginning is typed.
function __orrery_list
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string match -r '^.*,' -- $typed; or echo)
    printf '%s\n' $before$argv
end
complete -c orrery -f
)sh";

/// The arguments of an option or positional: "-x -a 'a b'".
std::string arguments_of(const OptionArgument& argument) {
    using enum OptionArgument::Kind;
    if (argument.kind == kNothing) return {};
    const std::string words = fmt::format("{}", fmt::join(argument.words, " "));
    if (argument.kind == kFolder) return " -x -a '(__fish_complete_directories)'";
    if (argument.kind == kFile) return " -r -F" + (words.empty() ? "" : fmt::format(" -a '{}'", words));
    if (words.empty()) return " -x";
    return fmt::format(fmt::runtime(argument.several ? " -x -a '(__orrery_list {})'" : " -x -a '{}'"), words);
}

std::string line_of(const CLI::App& app, const CLI::Option& option) {
    std::string text = fmt::format("complete -c orrery -n \"__orrery_in '{}'\"", command_of(app));
    for (const std::string& name : option.get_snames()) text += " -s " + name;
    for (const std::string& name : option.get_lnames()) text += " -l " + name;
    return text + arguments_of(argument_of(option)) + " -d " + quoted(in_short(option)) + '\n';
}

}  // namespace

std::string fish_completion(const CLI::App& root) {
    std::string names, lines;
    for (const CLI::App* command : root.get_subcommands({})) {
        names += (names.empty() ? "" : " ") + command->get_name();
        lines += fmt::format("complete -c orrery -n \"__orrery_in ''\" -a {} -d {}\n", command->get_name(),
                             quoted(command->get_description()));
    }
    for (const CLI::App* app : apps_of(root)) {
        for (const CLI::Option* option : positionals_of(*app))
            lines += fmt::format("complete -c orrery -n \"__orrery_in '{}'\"{}\n", command_of(*app),
                                 arguments_of(argument_of(*option)));
        for (const CLI::Option* option : options_of(*app)) lines += line_of(*app, *option);
    }
    return with_commands(kFishBegin, names) + lines;
}

}  // namespace orrery
