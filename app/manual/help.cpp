// SPDX-License-Identifier: MIT
#include "app/manual/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {
namespace {

/// Settings in the short help.
constexpr auto kEveryday = std::to_array<std::string_view>(
    {"--bodies",   "--seed",     "--softening", "--engine",     "--backend",  "--precision",
     "--accuracy", "--theta",    "--threads",   "--integrator", "--adaptive", "--encounters",
     "--mode",     "--color-by", "--color-map", "--legend",     "--yaw",      "--pitch",
     "--zoom",     "--fps",      "--width",     "--height",     "--quality",  "--steps-per-frame",
     "--x",        "--y",        "--bins",      "--of"});
/// Options that are not settings and not in the short help.
constexpr auto kRare =
    std::to_array<std::string_view>({"--allow-kernels", "--gl-device", "--halo", "--halo-circles", "--motion-vectors",
                                     "--ranks", "--shutter-samples", "--ui-map"});

constexpr std::size_t kNames = 24, kIndent = 2;  // columns: maximum width of an option's names, and indent before them

/// Number of UTF-8 characters.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Wraps a text into lines indented by `indent` blanks; the first continues a line that already has `used` columns.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t used) {
    std::string out;
    bool first = true;  // word of its line
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        if (!first && used + 1 + width_of(word) > columns) {
            out += '\n' + std::string(indent, ' ');
            used = indent, first = true;
        }
        out += first ? "" : " ";
        out += word;
        used += width_of(word) + (first ? 0 : 1);
        first = false;
    }
    return out + '\n';
}

std::string filled(std::string_view text, std::size_t columns) { return wrapped(text, columns, 0, 0); }

/// A name, with its description in a column beside it.
std::string row(const std::string& name, const std::string& words, std::size_t columns) {
    const std::size_t indent = kIndent + kNames + 2, used = kIndent + width_of(name);
    std::string line = std::string(kIndent, ' ') + wrapped(name, columns, kIndent, kIndent);  // ends the line
    if (used + 2 > indent)
        line += std::string(indent, ' ');
    else
        line.back() = ' ', line += std::string(indent - used - 1, ' ');
    return line + wrapped(words, columns, indent, indent);
}

/// "-o, --output FILE".
std::string head_of(const CLI::Option& option, const OptionArgument& argument) {
    std::string head = fmt::format("{}", fmt::join(spellings(option), ", "));
    if (argument.kind != OptionArgument::Kind::kNothing)
        head += fmt::format(" {}{}", placeholder(argument), argument.several ? ",…" : "");
    return head;
}

/// The facts that the text does not state.
std::string facts_of(const CLI::Option& option, const OptionArgument& argument, const std::string& text,
                     HelpLength length) {
    constexpr std::size_t kMany = 9;  // words; `orrery list` shows them too
    const bool listed =
        argument.kind != OptionArgument::Kind::kWord || text.find(argument.words.back()) != std::string::npos;
    std::vector<std::string> facts;
    if (!listed && (length == HelpLength::kWhole || argument.words.size() <= kMany))
        facts.push_back(fmt::format("{}", fmt::join(argument.words, ", ")));
    if (const std::string range = range_of(option); !range.empty()) facts.push_back(range);
    if (option.get_required()) facts.emplace_back("required");
    if (const std::string standard = option.get_default_str(); !standard.empty())
        facts.push_back("default " + standard);
    return facts.empty() ? "" : fmt::format(" ({})", fmt::join(facts, "; "));
}

/// The label of a setting; the first clause of other options. A label such as "1: all bodies are visible" begins with a
/// value and means nothing by itself.
std::string cut_short(const CLI::Option& option, const std::string& text) {
    if (const std::string name = short_description(option); is_setting(option) && name.find(' ') != std::string::npos)
        return name;
    return text.substr(0, std::min(text.find("; "), text.find(". ")));
}

std::string words_about(const CLI::Option& option, HelpLength length) {
    const std::string whole = plain_description(option);
    const std::string text = length == HelpLength::kShort ? cut_short(option, whole) : whole;
    return text + facts_of(option, argument_of(option), text, length);
}

bool is_shown(const CLI::Option& option, HelpLength length) {
    const auto is_in = [&](const auto& names) { return std::ranges::find(names, first_name(option)) != names.end(); };
    return length == HelpLength::kWhole || (is_setting(option) ? is_in(kEveryday) : !is_in(kRare));
}

/// "Engine: tree engines": options of some engines only are listed below the others.
std::string heading_of(const CLI::Option& option) {
    std::string heading = option.get_group();
    if (const std::string of = group_of(option); !of.empty()) {
        heading += ": " + of;
        heading[option.get_group().size() + 2] |= 0x20;  // lower case
    }
    return heading;
}

struct Section {
    std::string heading, text;
};

/// Headings of one subject, such as "Engine" and "Engine: tree engines", share a place.
std::size_t place_of(std::string_view heading) {
    static constexpr auto kOrder = std::to_array<std::string_view>(
        {"Scene", "Steps", "Engine", "View", "Output", "Long runs", "Window", "Options"});
    const auto found = std::ranges::find(kOrder, heading.substr(0, heading.find(':')));
    return static_cast<std::size_t>(found - kOrder.begin());
}

std::vector<Section> sections_of(const CLI::App& app, std::size_t columns, HelpLength length, std::size_t& left_out) {
    std::vector<Section> sections;
    for (const CLI::Option* option : options_of(app)) {
        if (option->get_positional()) continue;  // listed with the arguments
        if (!is_shown(*option, length)) {
            ++left_out;
            continue;
        }
        const std::string heading = length == HelpLength::kWhole ? heading_of(*option) : option->get_group();
        auto section = std::ranges::find(sections, heading, &Section::heading);
        if (section == sections.end()) section = sections.insert(section, {heading, ""});
        section->text += row(head_of(*option, argument_of(*option)), words_about(*option, length), columns);
    }
    std::ranges::stable_sort(sections, {}, [](const Section& each) { return place_of(each.heading); });
    return sections;
}

std::string command_line(const CLI::App& app) { return app.get_parent() ? "orrery " + app.get_name() : "orrery"; }

std::string usage_of(const CLI::App& app) {
    std::string text = fmt::format("Usage: {} [OPTIONS]", command_line(app));
    for (const CLI::Option* option : positionals_of(app)) {
        const std::string name = option->get_name(true);
        text += option->get_required() ? ' ' + name : fmt::format(" [{}]", name);
    }
    return text + (app.get_parent() ? "\n" : "\n       orrery COMMAND [OPTIONS] …\n");
}

std::string rows_of_arguments(const CLI::App& app, std::size_t columns) {
    std::string text;
    for (const CLI::Option* option : positionals_of(app)) {
        const OptionArgument argument = argument_of(*option);
        const std::string description = plain_description(*option);
        const bool words = argument.kind == OptionArgument::Kind::kWord;
        text += row(option->get_name(true),
                    description + (words ? facts_of(*option, argument, description, HelpLength::kWhole) : ""), columns);
    }
    return text.empty() ? text : "\nArguments:\n" + text;
}

std::string rows_of_commands(const CLI::App& root, std::size_t columns) {
    std::string text;
    for (const CLI::App* command : root.get_subcommands({}))
        text += row(command->get_name(), command->get_description(), columns);
    return text.empty() ? text : "\nCommands:\n" + text;
}

std::string example_text(const Footer::Example& example, std::size_t columns) {
    constexpr std::size_t kBetween = 4, kBelow = 6;
    const std::string line = std::string(kIndent, ' ') + example.command;
    if (example.explanation.empty()) return line + '\n';
    if (width_of(line) + kBetween + width_of(example.explanation) <= columns)
        return line + std::string(kBetween, ' ') + example.explanation + '\n';
    return line + '\n' + std::string(kBelow, ' ') + wrapped(example.explanation, columns, kBelow, kBelow);
}

std::string footer_text(const CLI::App& app, std::size_t columns, HelpLength length) {
    const Footer footer = footer_of(app);
    std::string text;
    for (const Footer::Paragraph& each : footer.description)
        text += each.verbatim ? std::string(kIndent, ' ') + each.text + '\n' : '\n' + filled(each.text, columns);
    if (length == HelpLength::kShort && footer.description.size() > 1)
        text = '\n' + filled(footer.description.front().text, columns);
    if (!footer.examples.empty()) text += "\nExamples:\n";
    for (const Footer::Example& example : footer.examples) text += example_text(example, columns);
    if (!footer.exit_codes.empty()) text += '\n' + filled("Exit codes: " + footer.exit_codes, columns);
    return text;
}

std::string without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return std::string{text.substr(first, text.find_last_not_of(' ') - first + 1)};
}

Footer::Example example_of(std::string_view line) {
    line.remove_prefix(line.find_first_not_of(' '));
    const std::size_t gap = line.find("  ");
    if (gap == std::string_view::npos) return {std::string{line}, {}};
    return {std::string{line.substr(0, gap)}, without_blanks(line.substr(gap))};
}

}  // namespace

Footer footer_of(const CLI::App& app) {
    constexpr std::string_view kExamples = "Examples:", kExit = "Exit codes: ";
    Footer footer;
    bool examples = false, joins = false;  // joins: a line of prose continues the last paragraph
    std::string rest = app.get_footer();
    while (!rest.empty()) {
        std::string line = rest.substr(0, rest.find('\n'));
        rest.erase(0, line.size() + 1);
        if (line.starts_with("  ")) {
            if (examples)
                footer.examples.push_back(example_of(line));
            else
                footer.description.push_back({without_blanks(line), true});
            joins = false;
            continue;
        }
        examples = line.ends_with(kExamples);
        if (line.starts_with(kExit)) {
            footer.exit_codes = line.substr(kExit.size());
            continue;
        }
        if (examples) line.resize(line.size() - kExamples.size());
        line = without_blanks(line);
        if (line.empty()) continue;
        if (joins)
            footer.description.back().text += ' ' + line;
        else
            footer.description.push_back({line});
        joins = true;
    }
    return footer;
}

std::string help_text(const CLI::App& app, std::size_t columns, HelpLength length) {
    std::string description = app.get_description();
    if (!description.ends_with('.')) description += '.';
    std::string text = filled(description, columns) + '\n' + usage_of(app) + rows_of_commands(app, columns) +
                       rows_of_arguments(app, columns);
    std::size_t left_out = 0;
    for (const Section& section : sections_of(app, columns, length, left_out))
        text += fmt::format("\n{}:\n{}", section.heading, section.text);
    if (left_out > 0)
        text +=
            fmt::format("\n{} more option{}: {} --help-all\n", left_out, left_out == 1 ? "" : "s", command_line(app));
    return text + footer_text(app, columns, length);
}

}  // namespace orrery
