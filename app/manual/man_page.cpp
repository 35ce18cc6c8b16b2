// SPDX-License-Identifier: MIT
#include "app/manual/man_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "app/manual/completions.hpp"
#include "app/manual/footer.hpp"
#include "app/manual/option_arguments.hpp"
#include "core/base/version.hpp"

namespace orrery {
namespace {

/// Text in troff: `x` is bold; dashes can be copied and never end a line.
std::string troff(std::string_view text) {
    std::string out;
    bool code = false;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '`')
            out += (code = !code) ? "\\fB" : "\\fR";
        else
            out += c;
    }
    if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + troff(text) + "\\fR"; }
/// A reference to a manual page.
std::string reference(std::string_view page) { return bold(page) + "(1)"; }

std::string names_of(const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) names.push_back(first_name(*option));
    std::ranges::sort(names);  // the set is by address
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + bold(name);
    return text;
}

/// Purpose, values, default, and the options it excludes or needs.
std::string paragraph(const CLI::Option& option, const OptionArgument& argument) {
    std::string text = troff(plain_description(option));
    if (const std::string range = range_of(option); !range.empty()) text += " (" + range + ")";
    text += '.';
    if (argument.kind == OptionArgument::Kind::kWord && text.find(troff(argument.words.back())) == std::string::npos)
        text += fmt::format(" One of {}.", fmt::join(argument.words, ", "));
    if (argument.kind == OptionArgument::Kind::kFile && !argument.words.empty())
        text += fmt::format(" Names: {}.", troff(fmt::format("{}", fmt::join(argument.words, ", "))));
    if (option.get_required()) text += " Required.";
    if (const std::string standard = option.get_default_str(); !standard.empty())
        text += " Default: " + troff(standard) + ".";
    if (const std::string others = names_of(option.get_excludes()); !others.empty())
        text += " Not with " + others + ".";
    if (const std::string others = names_of(option.get_needs()); !others.empty()) text += " Only with " + others + ".";
    return text;
}

std::string value_of(const OptionArgument& argument) {
    const std::string value = italic(placeholder(argument));
    return argument.several ? value + "[," + value + "...]" : value;
}

std::string entry(const CLI::Option& option) {
    const OptionArgument argument = argument_of(option);
    std::string head;
    for (const std::string& name : spellings(option)) head += (head.empty() ? "" : ", ") + bold(name);
    if (argument.kind != OptionArgument::Kind::kNothing) head += ' ' + value_of(argument);
    const std::string text =
        option.get_positional() ? "The same as " + italic(option.get_name(true)) + '.' : paragraph(option, argument);
    return ".TP\n" + head + '\n' + text + '\n';
}

std::string synopsis(const CLI::App& app) {
    std::string text = ".SH SYNOPSIS\n" + bold(app.get_parent() ? "orrery " + app.get_name() : "orrery");
    text += " [" + italic("OPTIONS") + "]";
    for (const CLI::Option* option : positionals_of(app)) {
        const std::string name = italic(option->get_name(true));
        text += option->get_required() ? ' ' + name : " [" + name + ']';
    }
    text += '\n';
    if (!app.get_parent()) text += ".br\n" + bold("orrery") + ' ' + italic("COMMAND") + " [" + italic("...") + "]\n";
    return text;
}

std::string arguments(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : positionals_of(app))
        text += ".TP\n" + italic(option->get_name(true)) + '\n' + paragraph(*option, argument_of(*option)) + '\n';
    return text.empty() ? text : ".SH ARGUMENTS\n" + text;
}

/// General options first, then each group.
std::string options(const CLI::App& app) {
    std::vector<std::pair<std::string, std::string>> groups{{"", ""}};
    for (const CLI::Option* option : options_of(app)) {
        const std::string name = group_of(*option);
        auto group = std::ranges::find(groups, name, &std::pair<std::string, std::string>::first);
        if (group == groups.end()) group = groups.insert(group, {name, ""});
        group->second += entry(*option);
    }
    std::string text = ".SH OPTIONS\n";
    for (const auto& [name, entries] : groups) text += (name.empty() ? "" : ".SS " + troff(name) + '\n') + entries;
    return text;
}

std::string description_of(const Footer& footer) {
    std::string text;
    for (const Footer::Paragraph& paragraph : footer.description) {
        if (paragraph.verbatim)
            text += ".PP\n.RS 4\n" + bold(paragraph.text) + "\n.RE\n";
        else
            text += (text.empty() ? "" : ".PP\n") + troff(paragraph.text) + '\n';
    }
    return text;
}

std::string examples_of(const Footer& footer) {
    std::string text;
    for (const Footer::Example& example : footer.examples)
        text += ".TP\n" + bold(example.command) + '\n' +
                (example.explanation.empty() ? "" : troff(example.explanation) + '\n');
    return text.empty() ? text : ".SH EXAMPLES\n" + text;
}

std::string commands_of(const CLI::App& root) {
    std::string text = ".SH COMMANDS\nEach has its own page.\n";
    for (const CLI::App* command : root.get_subcommands({}))
        text += ".TP\n" + reference(page_name(*command)) + '\n' + troff(command->get_description()) + ".\n";
    return text;
}

std::string see_also(const CLI::App& app, const CLI::App& root) {
    std::string text;
    for (const CLI::App* other : apps_of(root))
        if (other != &app) text += (text.empty() ? "" : ",\n") + reference(page_name(*other));
    return ".SH SEE ALSO\n" + text + '\n';
}

/// "Orrery, a program." as the line for whatis(1): "program".
std::string in_a_line(std::string text) {
    static constexpr std::string_view kName = "Orrery, a ";
    if (text.starts_with(kName)) text.erase(0, kName.size());
    if (text.ends_with('.')) text.pop_back();
    if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

}  // namespace

std::string page_name(const CLI::App& app) { return app.get_parent() ? "orrery-" + app.get_name() : "orrery"; }

std::string man_page(const CLI::App& app) {
    const CLI::App& root = app.get_parent() ? *app.get_parent() : app;
    const Footer footer = footer_of(app);
    std::string upper = page_name(app);
    std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    std::string text = fmt::format(".TH {} 1 \"\" \"orrery {}\" \"User Commands\"\n", troff(upper), version());
    text += ".nh\n.ad l\n.SH NAME\n" + troff(page_name(app)) + " \\- " + troff(in_a_line(app.get_description())) + '\n';
    text += synopsis(app);
    std::string description = app.get_description();
    if (!description.ends_with('.')) description += '.';
    text += ".SH DESCRIPTION\n" + troff(description) + '\n' + description_of(footer);
    if (&app == &root) text += commands_of(root);
    text += arguments(app) + options(app);
    text += ".SH EXIT STATUS\n" + troff(footer_of(root).exit_codes) + '\n';
    if (&app == &root)
        text += ".SH FILES\n.TP\n" + italic("$XDG_CONFIG_HOME/orrery/settings.toml") + ", " +
                italic("~/.config/orrery/settings.toml") +
                "\nSettings that the window remembers. Other commands never read it.\n";
    return text + examples_of(footer) + see_also(app, root);
}

}  // namespace orrery
