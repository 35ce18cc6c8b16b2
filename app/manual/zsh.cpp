// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>

#include "app/manual/completions.hpp"
#include "app/manual/option_arguments.hpp"

namespace orrery {
namespace {

constexpr const char* kZshBegin = R"sh(#compdef orrery
# Completion of zsh for orrery, as `orrery manual` writes it.

# Words, or files.
_orrery_words_or_files() {
    _alternative "words:name:($*)" 'files:file:_files'
}
)sh";
/// Calls the function of the first word behind `orrery` that is a command.
constexpr const char* kZshEnd = R"sh(
_orrery() {
    local -i i
    for ((i = 2; i < CURRENT; ++i)); do
        case ${words[i]} in
        (@commands@)
            local complete=_orrery_${words[i]}
            shift $((i - 1)) words
            ((CURRENT -= i - 1))
            $complete
            return
            ;;
        esac
    done
    _orrery_window
}

_orrery "$@"
)sh";

std::string escaped(const std::string& text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

/// The arguments of an option or positional: ":NAME:(a b)".
std::string action_of(const OptionArgument& argument) {
    const std::string words = escaped(fmt::format("{}", fmt::join(argument.words, " ")), ":\\");
    const std::string name{placeholder(argument)};
    switch (argument.kind) {
        case OptionArgument::Kind::kNothing:
            return {};
        case OptionArgument::Kind::kFolder:
            return fmt::format(":{}:_files -/", name);
        case OptionArgument::Kind::kFile:
            if (words.empty()) return fmt::format(":{}:_files", name);
            return fmt::format(":{}: _orrery_words_or_files {}", name, words);
        default:
            break;
    }
    if (words.empty()) return fmt::format(":{}: ", name);
    return fmt::format(fmt::runtime(argument.several ? ":{}:_sequence compadd - {}" : ":{}:({})"), name, words);
}

/// All spellings of an option and of those that it excludes: only one of them may be given.
std::string exclusions(const CLI::Option& option) {
    std::set<std::string> names;  // sorted: an order that does not depend on addresses
    for (const std::string& name : spellings(option)) names.insert(name);
    for (const CLI::Option* other : option.get_excludes())
        for (const std::string& name : spellings(*other)) names.insert(name);
    return fmt::format("({})", fmt::join(names, " "));
}

std::string specifications(const CLI::Option& option) {
    const OptionArgument argument = argument_of(option);
    const std::string rest = fmt::format("[{}]{}", escaped(in_short(option), "[]:\\"), action_of(argument));
    std::string text;
    for (const std::string& name : spellings(option)) {
        const bool joined = argument.kind != OptionArgument::Kind::kNothing && name.starts_with("--");
        text += fmt::format(" \\\n        {}", quoted(exclusions(option) + name + (joined ? "=" : "") + rest));
    }
    return text;
}

std::string function_of(const CLI::App& app) {
    std::string text = fmt::format("\n_orrery_{}() {{\n    _arguments", app.get_parent() ? app.get_name() : "window");
    for (const CLI::Option* option : options_of(app)) text += specifications(*option);
    int place = 0;
    for (const CLI::Option* option : positionals_of(app)) {
        const std::string action =
            app.get_parent() ? action_of(argument_of(*option)) : ":scene or command: _orrery_start";
        text += fmt::format(" \\\n        {}", quoted(fmt::format("{}{}", ++place, action)));
    }
    return text + "\n}\n";
}

/// Completes the first word: a command, or a scene.
std::string start_of(const CLI::App& root) {
    std::string commands, scenes;
    for (const CLI::App* command : root.get_subcommands({}))
        commands += fmt::format("        {}\n", quoted(command->get_name() + ":" + command->get_description()));
    for (const CLI::Option* option : positionals_of(root))
        scenes = fmt::format("{}", fmt::join(argument_of(*option).words, " "));
    return fmt::format(
        "\n_orrery_start() {{\n    local -a commands=(\n{}    )\n    _describe -t commands command commands\n"
        "    _orrery_words_or_files {}\n}}\n",
        commands, scenes);
}

}  // namespace

std::string zsh_completion(const CLI::App& root) {
    std::string text = kZshBegin, commands;
    text += start_of(root);
    for (const CLI::App* app : apps_of(root)) {
        text += function_of(*app);
        if (app->get_parent()) commands += (commands.empty() ? "" : "|") + app->get_name();
    }
    return text + with_commands(kZshEnd, commands);
}

}  // namespace orrery
