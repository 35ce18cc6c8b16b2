// SPDX-License-Identifier: MIT
#include "python/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/maps/maps.hpp"

namespace orrery::python {
namespace {

[[noreturn]] void wrong_type(const SettingInfo& info, const char* expected, const py::handle& given) {
    throw py::type_error{fmt::format("{}: expected {}, found {}", info.id, expected,
                                     std::string{py::str(py::type::of(given).attr("__name__"))})};
}

bool is_bool(const py::handle& given) {
    if (PyBool_Check(given.ptr())) return true;
    const std::string name{py::str(py::type::of(given).attr("__name__"))};
    return name == "bool_" || name == "bool";  // NumPy's: bool_ until version 1, bool since version 2
}

/// An int, an object with __index__ such as NumPy's whole numbers, or a float without a fraction.
SettingValue whole_of(const SettingInfo& info, const py::handle& given) {
    if (PyFloat_Check(given.ptr()))
        if (const double number = PyFloat_AsDouble(given.ptr());
            number == std::trunc(number) && std::abs(number) < 1e15)
            return static_cast<std::int64_t>(number);
    if (is_bool(given) || !PyIndex_Check(given.ptr())) wrong_type(info, "a whole number", given);
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!number) throw py::error_already_set{};
    int overflow = 0;
    const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) usage_error(fmt::format("{}: expected {}", info.id, expected_text(info)));
    return value;
}

SettingValue real_of(const SettingInfo& info, const py::handle& given) {
    if (is_bool(given) ||
        (!PyFloat_Check(given.ptr()) && !PyIndex_Check(given.ptr()) && !py::hasattr(given, "__float__")) ||
        PyUnicode_Check(given.ptr()))
        wrong_type(info, "a number", given);
    const double value = PyFloat_AsDouble(given.ptr());
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set{};
    return value;
}

SettingValue text_value_of(const SettingInfo& info, const py::handle& given) {
    if (!PyUnicode_Check(given.ptr())) wrong_type(info, "a str", given);
    return given.cast<std::string>();
}

bool is_named_by_itself(const SettingInfo& info) {
    return info.id == "engine" || info.id == "backend" || info.id == "precision";
}

const EngineSetting* find(const EngineEntry& entry, const std::string& keyword) {
    for (const EngineSetting& each : engine_settings())
        if (!is_named_by_itself(each.info) && means(keyword, each.info) && reads(entry, each.info)) return &each;
    return nullptr;
}

/// Throws for a keyword that is not a setting of this engine.
[[noreturn]] void refuse(const EngineEntry& entry, const std::string& keyword) {
    std::string known;
    for (const EngineSetting& each : engine_settings()) {
        if (is_named_by_itself(each.info)) continue;
        if (means(keyword, each.info))
            usage_error(fmt::format("engine '{}' on {} has no setting '{}'; only {} have it", entry.id,
                                    name(entry.backend), keyword,
                                    each.info.group ? each.info.group->of : "other engines"));
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each.info.id);
    }
    throw py::type_error{fmt::format("'{}' is not a setting of an engine; there are {}", keyword, known)};
}

void require_root_taken(const EngineEntry& entry, const EngineConfig& config) {
    const bool triples = entry.walks_triples();
    if (!(triples ? simplex3_map(config.map3).takes_root : map(config.map).takes_root))
        usage_error(fmt::format("map '{}' takes no square root", triples ? config.map3 : config.map));
}

/// Resets the alternatives of a setting of which only one may be set.
void leave_alternatives(const EngineSetting& chosen, EngineConfig& config) {
    if (chosen.info.instead_of.empty()) return;
    for (const EngineSetting& other : engine_settings())
        if (&other != &chosen && other.info.instead_of == chosen.info.instead_of)
            other.member.set(config, other.member.get(default_engine_config()));
}

}  // namespace

SettingValue value_of(const SettingInfo& info, const py::handle& given) {
    SettingValue value;
    if (std::holds_alternative<FlagKind>(info.kind)) {
        if (!is_bool(given)) wrong_type(info, "a bool", given);
        value = given.cast<bool>();
    } else if (std::holds_alternative<WholeKind>(info.kind) || std::holds_alternative<SizesKind>(info.kind)) {
        value = whole_of(info, given);
    } else if (std::holds_alternative<RealKind>(info.kind)) {
        value = real_of(info, given);
    } else {
        value = text_value_of(info, given);
    }
    if (!accepts(info, value) && info.explain) info.explain(text_of(value));
    if (!accepts(info, value))
        usage_error(fmt::format("{}: expected {}, found {}", info.id, expected_text(info), text_of(value)));
    return value;
}

py::object object_of(const SettingValue& value) {
    return std::visit(
        []<class T>(const T& held) -> py::object {
            if constexpr (std::same_as<T, std::monostate>)
                return py::none();
            else
                return py::cast(held);
        },
        value);
}

bool means(const std::string& keyword, const SettingInfo& info) {
    if (keyword == info.id) return true;
    std::string flags = flag_of(info);
    std::ranges::replace(flags, '-', '_');
    return (',' + flags + ',').find(',' + keyword + ',') != std::string::npos;
}

namespace {

/// A kernel chooses its engine and its backend, unless they are given, and may be run: the caller wrote it. Without
/// one, a new engine has none.
void choose_by_kernel(const EngineWish& wish, EngineConfig& config) {
    if (!wish.settings.contains("kernel")) {
        if (wish.engine) config.kernel.clear();
        return;
    }
    const py::object given = wish.settings["kernel"];
    if (!PyUnicode_Check(given.ptr())) return;
    const KernelFile file = parse_kernel(given.cast<std::string>());
    trust_kernel(file);
    const EngineEntry& entry = orrery::engine_of(file);
    if (!wish.engine) config.engine = entry.id;
    if (!wish.backend) config.backend = entry.backend;
}

}  // namespace

EngineConfig engine_of(EngineConfig base, bool base_given, const EngineWish& wish) {
    any_engine(wish.engine.value_or(base.engine));
    EngineConfig config = base;
    if (wish.precision) config.precision = parse_precision(*wish.precision);
    if (wish.engine) config.engine = *wish.engine;
    if (wish.backend)
        config.backend = parse_backend(*wish.backend);
    else if (wish.engine || !base_given)
        config.backend = default_backend(config.engine);
    choose_by_kernel(wish, config);
    const EngineEntry& entry = engine(config.engine, config.backend);
    bool root = false;
    std::vector<std::string_view> alternatives;
    for (const auto& [key, given] : wish.settings) {
        const auto keyword = key.cast<std::string>();
        const EngineSetting* const found = find(entry, keyword);
        if (!found) refuse(entry, keyword);
        if (given.is_none()) {
            found->member.set(config, found->member.get(default_engine_config()));
            continue;
        }
        if (!found->info.instead_of.empty()) {
            if (std::ranges::find(alternatives, found->info.instead_of) != alternatives.end())
                usage_error(fmt::format("'{}': only one of accuracy, alpha, theta and cutoff can be chosen", keyword));
            alternatives.push_back(found->info.instead_of);
        }
        leave_alternatives(*found, config);
        found->member.set(config, value_of(found->info, given));
        root = root || found->info.id == "root";
    }
    if (root) require_root_taken(entry, config);
    return config;
}

py::dict described(const EngineConfig& config) {
    const EngineEntry& entry = engine(config.engine, config.backend);
    py::dict all;
    for (const EngineSetting& each : engine_settings())
        if (reads(entry, each.info)) all[py::str(std::string{each.info.id})] = object_of(each.member.get(config));
    return all;
}

}  // namespace orrery::python
