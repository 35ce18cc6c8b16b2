// SPDX-License-Identifier: MIT
#include "app/manual/footer.hpp"

#include <CLI/CLI.hpp>
#include <string_view>

namespace orrery {
namespace {

constexpr std::string_view kExamples = "Examples:", kExit = "Exit codes: ";

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

}  // namespace orrery
