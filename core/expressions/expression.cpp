// SPDX-License-Identifier: MIT
#include "core/expressions/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kAtOnce = 4096;

/// A constant in cgs (CODATA 2018; IAU 2015 B3 for the Sun), with its unit.
struct Constant {
    std::string_view name;
    double value;
    UnitPowers unit = {};
    bool physical = true;
};
constexpr std::array kConstants{
    Constant{"kB", 1.380649e-16, {.mass = 1, .velocity = 2, .temperature = -1}},
    Constant{"mp", 1.67262192369e-24, {.mass = 1}},
    Constant{"G", 6.6743e-8, {.length = 1, .mass = -1, .velocity = 2}},
    Constant{"c", 2.99792458e10, {.velocity = 1}},
    Constant{"Msun", 1.98841e33, {.mass = 1}},
    Constant{"pc", 3.0856775814913673e18, {.length = 1}},
    Constant{"kpc", 3.0856775814913673e21, {.length = 1}},
    Constant{"Mpc", 3.0856775814913673e24, {.length = 1}},
    Constant{"yr", 3.15576e7, {.length = 1, .velocity = -1}},
    Constant{"Myr", 3.15576e13, {.length = 1, .velocity = -1}},
    Constant{"Gyr", 3.15576e16, {.length = 1, .velocity = -1}},
    Constant{"km", 1e5, {.length = 1}},
    Constant{"gamma", 5.0 / 3, {}, false},
    Constant{"mu", 0.6, {}, false},
    Constant{"pi", 3.14159265358979323846, {}, false},
    Constant{"gas", 0, {}, false},
    Constant{"halo", 1, {}, false},
    Constant{"disk", 2, {}, false},
    Constant{"bulge", 3, {}, false},
    Constant{"stars", 4, {}, false},
    Constant{"boundary", 5, {}, false},
};

const Constant* constant(std::string_view name) {
    const auto found = std::ranges::find(kConstants, name, &Constant::name);
    return found == kConstants.end() ? nullptr : &*found;
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The units in which a quantity is measured: each is this many times smaller.
struct Scales {
    double length = 1, mass = 1, velocity = 1, temperature = 1, a = 1, h = 1;
};
double scaled(const UnitPowers& unit, const Scales& by) {
    return std::pow(by.length, unit.length) * std::pow(by.mass, unit.mass) * std::pow(by.velocity, unit.velocity) *
           std::pow(by.temperature, unit.temperature) * std::pow(by.a, unit.a) * std::pow(by.h, unit.h);
}

double negation(double x) { return x == 0 ? 1 : 0; }

/// True for a whole number with which an id would be compared inexactly: larger ids are at least 2^53 after rounding.
bool is_rounded(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end != digits.data() + digits.size()) return false;  // with a point
    return error != std::errc{} || value >= std::uint64_t{1} << 53;
}

}  // namespace

/// muParser, with an array for each variable.
struct Expression::Parser {
    mu::Parser parser;
    std::vector<std::vector<double>> columns;
    std::vector<double> results = std::vector<double>(kAtOnce);

    void evaluate(std::size_t count) { parser.Eval(results.data(), static_cast<int>(count)); }
};

Expression::Expression(Expression&&) noexcept = default;
Expression::~Expression() = default;

/// The variable of the parser for a name.
std::string Expression::place_of(const std::string& name, std::optional<int> component) {
    const auto same = [&](const Name& other) { return other.name == name && other.component == component; };
    auto at = std::ranges::find_if(names_, same);
    if (at == names_.end()) at = names_.insert(names_.end(), {name, component});
    return fmt::format("q{}", at - names_.begin());
}

/// Replaces names by variables of the parser, and functions of vectors by sums over components.
std::string Expression::translate(std::string_view text) {
    std::string out;
    std::size_t i = 0;
    const auto refuse = [&](const std::string& what) {
        usage_error(fmt::format("\"{}\": at character {}: {}", text_, i + 1, what));
    };
    const auto skip = [&] {
        while (i < text.size() && text[i] == ' ') ++i;
    };
    const auto expect = [&](char c) {
        skip();
        if (i >= text.size() || text[i] != c) refuse(fmt::format("expected {}", c));
        ++i;
    };
    /// A name at `i`, with an index in brackets or a component after a point.
    const auto take_name = [&]() -> std::string {
        skip();
        if (i < text.size() && text[i] == '`') {
            const auto end = text.find('`', i + 1);
            if (end == std::string_view::npos) refuse("expected ` at the end of the name");
            const std::string name{text.substr(i + 1, end - i - 1)};
            i = end + 1;
            return name;
        }
        const std::size_t begin = i;
        if (i >= text.size() || !begins_name(text[i])) refuse("expected a name");
        while (i < text.size() && continues_name(text[i])) ++i;
        if (i < text.size() && text[i] == '[')
            i = std::min(text.find(']', i), text.size() - 1) + 1;
        else if (i + 1 < text.size() && text[i] == '.' && text[i + 1] >= 'x' && text[i + 1] <= 'z')
            i += 2;
        return std::string{text.substr(begin, i - begin)};
    };
    const auto sum = [&](const std::string& a, const std::string& b) {
        std::string terms;
        for (int k = 0; k < 3; ++k) terms += fmt::format("{}{}*{}", k == 0 ? "" : "+", place_of(a, k), place_of(b, k));
        return terms;
    };
    while (i < text.size()) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (begins_name(c) || c == '`') {
            const std::string name = take_name();
            skip();
            const bool call = c != '`' && i < text.size() && text[i] == '(';
            if (call && name == "dot") {
                expect('(');
                const std::string a = take_name();
                expect(',');
                const std::string b = take_name();
                expect(')');
                out += fmt::format("({})", sum(a, b));
            } else if (call && name == "length") {
                expect('(');
                const std::string a = take_name();
                expect(')');
                out += fmt::format("sqrt({})", sum(a, a));
            } else if (call) {
                out += name;
            } else {
                const Constant* const known = c == '`' || known_ == Constants::kNone ? nullptr : constant(name);
                constants_ = constants_ || (known && known->physical);
                out += place_of(name, std::nullopt);
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
            const std::size_t begin = i;
            while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.')) ++i;
            if (is_rounded(text.substr(begin, i - begin))) {
                i = begin;
                refuse(
                    "whole numbers from 2^53 on are rounded; ids are selected by a set (select --set, ids= in Python)");
            }
            if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
                ++i;
                if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
                while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) ++i;
            }
            out += text.substr(begin, i - begin);
        } else if (c == '&' || c == '|') {
            out += {c, c};
            i += next == c ? 2 : 1;
        } else if (c == '=' && next != '=') {
            refuse("expected == for a comparison, found =");
        } else if ((c == '=' || c == '!' || c == '<' || c == '>') && next == '=') {
            out += {c, next};
            i += 2;
        } else {
            out += c;
            ++i;
        }
    }
    return out;
}

Expression::Expression(std::string_view text, Constants constants)
    : text_{text}, known_{constants}, parser_{std::make_unique<Parser>()} {
    const std::string translated = translate(text);
    parser_->columns.assign(names_.size(), std::vector<double>(kAtOnce));
    try {
        parser_->parser.DefineInfixOprt("!", negation);
        for (std::size_t k = 0; k < names_.size(); ++k)
            parser_->parser.DefineVar(fmt::format("q{}", k), parser_->columns[k].data());
        parser_->parser.SetExpr(translated);
        parser_->evaluate(1);
    } catch (const mu::Parser::exception_type& error) {
        std::string what = error.GetMsg();
        for (std::size_t k = names_.size(); k-- > 0;)  // back to the user's names
            for (std::size_t at = 0; (at = what.find(fmt::format("q{}", k), at)) != std::string::npos;)
                what.replace(at, fmt::format("q{}", k).size(), names_[k].name);
        usage_error(fmt::format("\"{}\": {}", text_, what));
    }
}

std::vector<Expression::Name> Expression::names() const {
    std::vector<Name> all;
    for (const Name& each : names_)
        if (each.component || known_ == Constants::kNone || !constant(each.name)) all.push_back(each);
    return all;
}

std::vector<Quantity> Expression::quantities(const FindQuantity& find) const {
    std::vector<Quantity> all;
    for (const Name& each : names_) {
        const Constant* const known = known_ == Constants::kNone ? nullptr : constant(each.name);
        if (known && !each.component) {
            const double value = known->value;
            all.push_back({[value](std::size_t) { return value; }, known->unit, 1});
            continue;
        }
        Quantity quantity = find(each.name, each.component);
        if (constants_ && quantity.cgs == 0)
            usage_error(fmt::format("\"{}\": constants need all quantities in cgs, and the unit of {} is unknown",
                                    text_, each.name));
        if (constants_ && quantity.cgs != 1)
            quantity.value = [value = std::move(quantity.value), cgs = quantity.cgs](std::size_t i) {
                return value(i) * cgs;
            };
        all.push_back(std::move(quantity));
    }
    return all;
}

std::vector<float> Expression::evaluate(std::size_t bodies, const FindQuantity& find) const {
    const std::vector<Quantity> from = quantities(find);
    std::vector<float> values;
    values.reserve(bodies);
    for (std::size_t first = 0; first < bodies; first += kAtOnce) {
        const std::size_t now = std::min(kAtOnce, bodies - first);
        std::vector<std::uint8_t> unknown(now);
        for (std::size_t k = 0; k < from.size(); ++k)
            for (std::size_t i = 0; i < now; ++i) {
                const double value = from[k].value(first + i);
                parser_->columns[k][i] = value;
                unknown[i] |= static_cast<std::uint8_t>(std::isnan(value));
            }
        parser_->evaluate(now);
        for (std::size_t i = 0; i < now; ++i)
            values.push_back(unknown[i] ? std::numeric_limits<float>::quiet_NaN()
                                        : static_cast<float>(parser_->results[i]));
    }
    return values;
}

std::optional<UnitPowers> Expression::unit(std::size_t bodies, const FindQuantity& find) const {
    constexpr std::size_t kSample = 64;
    constexpr double kScale = 1.75, kSame = 1e-6;
    const std::vector<Quantity> from = quantities(find);
    if (std::ranges::any_of(from, [](const Quantity& q) { return !q.unit; })) return std::nullopt;
    const std::size_t count = std::min(bodies, kSample);
    const auto results = [&](const Scales& scales) {
        for (std::size_t k = 0; k < from.size(); ++k)
            for (std::size_t i = 0; i < count; ++i)
                parser_->columns[k][i] = from[k].value(i * bodies / count) * scaled(*from[k].unit, scales);
        parser_->evaluate(count);
        return std::vector<double>(parser_->results.begin(),
                                   parser_->results.begin() + static_cast<std::ptrdiff_t>(count));
    };
    const std::vector<double> plain = results({});
    UnitPowers unit;
    struct Base {
        double Scales::*scale;
        double UnitPowers::*power;
        const char* name;
    };
    for (const Base& base : {Base{&Scales::length, &UnitPowers::length, "length"},
                             {&Scales::mass, &UnitPowers::mass, "mass"},
                             {&Scales::velocity, &UnitPowers::velocity, "velocity"},
                             {&Scales::temperature, &UnitPowers::temperature, "temperature"},
                             {&Scales::a, &UnitPowers::a, "the scale factor"},
                             {&Scales::h, &UnitPowers::h, "h"}}) {
        Scales scales;
        scales.*base.scale = kScale;
        const std::vector<double> other = results(scales);
        std::optional<double> power;
        for (std::size_t i = 0; i < count; ++i) {
            const double ratio = other[i] / plain[i];
            if (!std::isfinite(ratio) || !(ratio > 0)) continue;
            const double here = std::log(ratio) / std::log(kScale);
            if (power && std::abs(here - *power) > kSame)
                usage_error(fmt::format("\"{}\": units of {} do not match", text_, base.name));
            power = here;
        }
        unit.*base.power = std::round(12 * power.value_or(0)) / 12;
        if (power && std::abs(unit.*base.power - *power) > kSame)
            usage_error(fmt::format("\"{}\": units of {} do not match", text_, base.name));
    }
    return unit;
}

bool names_constant(std::string_view name) { return constant(name) != nullptr; }

}  // namespace orrery
