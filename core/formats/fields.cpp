// SPDX-License-Identifier: MIT
#include "core/formats/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/bodies/body_change.hpp"
#include "core/bodies/optics.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/starlight_fields.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 5> kEnergy{"InternalEnergy", "InternalEnergies", "U", "u", "uint"};
constexpr std::array<std::string_view, 6> kDensity{"Density", "Densities", "RHO", "rho", "Dens", "den"};
constexpr std::array<std::string_view, 5> kLength{"SmoothingLength", "SmoothingLengths", "HSML", "hsmooth", "Hsml"};
constexpr std::array<std::string_view, 5> kTemperature{"Temperature", "Temperatures", "TEMP", "temp", "temperature"};
constexpr std::array<std::string_view, 6> kMetals{
    "Metallicity", "GFM_Metallicity", "MetalMassFractions", "Metallicities", "Z", "metals"};
constexpr std::array<std::string_view, 7> kAge{
    "StellarFormationTime", "GFM_StellarFormationTime", "BirthScaleFactors", "BirthTimes", "AGE", "tform", "Age"};
constexpr std::array<std::string_view, 5> kPotential{"Potential", "Potentials", "POT", "phi", "pot"};
constexpr std::array<std::string_view, 4> kFormation{"StarFormationRate", "StarFormationRates", "SFR", "sfr"};
constexpr std::array<std::string_view, 4> kMagnetic{"MagneticField", "MagneticFluxDensities", "BFLD", "B"};

constexpr std::uint64_t kMostListed = 32;  // components of a field

/// Index of the component that the text in square brackets names.
std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional{value} : std::nullopt;
}

/// The numbers of one choice, as they arrive.
class Gather {
public:
    Gather(const FieldChoice& choice, std::size_t bodies) : choice_{choice} { values_.reserve(bodies); }
    void take(std::span<const double> numbers) {
        const auto width = static_cast<std::size_t>(choice_.field.components);
        for (std::size_t i = 0; i + width <= numbers.size(); i += width) add(numbers.subspan(i, width));
    }
    std::vector<float> values() && { return std::move(values_); }
    std::size_t rounded() const { return rounded_; }      ///< whole numbers that a float does not hold
    std::size_t overflown() const { return overflown_; }  ///< numbers beyond the range of a float

private:
    void add(std::span<const double> row) {
        double value = row[static_cast<std::size_t>(choice_.component)];
        if (choice_.length) {
            double sum = 0;
            for (const double x : row) sum += x * x;
            value = std::sqrt(sum);
        }
        const auto single = static_cast<float>(value);
        if (choice_.field.whole && !choice_.length && static_cast<double>(single) != value && !std::isnan(value))
            ++rounded_;
        if (std::isfinite(value) && !std::isfinite(single)) ++overflown_;
        values_.push_back(single);
    }

    const FieldChoice& choice_;
    std::vector<float> values_;
    std::size_t rounded_ = 0, overflown_ = 0;
};

}  // namespace

std::span<const ShortName> short_names() {
    static constexpr std::array menu{
        ShortName{"u", kEnergy},      ShortName{"rho", kDensity},   ShortName{"h", kLength},
        ShortName{"T", kTemperature}, ShortName{"Z", kMetals},      ShortName{"age", kAge},
        ShortName{"phi", kPotential}, ShortName{"sfr", kFormation}, ShortName{"B", kMagnetic}};
    return menu;
}

std::vector<FieldInfo> fields_of(const std::filesystem::path& path) {
    std::vector<FieldInfo> all;
    with_format(path, [&](const FormatEntry& entry, const std::filesystem::path& plain) {
        if (entry.fields) all = entry.fields->list(plain);
    });
    return all;
}

std::vector<std::string> names_of_fields(const std::filesystem::path& path) {
    std::vector<std::string> names;
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none) || path.extension() == ".gz") return names;
    try {
        for (const FieldInfo& field : fields_of(path)) {
            if (field.components == 1) names.push_back(field.name);
            if (field.components == 3) names.push_back(fmt::format("|{}|", field.name));
            for (std::uint64_t k = 0; field.components > 1 && k < std::min(field.components, kMostListed); ++k)
                names.push_back(fmt::format("{}[{}]", field.name, k));
        }
    } catch (const Error&) {  // reported by whatever reads the bodies
    }
    return names;
}

void read_field(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take) {
    with_format(path, [&](const FormatEntry& entry, const std::filesystem::path& plain) {
        if (!entry.fields) usage_error(fmt::format("{}: {} has no fields", path.string(), entry.label));
        entry.fields->read(plain, field, take);
    });
}

const FieldInfo* choose_by_name(const std::vector<FieldInfo>& fields, std::string_view name) {
    const auto by = [&](const auto& same) -> const FieldInfo* {
        const auto found = std::ranges::find_if(fields, [&](const FieldInfo& f) { return same(f.name); });
        return found == fields.end() ? nullptr : &*found;
    };
    if (const auto* exact = by([&](const std::string& each) { return each == name; })) return exact;
    for (const ShortName& known : short_names()) {
        if (known.name != name) continue;
        for (const std::string_view other : known.in_files)
            if (const auto* found = by([&](const std::string& each) { return each == other; })) return found;
    }
    const std::string lower = lower_case(std::string{name});
    return by([&](const std::string& each) { return lower_case(each) == lower; });
}

FieldChoice choose_field(const std::vector<FieldInfo>& fields, std::string_view wanted, const std::string& source) {
    std::string_view name = wanted;
    FieldChoice choice;
    std::optional<std::uint64_t> component;
    const FieldInfo* found = choose_by_name(fields, name);  // names may contain dots and brackets
    if (!found && name.size() > 2 && name.front() == '|' && name.back() == '|') {
        choice.length = true;
        name = name.substr(1, name.size() - 2);
    } else if (const auto open = name.rfind('['); !found && open != std::string_view::npos && name.back() == ']') {
        component = number_in(name.substr(open + 1, name.size() - open - 2));
        if (component) name = name.substr(0, open);
    } else if (!found && name.size() > 2 && name[name.size() - 2] == '.' && name.back() >= 'x' && name.back() <= 'z') {
        component = static_cast<std::uint64_t>(name.back() - 'x');
        name = name.substr(0, name.size() - 2);
    }
    if (!found) found = choose_by_name(fields, name);
    if (!found) {
        std::vector<std::string_view> names;
        for (const FieldInfo& field : fields) names.push_back(field.name);
        usage_error(fmt::format("{}: has no field {}; it has {}", source, name,
                                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    choice.field = *found;
    if (component && *component >= found->components)
        usage_error(fmt::format("{}: field {} has {} components, from [0] on; found [{}]", source, found->name,
                                found->components, *component));
    const bool single = found->components == 1;
    if (!component && !choice.length && !single && found->components != 3)
        usage_error(fmt::format("{}: field {} has {} components: choose one, {}[0] to {}[{}]", source, found->name,
                                found->components, found->name, found->name, found->components - 1));
    choice.length = !single && !component;
    choice.component = component.value_or(0);
    choice.name = single          ? found->name
                  : choice.length ? fmt::format("|{}|", found->name)
                                  : fmt::format("{}[{}]", found->name, choice.component);
    return choice;
}

std::vector<std::string> split_fields(std::string_view list) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    const auto end = [&] {
        const auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
        if (first != std::string::npos) parts.push_back(part.substr(first, last - first + 1));
        part.clear();
    };
    for (const char c : list) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth <= 0)
            end();
        else
            part += c;
    }
    end();
    return parts;
}

std::string unit_text(const UnitPowers& powers, const UnitWords& words) {
    const auto missing = [](double power, const std::string& word) { return power != 0 && word.empty(); };
    if (powers == UnitPowers{} || missing(powers.length, words.length) || missing(powers.mass, words.mass) ||
        missing(powers.velocity, words.velocity))
        return {};
    const auto raised = [](std::string_view word, double power) {
        const bool compound = power != 1 && word.find('/') != std::string_view::npos;
        const std::string base = compound ? fmt::format("({})", word) : std::string{word};
        return power == 1 ? base : fmt::format("{}^{:.4g}", base, power);
    };
    std::string factors, over, under;
    const auto join = [](std::string& to, const std::string& more) { to += (to.empty() ? "" : " ") + more; };
    if (powers.a != 0) join(factors, raised("a", powers.a));
    if (powers.h != 0) join(factors, raised("h", powers.h));
    const std::array<std::pair<std::string_view, double>, 4> parts{{{words.mass, powers.mass},
                                                                    {words.length, powers.length},
                                                                    {words.velocity, powers.velocity},
                                                                    {"K", powers.temperature}}};
    for (const auto& [word, power] : parts) {
        if (power > 0) join(over, raised(word, power));
        if (power < 0) join(under, raised(word, -power));
    }
    std::string text = over;
    if (!under.empty())
        text = (over.empty() ? "1" : over) + "/" + (under.find(' ') == std::string::npos ? under : "(" + under + ")");
    if (!factors.empty()) text = text.empty() ? factors : factors + " " + text;
    return text;
}

namespace {

/// Splits "NAME = EXPRESSION"; empty if it is not a definition.
std::optional<std::pair<std::string, std::string>> definition(const std::string& text) {
    const auto at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
    std::string name = text.substr(0, at);
    name.erase(name.find_last_not_of(' ') + 1);
    return std::pair{std::move(name), text.substr(at + 1)};
}

std::vector<float> satisfied(const std::filesystem::path& path, const std::string& condition, const Scene& scene) {
    return satisfied(Expression{condition},
                     {scene.bodies, path.empty() ? std::vector<FieldInfo>{} : fields_of(path), path});
}

void compute_field(const std::filesystem::path& path, const std::string& name, const std::string& formula,
                   Scene& scene) {
    const Expression expression{formula};
    BodyQuantities quantities{scene.bodies, fields_of(path), path};
    const FindQuantity find = std::ref(quantities);
    const auto powers = expression.unit(scene.bodies.size(), find);
    const UnitWords words =
        expression.uses_constants()
            ? UnitWords{"cm", "g", "cm/s"}
            : UnitWords{
                  scene.length_unit, scene.mass_unit,
                  std::abs(kilometres_per_second(scene.length_unit, scene.days_per_time) - 1) < 2e-3 ? "km/s" : ""};
    scene.bodies.fields.push_back(
        make_field(name, powers ? unit_text(*powers, words) : "", expression.evaluate(scene.bodies.size(), find)));
}

/// Adds a derived field; keeps fields that are loaded already or defined by the user.
void add_derived(const std::filesystem::path& path, const std::string& name, const std::vector<FieldInfo>& fields,
                 Scene& scene) {
    const auto loaded = [&](std::string_view each) {
        return std::ranges::find(scene.bodies.fields, each, &BodyField::name) != scene.bodies.fields.end();
    };
    if (name == kDustField ? loaded(name) : std::ranges::all_of(kStarlightFields, loaded)) return;
    require_memory(fmt::format("{}: fields of {} bodies", path.string(), scene.bodies.size()),
                   kStarlightFields.size() * scene.bodies.size() * sizeof(float));
    std::vector<BodyField> made;
    if (name == kDustField)
        made.push_back(dust_field(path, fields, scene));
    else
        made = starlight_fields(path, fields, scene);
    for (BodyField& field : made)
        if (!loaded(field.name) && (name == kStarlight || name == field.name))
            scene.bodies.fields.push_back(std::move(field));
}

}  // namespace

bool defines(std::string_view list, std::string_view name) {
    return std::ranges::any_of(split_fields(list), [&](const std::string& each) {
        const auto made = definition(each);
        return made && made->first == name;
    });
}

ReadNumbers read_choice(const std::filesystem::path& path, const FieldChoice& choice, std::size_t bodies) {
    Gather gather{choice, bodies};
    read_field(path, choice.field, [&](std::span<const double> numbers) { gather.take(numbers); });
    ReadNumbers read{{}, gather.rounded(), gather.overflown()};
    read.values = std::move(gather).values();
    if (read.values.size() != bodies)
        usage_error(fmt::format("{}: field {} has {} rows for {} bodies", path.string(), choice.name,
                                read.values.size(), bodies));
    return read;
}

void load_fields(const std::filesystem::path& path, std::string_view list, Scene& scene) {
    const std::vector<std::string> wanted = split_fields(list);
    if (wanted.empty()) return;
    const std::string source = path.string();
    const std::vector<FieldInfo> fields = fields_of(path);
    const std::size_t bodies = scene.bodies.size();
    for (std::string each : wanted) {
        const bool optional = each.back() == '?';
        if (optional) each.pop_back();
        if (is_derived(each) && !choose_by_name(fields, each)) {
            if (!optional || derivable(each, fields, scene.bodies)) add_derived(path, each, fields, scene);
            continue;
        }
        if (optional && !choose_by_name(fields, each)) continue;
        if (const auto made = definition(each)) {
            compute_field(path, made->first, made->second, scene);
            continue;
        }
        const FieldChoice choice = choose_field(fields, each, source);
        if (std::ranges::find(scene.bodies.fields, choice.name, &BodyField::name) != scene.bodies.fields.end())
            continue;
        require_memory(fmt::format("{}: a field of {} bodies", source, bodies), bodies * sizeof(float));
        ReadNumbers read = read_choice(path, choice, bodies);
        const auto note = [&](std::size_t count, const char* what) {
            if (count > 0)
                scene.notes.push_back(fmt::format("{}: field {}: {} {}", scene.id, choice.name, count, what));
        };
        note(read.rounded, "whole numbers are rounded to 24 binary digits");
        note(read.overflown, "numbers exceed the range of single precision and are shown as missing");
        scene.bodies.fields.push_back(
            make_field(choice.name, choice.field.unit, std::move(read.values), choice.field.whole));
    }
}

void load_filter(const std::filesystem::path& path, const std::string& condition, Scene& scene) {
    if (condition.empty()) return;
    scene.bodies.fields.push_back(make_field(std::string{kFilterField}, "", satisfied(path, condition, scene), true));
}

void keep_only(const std::filesystem::path& path, const std::string& condition, Scene& scene) {
    if (condition.empty()) return;
    const std::vector<float> kept = satisfied(path, condition, scene);
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < kept.size(); ++i)
        if (kept[i] == 0) others.push_back(i);
    if (others.size() == kept.size())
        usage_error(fmt::format("{}: no body satisfies \"{}\"", path.string(), condition));
    erase(std::move(others), scene.bodies);
}

}  // namespace orrery
