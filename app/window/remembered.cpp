// SPDX-License-Identifier: MIT
#include "app/window/remembered.hpp"

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

Remembered::Remembered(bool fresh) {
    if (fresh) return;
    path_ = user_settings_path();
    read_ = read_user_settings(path_);
    if (!read_.replaceable) path_.clear();
}

void Remembered::save(std::span<Feature* const> features, const std::optional<WindowSize>& size) const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    if (size) settings.width = size->width, settings.height = size->height;
    for (const Feature* feature : features) feature->remember(settings);
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
