// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

/// A key of a scene file. The reader, the writer, `orrery list` and the guide's test all read the same table, and a
/// test demands a key for each member of the structs behind it.
struct SceneKey {
    std::string_view section, name;
    std::string takes;  ///< "-20 to 20", "true or false"
    std::string doc;
    std::function<void(SceneFile&, const SceneValue&)> read;
    /// The value as TOML; nothing when it is the usual one. `folder` is where the file will lie.
    std::function<std::optional<std::string>(const SceneFile&, const std::filesystem::path& folder)> write;
};

/// In the order in which they are read and written, sections together.
std::span<const SceneKey> scene_keys();

// The parts of the table, a file each.
std::vector<SceneKey> keys_of_scene();
std::vector<SceneKey> keys_of_engine();
std::vector<SceneKey> keys_of_compare();
std::vector<SceneKey> keys_of_view();
std::vector<SceneKey> keys_of_camera();
std::vector<SceneKey> keys_of_record();

std::vector<std::string_view> integrator_ids();
/// "a, b, c"
std::string words_text(const std::vector<std::string_view>& ids);

/// Finds a member of a SceneFile, or of a const one: what key_of() and Section go by.
template <auto Member>
struct Part {
    template <class File>
    auto& operator()(File& file) const {
        return file.*Member;
    }
};

/// The key of a setting, in a struct of SceneFile that `in` finds, in a const one too.
template <class Config, class In>
SceneKey key_of(std::string_view section, In in, const Setting<Config>& setting) {
    SceneKey key{section, setting.info.id, takes_text(setting.info), doc_of(setting.info), {}, {}};
    key.read = [in, &setting](SceneFile& file, const SceneValue& value) {
        setting.member.set(in(file), value.setting(setting.info));
    };
    key.write = [in, &setting](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        static const SceneFile usual;
        const SettingValue value = setting.member.get(in(file));
        if (value == setting.member.get(in(usual))) return std::nullopt;
        return toml_text(value);
    };
    return key;
}

/// Those of a table that scene files have, in its order.
template <class Config, class In>
std::vector<SceneKey> keys_of(std::string_view section, In in, std::span<const Setting<Config>> table) {
    std::vector<SceneKey> keys;
    for (const Setting<Config>& each : table)
        if (each.info.in(place::kSceneFile)) keys.push_back(key_of(section, in, each));
    return keys;
}

/// A section whose keys are the members of one struct of SceneFile: `In` is a function from either a SceneFile or a
/// const SceneFile to a reference to it.
template <class In>
class Section {
public:
    Section(std::string_view name, In in) : name_{name}, in_{in} {}

    template <class Member>
    SceneKey real(std::string_view key, Member member, double low, double high, std::string_view doc) const {
        return made(key, member, range_text(low, high), doc, [low, high](auto& to, const SceneValue& value) {
            to = static_cast<std::remove_reference_t<decltype(to)>>(value.real(low, high));
        });
    }
    template <class Member>
    SceneKey whole(std::string_view key, Member member, std::int64_t low, std::int64_t high,
                   std::string_view doc) const {
        const double end = high == INT64_MAX ? kUnlimited : static_cast<double>(high);
        return made(key, member, range_text(static_cast<double>(low), end), doc,
                    [low, high](auto& to, const SceneValue& value) {
                        to = static_cast<std::remove_reference_t<decltype(to)>>(value.whole(low, high));
                    });
    }
    template <class Member>
    SceneKey flag(std::string_view key, Member member, std::string_view doc) const {
        return made(key, member, "true or false", doc, [](auto& to, const SceneValue& value) { to = value.flag(); });
    }
    template <class Member>
    SceneKey text(std::string_view key, Member member, std::string_view doc) const {
        return made(key, member, "text", doc, [](auto& to, const SceneValue& value) { to = value.text(); });
    }
    /// A text out of a menu.
    template <class Member>
    SceneKey id(std::string_view key, Member member, std::vector<std::string_view> ids, std::string_view doc) const {
        return made(key, member, words_text(ids), doc,
                    [ids](auto& to, const SceneValue& value) { to = value.one_of(ids); });
    }
    /// An enumeration, by the ids of the menu of its values.
    template <class Member, class Entry, class Value>
    SceneKey menu(std::string_view key, Member member, std::span<const Entry> entries, Value Entry::*of,
                  std::string_view doc) const {
        std::vector<std::string_view> ids;
        for (const Entry& entry : entries) ids.push_back(entry.id);
        SceneKey result{name_, key, words_text(ids), std::string{doc}, {}, {}};
        result.read = [in = in_, member, entries, of, ids](SceneFile& file, const SceneValue& value) {
            const std::string id = value.one_of(ids);
            for (const Entry& entry : entries)
                if (entry.id == id) in(file).*member = entry.*of;
        };
        result.write = [in = in_, member, entries, of](const SceneFile& file,
                                                       const std::filesystem::path&) -> std::optional<std::string> {
            static const SceneFile usual;
            if (in(file).*member == in(usual).*member) return std::nullopt;
            for (const Entry& entry : entries)
                if (entry.*of == in(file).*member) return toml_text(std::string{entry.id});
            return std::nullopt;
        };
        return result;
    }

private:
    template <class Member, class Read>
    SceneKey made(std::string_view key, Member member, std::string takes, std::string_view doc, Read read) const {
        SceneKey result{name_, key, std::move(takes), std::string{doc}, {}, {}};
        result.read = [in = in_, member, read](SceneFile& file, const SceneValue& value) {
            auto& to = in(file).*member;
            if constexpr (requires { to.has_value(); })
                read(to.emplace(), value);
            else
                read(to, value);
        };
        result.write = [in = in_, member](const SceneFile& file,
                                          const std::filesystem::path&) -> std::optional<std::string> {
            static const SceneFile usual;
            const auto& value = in(file).*member;
            if (value == in(usual).*member) return std::nullopt;
            if constexpr (requires { value.has_value(); })
                return toml_text(*value);
            else
                return toml_text(value);
        };
        return result;
    }
    std::string_view name_;
    In in_;
};

}  // namespace orrery
