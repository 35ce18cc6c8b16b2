// SPDX-License-Identifier: MIT
#include "app/window/remembered.hpp"

#include "app/window/features.hpp"
#include "app/window/ui_state.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

Remembered::Remembered(bool fresh) {
    if (fresh) return;
    path_ = user_settings_path();
    read_ = read_user_settings(path_);
    if (!read_.replaceable) path_.clear();
}

void Remembered::recall(UiState& state) const {
    for (const Setting<UiState>* each : remembered_settings())
        if (const auto found = read_.settings.own.find(each->info.id); found != read_.settings.own.end())
            each->member.set(state, found->second);
}

void Remembered::save(std::span<Feature* const> parts, const UiState& state,
                      const std::optional<WindowSize>& size) const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    if (size) settings.width = size->width, settings.height = size->height;
    for (const Feature* part : parts) part->remember(settings);
    for (const Setting<UiState>* each : remembered_settings())
        settings.own.insert_or_assign(std::string{each->info.id}, each->member.get(state));
    write(settings);
}

void Remembered::note_tour() const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    settings.tour = false;
    write(settings);
}

void Remembered::write(const UserSettings& settings) const {
    try {
        write_user_settings(path_, settings);
    } catch (const Error& error) {
        to_stderr("orrery: {}\n", error.what());
    }
}

}  // namespace orrery
