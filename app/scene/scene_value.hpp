// SPDX-License-Identifier: MIT
#pragma once
#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// The origin of the text of a scene file.
struct SceneSource {
    std::string name;              ///< for messages
    std::filesystem::path folder;  ///< base of relative paths
};

/// "scene.toml:4:12: "
std::string place_of(const SceneSource& source, const toml::source_region& region);

/// The value of a key, with its position in the file. Members throw Error{kUsage} in one line: position, key, what was
/// expected and what was found.
class SceneValue {
public:
    SceneValue(const SceneSource& source, std::string key, const toml::node& node)
        : source_{source}, key_{std::move(key)}, node_{node} {}

    double real(double low, double high) const;  ///< both ends included
    std::int64_t whole(std::int64_t low, std::int64_t high) const;
    bool flag() const;
    std::string text() const;
    bool is_text() const { return node_.is_string(); }
    bool is_list() const { return node_.is_array(); }
    /// A value that this setting accepts.
    SettingValue setting(const SettingInfo& info) const;
    std::string one_of(const std::vector<std::string_view>& choices) const;
    std::filesystem::path path() const;  ///< resolved relative to the current folder
    glm::dvec3 vector() const;           ///< three numbers
    std::vector<SceneValue> list() const;
    double degrees(double low, double high) const;  ///< converted to radians
    /// The value of a key of an inline table; keys other than `known` are refused.
    std::optional<SceneValue> member(std::string_view name, const std::vector<std::string_view>& known) const;

    [[noreturn]] void refuse(const std::string& expected) const;
    /// Runs `check`; errors are prefixed with the position.
    template <class Check>
    void checked(const Check& check) const {
        try {
            check();
        } catch (const Error& error) {
            throw Error{error.blame(), place_of(source_, node_.source()) + key_ + ": " + error.what()};
        }
    }

private:
    std::string found() const;

    const SceneSource& source_;
    std::string key_;
    const toml::node& node_;
};

// Formatted as TOML values.
std::string toml_text(bool value);
std::string toml_text(double value);
std::string toml_text(float value);
std::string toml_text(const std::string& value);
std::string toml_text(const glm::dvec3& value);
std::string toml_text(const SettingValue& value);
/// The value of a node, converted to the kind of this setting; monostate if it has another type.
SettingValue toml_value(const SettingInfo& info, const toml::node& node);
std::string toml_degrees(double radians);
template <class Whole>
requires std::is_integral_v<Whole> std::string toml_text(Whole value) { return std::to_string(value); }

}  // namespace orrery
