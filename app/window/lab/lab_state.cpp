// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "assets/assets.hpp"
#include "core/lab/figures.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

template <class T>
T value_or(const LabValue& value, T otherwise) {
    const T* known = std::get_if<T>(&value);
    return known ? *known : otherwise;
}

/// I for this time of the map, with the reference at its median.
double improvement_at(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const double time = value_or(lab_cell(table, row, column), 0.0);
    const double median = value_or(lab_cell(table, row, "median_ms"), 0.0);
    return time > 0 ? value_or(lab_cell(table, row, "improvement"), 0.0) * median / time : 0;
}

}  // namespace

LabConfig LabSettings::config() const {
    LabConfig config{.backend = backend, .maps = maps, .roots = roots, .rho = rho, .repeat = repeat};
    config.strips = {strip};
    config.kernel = kernel;
    for (const std::string& count : features) config.features.push_back(std::stoi(count));
    for (std::uint64_t bodies = from; bodies <= to; bodies += std::max(1u, step))
        config.bodies.push_back(static_cast<std::uint32_t>(bodies));
    return config;
}

LabValue lab_cell(const LabTable& table, const std::vector<LabValue>& row, std::string_view column) {
    const auto found = std::ranges::find(table.columns, column);
    if (found == table.columns.end()) return {};
    return row[static_cast<std::size_t>(found - table.columns.begin())];
}

std::vector<LabSpread> lab_spreads(const LabTable& table) {
    std::vector<LabSpread> all;
    for (const auto& row : table.rows) {
        const auto of = [&](std::string_view column) { return lab_cell(table, row, column); };
        const std::string map = value_or(of("map"), std::string{}), root = value_or(of("root"), std::string{});
        const double least = improvement_at(table, row, "p90_ms"), most = improvement_at(table, row, "p10_ms");
        if (least > 0 && most > 0)
            all.push_back({root.empty() ? map : map + " " + root, value_or(of("dimensions"), std::int64_t{0}),
                           value_or(of("bodies"), std::int64_t{0}), least, most});
    }
    return all;
}

std::vector<LabBar> lab_bars(const LabTable& table) {
    std::vector<LabBar> bars;
    if (table.rows.empty() || std::ranges::find(table.columns, "improvement") == table.columns.end()) return bars;
    const auto of = [&](const auto& row, std::string_view column) { return lab_cell(table, row, column); };
    const auto& last = table.rows.back();
    for (const auto& row : table.rows) {
        const bool same_box = of(row, "dimensions") == of(last, "dimensions");
        LabBar bar{.map = value_or(of(row, "map"), std::string{}),
                   .root = value_or(of(row, "root"), std::string{}),
                   .bodies = value_or(of(row, "bodies"), std::int64_t{0}),
                   .rho = value_or(of(row, "rho"), std::int64_t{0}),
                   .median_ms = value_or(of(row, "median_ms"), 0.0),
                   .improvement = value_or(of(row, "improvement"), 0.0),
                   .least = improvement_at(table, row, "p90_ms"),
                   .most = improvement_at(table, row, "p10_ms"),
                   .right = value_or(of(row, "verified"), false),
                   .why = value_or(of(row, "why"), std::string{}),
                   .newest = same_box && of(row, "bodies") == of(last, "bodies")};
        const auto known =
            std::ranges::find_if(bars, [&](const LabBar& b) { return b.map == bar.map && b.root == bar.root; });
        if (known == bars.end())
            bars.push_back(std::move(bar));
        else
            *known = std::move(bar);
    }
    return bars;
}

namespace {

constexpr std::string_view kGhostFile = "../bench/results/h200/ghost.csv";

/// The bar that the sentence is about.
const LabBar* bar_in_words(const LabState& lab, std::string_view reference) {
    const LabBar* best = nullptr;
    for (const LabBar& bar : lab.bars) {
        if (!bar.newest || !bar.right || bar.improvement <= 0 || bar.map == reference) continue;
        const auto rank = [](const LabBar& each) {
            return std::pair{each.map == "lambda" || each.map == "lambda3" || each.map == "lambda4", each.improvement};
        };
        if (!best || rank(bar) > rank(*best)) best = &bar;
    }
    return best;
}

std::string waste_sentence(const LabTable& table) {
    if (table.rows.empty()) return {};
    const auto blocks = [&](const std::vector<LabValue>& row) {
        return lab_number(lab_cell(table, row, "launched_blocks"));
    };
    const auto is = [&](const std::vector<LabValue>& row, const char* map) {
        return lab_cell(table, row, "map") == LabValue{std::string{map}} &&
               lab_cell(table, row, "bodies") == lab_cell(table, table.rows.back(), "bodies");
    };
    const std::vector<LabValue>*box = nullptr, *line = nullptr;
    for (const auto& row : table.rows) {
        if (is(row, "bb")) box = &row;
        if (is(row, "lambda")) line = &row;
    }
    if (!box || !line) return {};
    return phrase("With N = {} {} launches {:.3f} × the blocks of {}.",
                  grouped(std::get<std::int64_t>(lab_cell(table, *box, "bodies"))), lab_name("bb"),
                  blocks(*box) / blocks(*line), lab_name("lambda"));
}

template <class Number>
Number number_in(std::string_view text) {
    Number number{};
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<std::string_view> split(std::string_view line, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t end = 0; end != std::string_view::npos; line.remove_prefix(std::min(line.size(), end + 1))) {
        end = line.find(at);
        parts.push_back(line.substr(0, end));
    }
    return parts;
}

}  // namespace

std::string lab_name(std::string_view map, std::string_view root) {
    const bool known = std::ranges::find(lab_forms(), map, &LabForm::id) != lab_forms().end();
    const std::string_view name = known ? tr(form_note(map).name) : map;
    return root.empty() ? std::string{name} : fmt::format("{} · {}", name, root);
}

std::string lab_sentence(const LabState& lab) {
    if (lab.run.experiment == "waste") return waste_sentence(lab.run.table);
    const std::vector<std::string_view> forms = forms_of(lab.run.experiment);
    if (forms.empty()) return {};
    const LabBar* bar = bar_in_words(lab, forms.front());
    if (!bar) return {};
    const LabBound bound =
        lab_bound(lab.run.experiment, static_cast<std::uint64_t>(bar->bodies), static_cast<std::uint32_t>(bar->rho));
    const std::string name = lab_name(bar->map, bar->root), other = lab_name(forms.front());
    std::string text = bar->improvement >= 1
                           ? phrase("{} is {:.2f} × as fast as {} with N = {}; at most {:.3f} × is possible.", name,
                                    bar->improvement, other, grouped(bar->bodies), bound.improvement)
                           : phrase("{} takes {:.2f} × the time of {} with N = {}.", name, 1 / bar->improvement, other,
                                    grouped(bar->bodies));
    if (bar->most > bar->least && bar->least <= 1 && bar->most >= 1)
        text += ' ' + phrase("The difference is within the spread.");
    return translated(text);
}

const std::vector<LabGhost>& lab_ghosts() {
    static const std::vector<LabGhost> all = [] {
        std::vector<LabGhost> ghosts;
        const auto lines = split(assets::file(kGhostFile), '\n');
        for (std::size_t i = 1; i < lines.size(); ++i) {  // after the names of the columns
            const auto cells = split(lines[i], ',');
            if (cells.size() < 8) continue;
            const auto dimensions = number_in<std::int64_t>(cells[5]);
            auto ghost = std::ranges::find_if(ghosts, [&](const LabGhost& each) {
                return each.experiment == cells[0] && each.dimensions == dimensions;
            });
            if (ghost == ghosts.end())
                ghost = ghosts.insert(
                    ghosts.end(),
                    {std::string{cells[0]}, std::string{cells[1]}, std::string{cells[7]}, dimensions, {}});
            ghost->points.push_back({number_in<double>(cells[4]), number_in<double>(cells[6])});
        }
        return ghosts;
    }();
    return all;
}

const LabGhost* ghost_of(const LabState& lab, std::int64_t dimensions) {
    if (lab.run.config.backend != Backend::kCpu) return nullptr;
    const auto found = std::ranges::find_if(lab_ghosts(), [&](const LabGhost& each) {
        return each.experiment == lab.run.experiment && each.dimensions == dimensions;
    });
    return found == lab_ghosts().end() ? nullptr : &*found;
}

}  // namespace orrery
