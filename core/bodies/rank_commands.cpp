// SPDX-License-Identifier: MIT
#include "core/bodies/rank_commands.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/engines/engine_settings.hpp"

namespace orrery {

std::string broadcast(Ranks& ranks, std::string text, int from) {
    std::uint64_t size = text.size();
    ranks.broadcast(std::as_writable_bytes(std::span{&size, 1}), from);
    text.resize(size);
    ranks.broadcast(std::as_writable_bytes(std::span{text}), from);
    return text;
}

/// One line per setting, and one for `background`, which is not a setting.
std::string text_of(const EngineConfig& config) {
    std::string text = fmt::format("{:d}\n", config.background);
    for (const EngineSetting& setting : engine_settings()) {
        const SettingValue value = setting.member.get(config);
        const auto* word = std::get_if<std::string>(&value);
        text += word ? *word + '\n' : fmt::format("{}\n", to_number(value));
    }
    return text;
}

EngineConfig engine_of(const std::string& text) {
    std::istringstream lines{text};
    std::string line;
    EngineConfig config;
    std::getline(lines, line);
    config.background = line == "1";
    for (const EngineSetting& setting : engine_settings()) {
        std::getline(lines, line);
        const bool word = std::holds_alternative<ChoiceKind>(setting.info.kind);
        setting.member.set(config, word ? SettingValue{line} : from_number(setting.info, std::stod(line)));
    }
    return config;
}

}  // namespace orrery
