// SPDX-License-Identifier: MIT
// Settings by their tables: keyword arguments in, plain values out. Arrays: input of any layout, output
// views without a copy.
#pragma once
#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/config.hpp"
#include "core/settings/setting.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// Converts an argument to the value of a setting. Throws TypeError for another type, UsageError for an invalid value.
SettingValue value_of(const SettingInfo& info, const py::handle& given);
py::object object_of(const SettingValue& value);
/// True if a keyword names this setting: by its id, or by an option of the command line, with _ for -.
bool means(const std::string& keyword, const SettingInfo& info);

/// Sets the setting with this keyword in `config`; false if the table has none.
template <class Config>
bool assign_keyword(std::span<const Setting<Config>> table, Config& config, const std::string& keyword,
                    const py::handle& given) {
    for (const Setting<Config>& each : table) {
        if (!means(keyword, each.info)) continue;
        each.member.set(config, value_of(each.info, given));
        return true;
    }
    return false;
}

/// All settings that differ from `standard`, by id.
template <class Config>
py::dict dict_of(std::span<const Setting<Config>> table, const Config& config, const Config& standard) {
    py::dict all;
    for (const Setting<Config>& each : table) {
        const SettingValue value = each.member.get(config);
        if (value != each.member.get(standard)) all[py::str(std::string{each.info.id})] = object_of(value);
    }
    return all;
}
/// The inverse of dict_of().
template <class Config>
Config config_of(std::span<const Setting<Config>> table, Config config, const py::dict& all) {
    for (const auto& [key, given] : all) {
        const Setting<Config>& found = setting(table, py::cast<std::string>(key));
        found.member.set(config, given.is_none() ? SettingValue{} : value_of(found.info, given));
    }
    return config;
}

/// A request for an engine. Values that are not set are taken from `base`.
struct EngineWish {
    std::optional<std::string> engine, backend, precision;
    py::dict settings;
};
/// `base_given`: use its backend; otherwise the engine's best one here. Throws TypeError for a keyword that no engine
/// has; UsageError for one that this engine lacks, or with an invalid value; MachineError if it cannot run here.
EngineConfig engine_of(EngineConfig base, bool base_given, const EngineWish& wish);
/// All settings of this engine, by id, with "engine", "backend" and "precision".
py::dict described(const EngineConfig& config);

/// Rows of three real numbers, from anything that NumPy converts to an array of shape (N, 3), in any layout. Throws
/// TypeError for numbers that are not real, UsageError for another shape or an N other than `count`; `what` names the
/// argument.
std::vector<Vec3d> rows_of(const py::handle& given, const char* what, std::optional<std::size_t> count = {});
/// The same for shape (N,).
std::vector<double> numbers_of(const py::handle& given, const char* what, std::size_t count);
/// The same, or one number for all.
std::vector<double> numbers_or_one(const py::handle& given, const char* what, std::size_t count);
/// Whole numbers from 0 to 2⁶⁴ − 1.
std::vector<std::uint64_t> ids_of(const py::handle& given, const char* what, std::size_t count);

/// The numbers of a row of four that a view contains.
enum class Part { kXyz, kW };

/// A view of `count` rows of four numbers in memory owned by `owner`: of shape (N, 3) or (N,).
py::array view_of(const void* rows, std::size_t count, Precision precision, Part part,
                  std::shared_ptr<const void> owner, bool writeable);
py::array view_of(const Vec3d* rows, std::size_t count, std::shared_ptr<const void> owner);

/// `orrery.DeviceArray`: numbers of bodies in the memory of CUDA's device 0, for other packages through
/// __cuda_array_interface__ (version 3) or DLPack (dmlc/dlpack, version 0 of its ABI). Compiles without CUDA.
struct DeviceArray {
    const void* data = nullptr;
    std::size_t count = 0;
    Precision precision = Precision::kSingle;
    bool rows = true;  ///< of shape (N, 3); otherwise (N,)
    std::shared_ptr<const BodySystem> owner;
    std::size_t column = 0;  ///< in BodyState: 0 positions and masses, 1 velocities, 2 accelerations
};

}  // namespace orrery::python
