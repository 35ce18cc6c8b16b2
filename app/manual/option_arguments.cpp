// SPDX-License-Identifier: MIT
#include "app/manual/help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <stdexcept>

#include "app/lab/papers.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/shipped.hpp"
#include "core/analysis/analyses.hpp"
#include "core/catalogues/catalogue.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, std::string_view word) {
    if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
}

template <class Entry>
Words ids_of(std::span<const Entry> menu, std::initializer_list<const char*> more = {}) {
    Words words;
    for (const Entry& entry : menu) add(words, entry.id);
    for (const char* word : more) add(words, word);
    return words;
}

/// The settings that this option sets; several may share one.
std::vector<const SettingInfo*> settings_of(const CLI::Option& option) {
    static const auto by_name = [] {
        std::multimap<std::string, const SettingInfo*> found;
        const auto take = [&](const auto& table) {
            for (const auto& each : table) {
                if (!each.info.in(place::kCommandLine)) continue;
                const std::string flags = flag_of(each.info);
                for (std::size_t begin = 0; begin <= flags.size();) {
                    const std::size_t end = std::min(flags.find(',', begin), flags.size());
                    found.emplace(flags.substr(begin, end - begin), &each.info);
                    begin = end + 1;
                }
            }
        };
        take(engine_settings());
        take(scene_settings());
        take(view_settings());
        take(camera_settings());
        take(record_settings());
        take(analysis_settings());
        return found;
    }();
    std::vector<const SettingInfo*> all;
    for (const std::string& name : option.get_lnames())
        for (auto [it, last] = by_name.equal_range(name); it != last; ++it) all.push_back(it->second);
    return all;
}

Words words_of(const SettingInfo& info) {
    Words words;
    if (const auto* choice = std::get_if<ChoiceKind>(&info.kind))
        for (const SettingChoice& each : choice->choices) add(words, each.id);
    if (const auto* flag = std::get_if<FlagKind>(&info.kind))
        for (const std::string_view each : {flag->on, flag->off})
            if (!each.empty()) add(words, each);
    if (const auto* sizes = std::get_if<SizesKind>(&info.kind))
        for (const OfferedNumber& each : sizes->sizes) add(words, fmt::format("{}", each.value));
    return words;
}

Words words_of_settings(const CLI::Option& option) {
    Words words;
    for (const SettingInfo* info : settings_of(option))
        for (const std::string& word : words_of(*info)) add(words, word);
    return words;
}

/// {a,b,c} in the type of an option that must be one of them.
Words words_of_type(const std::string& type) {
    Words words;
    const std::size_t open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return words;
    for (std::size_t begin = open + 1; begin < close;) {
        const std::size_t end = std::min(type.find(',', begin), close);
        add(words, type.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// Options that are not settings, by name; CLI11 does not know the kinds of their arguments.
const std::map<std::string, OptionArgument>& others() {
    using enum OptionArgument::Kind;
    static const std::map<std::string, OptionArgument> all = [] {
        Words figures, scenes = ids_of(presets());
        for (const std::string& id : paper_ids()) add(figures, id);
        add(figures, "all");
        for (const ShippedScene& scene : shipped_scenes()) add(scenes, scene.id);
        std::map<std::string, OptionArgument> table{{"--scene", {kFile, scenes}},
                                                    {"IN", {kFile, ids_of(presets())}},
                                                    {"KIND", {kWord, ids_of(analyses(), {"merger-tree"})}},
                                                    {"--sort", {kWord, ids_of(halo_columns())}},
                                                    {"--engines", {kWord, ids_of(engines())}},
                                                    {"--maps", {kWord, ids_of(lab_forms())}},
                                                    {"--roots", {kWord, ids_of(roots())}},
                                                    {"--precisions", {kWord, {"double", "single"}}},
                                                    {"--experiment", {kWord, ids_of(experiments(), {"all"})}},
                                                    {"--figure", {kWord, figures}},
                                                    {"--to", {kWord, ids_of(formats(), {"openvdb", "usda"})}},
                                                    {"--svg", {kFolder}},
                                                    {"--collect", {kFolder}},
                                                    {"--lessons", {kFolder}},
                                                    {"--language", {kWord, {"c++", "cuda", "glsl"}}}};
        for (const char* name : {"OUT",
                                 "SOURCE",
                                 "FILE",
                                 "MORE",
                                 "--output",
                                 "--diagnostics",
                                 "--encounters-csv",
                                 "--diagnostics-hdf",
                                 "--plot",
                                 "--profile",
                                 "--snapshots",
                                 "--checkpoint",
                                 "--resume",
                                 "--session",
                                 "--kernel",
                                 "--start",
                                 "--check",
                                 "--result",
                                 "--csv",
                                 "--camera-path",
                                 "--ui-map",
                                 "--tls-certificate",
                                 "--tls-key",
                                 "--times",
                                 "--token-file",
                                 "CATALOGUE",
                                 "--snapshot",
                                 "--match",
                                 "--halos"})
            table[name] = {kFile};
        for (const char* name : {"--dt",          "--until",     "--snapshots-interval",
                                 "--wall-time",   "--log-every", "--encoder",
                                 "--bind",        "--of",        "--randoms",
                                 "--base-url",    "--fields",    "--filter",
                                 "--color-field", "--x-field",   "--y-field",
                                 "--members",     "--halo",      "--lit",
                                 "--field",       "--arrows",    "CONDITION",
                                 "--set",         "--gl-device", "LESSON",
                                 "--name",        "--recentre"})
            table[name] = {kText};
        return table;
    }();
    return all;
}

std::string sentence(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

}  // namespace

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options(
        [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

OptionArgument argument_of(const CLI::Option& option) {
    using enum OptionArgument::Kind;
    if (option.get_items_expected_max() == 0) return {};
    const std::string type = option.get_type_name();
    const bool several = option.get_delimiter() != '\0';
    if (type.starts_with("INT") || type.starts_with("UINT")) return {kWhole, words_of_settings(option), several};
    if (type.starts_with("FLOAT")) return {kReal, {}, several};
    Words words = words_of_type(type);
    if (words.empty()) words = words_of_settings(option);
    if (!words.empty()) return {kWord, std::move(words), several};
    const auto known = others().find(first_name(option));
    if (known == others().end())
        throw std::logic_error{"no argument kind for " + first_name(option) +
                               "; add it to app/manual/option_arguments.cpp"};
    OptionArgument argument = known->second;
    argument.several = several;
    return argument;
}

std::string_view placeholder(const OptionArgument& argument) {
    static constexpr auto kPlaceholders =
        std::to_array<std::string_view>({"", "N", "X", "TEXT", "NAME", "FILE", "FOLDER"});
    return kPlaceholders[static_cast<std::size_t>(argument.kind)];
}

std::string range_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    std::string text;
    for (std::size_t at = type.find(':'); at != std::string::npos; at = type.find(':', at + 1)) {
        std::string part = type.substr(at + 1, type.find(':', at + 1) - at - 1);
        if (part == "POSITIVE") {
            part = "greater than 0";
        } else if (const std::size_t open = part.find('['); open != std::string::npos) {
            part = part.substr(open + 1, part.find(']') - open - 1);
            part.replace(part.find(" - "), 3, " to ");
        } else if (part.starts_with('{')) {
            continue;  // its words are listed elsewhere
        }
        text += (text.empty() ? "" : ", ") + part;
    }
    return text;
}

std::vector<std::string> spellings(const CLI::Option& option) {
    Words all;
    for (const std::string& name : option.get_snames()) add(all, "-" + name);
    for (const std::string& name : option.get_lnames()) add(all, "--" + name);
    return all;
}

std::string first_name(const CLI::Option& option) {
    if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
    if (!option.get_snames().empty()) return "-" + option.get_snames().front();
    return option.get_name(true);
}

bool is_setting(const CLI::Option& option) { return !settings_of(option).empty(); }

std::string group_of(const CLI::Option& option) {
    for (const SettingInfo* info : settings_of(option)) {
        if (!info->group || info->group->of.empty()) continue;
        if (std::string heading = sentence(std::string{info->group->of}); option.get_description().starts_with(heading))
            return heading;
    }
    return {};
}

std::string plain_description(const CLI::Option& option) {
    std::string text = option.get_description();
    if (const std::string heading = group_of(option); !heading.empty())
        for (std::size_t at = 0; (at = text.find(heading + ": ", at)) != std::string::npos;)
            text = text.substr(0, at) + sentence(text.substr(at + heading.size() + 2));
    if (text.ends_with('.')) text.pop_back();
    return sentence(std::move(text));
}

std::string short_description(const CLI::Option& option) {
    const std::string text = plain_description(option);
    std::size_t end = text.size();
    for (const char* cut : {"; ", ". ", " (", ": "}) end = std::min(end, text.find(cut));
    return text.substr(0, end);
}

}  // namespace orrery
