// SPDX-License-Identifier: MIT
#include "app/manual/man_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "app/manual/completions.hpp"
#include "app/manual/taken.hpp"
#include "core/base/version.hpp"

namespace orrery {
namespace {

/// Text as troff prints it: `x` bold, and dashes that can be copied and are not where a line ends.
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
/// The reference to a page.
std::string reference(std::string_view page) { return bold(page) + "(1)"; }

/// "INT:INT in [1 - 64]" says "1 to 64" behind its type, and so on; empty: any.
std::string range_of(const std::string& type) {
    std::string text;
    for (std::size_t at = type.find(':'); at != std::string::npos; at = type.find(':', at + 1)) {
        std::string part = type.substr(at + 1, type.find(':', at + 1) - at - 1);
        if (part == "POSITIVE") {
            part = "greater than 0";
        } else if (const std::size_t open = part.find('['); open != std::string::npos) {
            part = part.substr(open + 1, part.find(']') - open - 1);
            part.replace(part.find(" - "), 3, " to ");
        } else if (part.starts_with('{')) {
            continue;  // its words are told
        }
        text += (text.empty() ? "" : ", ") + part;
    }
    return text;
}

std::string names_of(const std::set<CLI::Option*>& options) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options) names.push_back(first_name(*option));
    std::ranges::sort(names);  // the set is by address
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + bold(name);
    return text;
}

/// What it does, what it takes, what counts without it, what it goes with.
std::string paragraph(const CLI::Option& option, const Taken& taken) {
    std::string text = troff(says(option));
    if (const std::string range = range_of(option.get_type_name()); !range.empty()) text += " (" + range + ")";
    text += '.';
    if (taken.kind == Taken::Kind::kWord && text.find(troff(taken.words.back())) == std::string::npos)
        text += fmt::format(" One of {}.", fmt::join(taken.words, ", "));
    if (option.get_required()) text += " Required.";
    if (const std::string standard = option.get_default_str(); !standard.empty())
        text += " Default: " + troff(standard) + ".";
    if (const std::string others = names_of(option.get_excludes()); !others.empty())
        text += " Not with " + others + ".";
    if (const std::string others = names_of(option.get_needs()); !others.empty()) text += " Only with " + others + ".";
    return text;
}

std::string value_of(const Taken& taken) {
    const std::string value = italic(placeholder(taken));
    return taken.several ? value + "[," + value + "...]" : value;
}

std::string entry(const CLI::Option& option) {
    const Taken taken = taken_by(option);
    std::string head;
    for (const std::string& name : spellings(option)) head += (head.empty() ? "" : ", ") + bold(name);
    if (taken.kind != Taken::Kind::kNothing) head += ' ' + value_of(taken);
    const std::string text =
        option.get_positional() ? "The same as " + italic(option.get_name(true)) + '.' : paragraph(option, taken);
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
        text += ".TP\n" + italic(option->get_name(true)) + '\n' + paragraph(*option, taken_by(*option)) + '\n';
    return text.empty() ? text : ".SH ARGUMENTS\n" + text;
}

/// Those of everything first, then group by group.
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

/// What stands below the options of --help, in its parts.
struct Footer {
    std::string description, examples, exit_codes;
};

void add_example(Footer& footer, const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' '), gap = line.find("  ", begin);
    footer.examples += ".TP\n" + bold(line.substr(begin, gap - begin)) + '\n';
    if (gap != std::string::npos) footer.examples += troff(line.substr(line.find_first_not_of(' ', gap))) + '\n';
}

Footer footer_of(const CLI::App& app) {
    static constexpr std::string_view kExamples = "Examples:", kExit = "Exit codes: ";
    Footer footer;
    bool resumed = false;  // behind the examples
    std::string rest = app.get_footer();
    while (!rest.empty()) {
        std::string line = rest.substr(0, rest.find('\n'));
        rest.erase(0, line.size() + 1);
        if (line.starts_with("  ")) {
            add_example(footer, line);
        } else if (line.starts_with(kExit)) {
            footer.exit_codes = troff(line.substr(kExit.size())) + '\n';
        } else {
            if (line.ends_with(kExamples)) line.resize(line.size() - kExamples.size());
            while (line.ends_with(' ')) line.pop_back();
            if (line.empty()) continue;
            if (!footer.examples.empty() && !resumed) footer.description += ".PP\n";
            resumed = !footer.examples.empty();
            footer.description += troff(line) + '\n';
        }
    }
    return footer;
}

std::string commands_of(const CLI::App& root) {
    std::string text = ".SH COMMANDS\nEach has a page of its own.\n";
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

/// "Orrery, a program." as the line of whatis(1): "program".
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
    text += ".SH DESCRIPTION\n" + troff(description) + '\n' + footer.description;
    if (&app == &root) text += commands_of(root);
    text += arguments(app) + options(app);
    text += ".SH EXIT STATUS\n" + footer_of(root).exit_codes;
    if (&app == &root)
        text += ".SH FILES\n.TP\n" + italic("$XDG_CONFIG_HOME/orrery/settings.toml") + ", " +
                italic("~/.config/orrery/settings.toml") +
                "\nWhat the window remembers. The other commands never read it.\n";
    if (!footer.examples.empty()) text += ".SH EXAMPLES\n" + footer.examples;
    return text + see_also(app, root);
}

}  // namespace orrery
