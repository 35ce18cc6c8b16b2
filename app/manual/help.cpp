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

#include "app/manual/completions.hpp"
#include "app/manual/footer.hpp"
#include "app/manual/taken.hpp"

namespace orrery {
namespace {

/// Settings that the short help shows; options that are no settings are all in it.
constexpr auto kEveryday = std::to_array<std::string_view>(
    {"--bodies",   "--seed",     "--softening", "--engine",     "--backend",  "--precision",
     "--accuracy", "--theta",    "--threads",   "--integrator", "--adaptive", "--encounters",
     "--mode",     "--color-by", "--color-map", "--legend",     "--yaw",      "--pitch",
     "--zoom",     "--fps",      "--width",     "--height",     "--quality",  "--steps-per-frame",
     "--x",        "--y",        "--bins",      "--of"});

constexpr std::size_t kNames = 24, kIndent = 2;  // columns that names of options take at most, and before them

/// Characters of UTF-8.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// The words of a text in lines, each behind `indent` blanks; the first line continues one that has `used` columns.
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

/// A name, and in a column beside it the words about it.
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
std::string head_of(const CLI::Option& option, const Taken& taken) {
    std::string head = fmt::format("{}", fmt::join(spellings(option), ", "));
    if (taken.kind != Taken::Kind::kNothing)
        head += fmt::format(" {}{}", placeholder(taken), taken.several ? ",…" : "");
    return head;
}

/// The facts that the text does not state already.
std::string facts_of(const CLI::Option& option, const Taken& taken, const std::string& text, HelpLength length) {
    constexpr std::size_t kMany = 9;  // words, which `orrery list` shows too
    const bool told = taken.kind != Taken::Kind::kWord || text.find(taken.words.back()) != std::string::npos;
    std::vector<std::string> facts;
    if (!told && (length == HelpLength::kWhole || taken.words.size() <= kMany))
        facts.push_back(fmt::format("{}", fmt::join(taken.words, ", ")));
    if (const std::string range = range_of(option); !range.empty()) facts.push_back(range);
    if (option.get_required()) facts.emplace_back("required");
    if (const std::string standard = option.get_default_str(); !standard.empty())
        facts.push_back("default " + standard);
    return facts.empty() ? "" : fmt::format(" ({})", fmt::join(facts, "; "));
}

/// Of a setting what it is; of another option what it does. "1: all bodies are visible" begins with a value, which says
/// nothing by itself.
std::string cut_short(const CLI::Option& option, const std::string& text) {
    if (const std::string name = in_short(option); is_setting(option) && name.find(' ') != std::string::npos)
        return name;
    return text.substr(0, std::min(text.find("; "), text.find(". ")));
}

std::string words_about(const CLI::Option& option, HelpLength length) {
    const std::string whole = says(option);
    const std::string text = length == HelpLength::kShort ? cut_short(option, whole) : whole;
    return text + facts_of(option, taken_by(option), text, length);
}

bool is_shown(const CLI::Option& option, HelpLength length) {
    return length == HelpLength::kWhole || !is_setting(option) ||
           std::ranges::find(kEveryday, first_name(option)) != kEveryday.end();
}

/// "Engine, tree engines": options of some engines only stand below the others.
std::string heading_of(const CLI::Option& option) {
    std::string heading = option.get_group();
    if (const std::string of = group_of(option); !of.empty()) {
        heading += ": " + of;
        heading[option.get_group().size() + 2] |= 0x20;  // in small letters
    }
    return heading;
}

struct Section {
    std::string heading, text;
};

/// Headings of the same subject, such as "Engine" and "Engine: tree engines", have the same place.
std::size_t place_of(std::string_view heading) {
    static constexpr auto kOrder = std::to_array<std::string_view>(
        {"Scene", "Steps", "Engine", "View", "Output", "Long runs", "Window", "Options"});
    const auto found = std::ranges::find(kOrder, heading.substr(0, heading.find(':')));
    return static_cast<std::size_t>(found - kOrder.begin());
}

std::vector<Section> sections_of(const CLI::App& app, std::size_t columns, HelpLength length, std::size_t& left_out) {
    std::vector<Section> sections;
    for (const CLI::Option* option : options_of(app)) {
        if (option->get_positional()) continue;  // among the arguments
        if (!is_shown(*option, length)) {
            ++left_out;
            continue;
        }
        const std::string heading = length == HelpLength::kWhole ? heading_of(*option) : option->get_group();
        auto section = std::ranges::find(sections, heading, &Section::heading);
        if (section == sections.end()) section = sections.insert(section, {heading, ""});
        section->text += row(head_of(*option, taken_by(*option)), words_about(*option, length), columns);
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
        const Taken taken = taken_by(*option);
        const std::string says_it = says(*option);
        const bool words = taken.kind == Taken::Kind::kWord;
        text += row(option->get_name(true),
                    says_it + (words ? facts_of(*option, taken, says_it, HelpLength::kWhole) : ""), columns);
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
    if (example.says.empty()) return line + '\n';
    if (width_of(line) + kBetween + width_of(example.says) <= columns)
        return line + std::string(kBetween, ' ') + example.says + '\n';
    return line + '\n' + std::string(kBelow, ' ') + wrapped(example.says, columns, kBelow, kBelow);
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

}  // namespace

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
