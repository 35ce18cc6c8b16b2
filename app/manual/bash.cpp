// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "app/manual/completions.hpp"
#include "app/manual/option_arguments.hpp"

namespace orrery {
namespace {

/// The script before the tables of words.
constexpr const char* kBashBegin = R"sh(# Completion of bash for orrery, as `orrery manual` writes it.
_orrery() {
    # Words by blanks alone: bash also cuts at = and :.
    local line=${COMP_LINE:0:COMP_POINT} command= options= words= i
    local -a typed
    read -r -a typed <<<"$line"
    [[ $line == *[[:space:]] ]] && typed+=("")
    local current=${typed[${#typed[@]} - 1]} option=${typed[${#typed[@]} - 2]} several= files= folders=
    if [[ $current == --*=* ]]; then
        option=${current%%=*}
        current=${current#*=}
    fi
    for ((i = 1; i < ${#typed[@]} - 1; ++i)); do
        case ${typed[i]} in
        @commands@)
            command=${typed[i]}
            break
            ;;
        esac
    done
    case "$command $option" in
)sh";
constexpr const char* kBashMiddle = R"sh(    *)
        option=
        ;;
    esac
    if [[ -z $option ]]; then
        case $command in
)sh";
constexpr const char* kBashEnd = R"sh(        esac
        [[ $current == -* ]] && words=$options files= folders=
    fi
    COMPREPLY=()
    local before=
    [[ -n $several && $current == *,* ]] && before=${current%,*},
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${current#"$before"}")
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    [[ -n $several ]] && compopt -o nospace
    if [[ -n $files$folders ]]; then
        compopt -o filenames
        local -a found
        mapfile -t found < <(compgen ${files:+-f} ${folders:+-d} -- "$current")
        COMPREPLY+=("${found[@]}")
    fi
    # bash puts in the place of what follows the last colon.
    [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    return 0
}
complete -F _orrery orrery
)sh";

/// Shell assignments for the arguments of an option or a positional.
std::string assignments(const OptionArgument& argument) {
    std::string text;
    if (!argument.words.empty()) text += fmt::format(" words='{}'", fmt::join(argument.words, " "));
    if (argument.several) text += " several=1";
    if (argument.kind == OptionArgument::Kind::kFile) text += " files=1";
    if (argument.kind == OptionArgument::Kind::kFolder) text += " folders=1";
    return text.empty() ? " :" : text;
}

/// One branch for all options with the same arguments.
std::string branches_of_options(const CLI::App& root) {
    std::map<std::string, std::string> patterns;
    for (const CLI::App* app : apps_of(root))
        for (const CLI::Option* option : options_of(*app)) {
            const OptionArgument argument = argument_of(*option);
            if (argument.kind == OptionArgument::Kind::kNothing) continue;
            std::string& pattern = patterns[assignments(argument)];
            for (const std::string& name : spellings(*option))
                pattern += fmt::format("{}\"{} {}\"", pattern.empty() ? "" : " | ", command_of(*app), name);
        }
    std::string text;
    for (const auto& [assigned, pattern] : patterns)
        text += fmt::format("    {})\n       {}\n        ;;\n", pattern, assigned);
    return text;
}

std::string names_of_options(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : options_of(app))
        for (const std::string& name : spellings(*option)) text += (text.empty() ? "" : " ") + name;
    return text;
}

std::string branch_of_command(const CLI::App& app, const std::string& commands) {
    OptionArgument first;
    for (const CLI::Option* option : positionals_of(app)) {
        const OptionArgument argument = argument_of(*option);
        first.words.insert(first.words.end(), argument.words.begin(), argument.words.end());
        first.kind = argument.kind;
    }
    if (!app.get_parent()) first.words.insert(first.words.begin(), commands);
    return fmt::format("        '{}')\n            options='{}'\n           {}\n            ;;\n", command_of(app),
                       names_of_options(app), assignments(first));
}

}  // namespace

std::string bash_completion(const CLI::App& root) {
    std::string patterns, commands;
    for (const CLI::App* command : root.get_subcommands({})) {
        patterns += (patterns.empty() ? "" : " | ") + command->get_name();
        commands += (commands.empty() ? "" : " ") + command->get_name();
    }
    std::string text = with_commands(kBashBegin, patterns);
    text += branches_of_options(root) + kBashMiddle;
    for (const CLI::App* app : apps_of(root)) text += branch_of_command(*app, commands);
    return text + kBashEnd;
}

}  // namespace orrery
