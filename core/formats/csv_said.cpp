// SPDX-License-Identifier: MIT
#include "core/formats/csv_said.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/menu.hpp"
#include "core/base/text.hpp"
#include "core/formats/csv_text.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/physics/units.hpp"

namespace orrery::csv_text {
namespace {

struct Refusal {
    std::string why;
};

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... args) {
    throw Refusal{fmt::format(why, std::forward<Args>(args)...)};
}

void take_setting(std::string_view word, Said& said) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (key == "length_unit" || key == "mass_unit") {
        if (equals == std::string_view::npos || equals + 1 == word.size()) refuse("expected {}=WORD", key);
        (key == "length_unit" ? said.length_unit : said.mass_unit) = word.substr(equals + 1);
        return;
    }
    if (key == "law") {
        const auto law =
            std::ranges::find(pair_laws(), word.substr(std::min(equals, word.size() - 1) + 1), &PairLawEntry::id);
        if (law == pair_laws().end()) refuse("expected law={}, found \"{}\"", ids(pair_laws()), shown(word));
        said.law = law->value;
        return;
    }
    const auto found = equals == std::string_view::npos ? std::nullopt : number(word.substr(equals + 1));
    const double value = found.value_or(std::numeric_limits<double>::quiet_NaN());  // outside every range below
    const auto set = [&](auto& to, bool good, const char* expected) {
        if (!good) refuse("expected {} {}, found \"{}\"", key, expected, shown(word));
        to = static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(value);
    };
    const bool finite = std::isfinite(value);
    const auto counts = [&](double most) {
        return finite && value >= 1 && value <= most && value == std::floor(value);
    };
    if (key == "bodies")
        set(said.bodies, counts(1e15), "to be a count");
    else if (key == "steps_per_frame")
        set(said.steps_per_frame, counts(1e6), "to be a count up to 1000000");
    else if (key == "G")
        set(said.constant, finite && value > 0, "to be positive");
    else if (key == "softening")
        set(said.softening, finite && value >= 0, "not to be negative");
    else if (key == "sigma" || key == "cut_off")
        set(key == "sigma" ? said.sigma : said.cut_off, finite && value >= 0, "not to be negative");
    else if (key == "dt")
        set(said.dt, finite && value > 0, "to be positive");
    else if (key == "time")
        set(said.time, finite, "to be finite");
    else if (key == "scale_factor")
        set(said.scale_factor, finite && value >= 0, "not to be negative");
    else if (key == "days_per_time")
        set(said.days_per_time, finite && value >= 0, "not to be negative");
    else
        refuse(
            "expected bodies, G, softening, law, sigma, cut_off, dt, time, scale_factor, days_per_time, "
            "length_unit, mass_unit or steps_per_frame, found \"{}\"",
            shown(word));
}

}  // namespace

std::string take_comment(std::string_view comment, Said& said) {
    constexpr std::string_view kOurs = "orrery:";
    if (comment.starts_with(kOurs)) {
        Fields words;
        split(comment.substr(kOurs.size()), ' ', words);
        try {
            for (const std::string_view word : words) take_setting(word, said);
        } catch (const Refusal& refusal) {
            return refusal.why;
        }
        return {};
    }
    const std::string plain = lower_case(without_blanks(comment));
    if (plain.find("yr/2pi") != std::string::npos || plain.find("yr/(2pi)") != std::string::npos)
        said.days_per_time = kGaussianDays;  // such files have G = 1, which makes it the Gaussian year
    return {};
}

}  // namespace orrery::csv_text
