// SPDX-License-Identifier: MIT
#include "app/window/commands.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/window/command_table.hpp"
#include "app/window/features.hpp"

namespace orrery {

std::span<const WindowCommand> window_commands() {
    static const std::vector<WindowCommand> all = [] {
        std::vector<WindowCommand> lines;
        for (const FeatureEntry& feature : features())
            lines.insert(lines.end(), feature.commands.begin(), feature.commands.end());
        std::ranges::stable_sort(lines, {}, [](const WindowCommand& l) { return std::pair{l.key == 0, l.command}; });
        return lines;
    }();
    return all;
}

std::optional<CommandCall> command_of(const KeyEvent& event) {
    using command_table::kControl, command_table::kShift;
    int key = event.key;
    if (is_sign_key(key)) {
        const char32_t sign = event.sign != 0 ? event.sign : us_sign(key);
        key = static_cast<int>(sign >= U'a' && sign <= U'z' ? sign - (U'a' - U'A') : sign);
    }
    const int mods = event.mods & (kShift | kControl | GLFW_MOD_ALT | GLFW_MOD_SUPER);  // ignores lock keys
    const auto found = std::ranges::find_if(window_commands(), [&](const WindowCommand& l) {
        return l.key != 0 && l.key == key && (l.any_shift ? mods & ~kShift : mods) == l.mods;
    });
    if (found == window_commands().end()) return std::nullopt;
    return CommandCall{found->command, found->argument};
}

bool is_on_keyboard(const WindowCommand& line, const Surface& surface) {
    const auto others = [&](const WindowCommand& l) { return !l.runs && !l.text.empty() && l.command == line.command; };
    if (!line.runs || std::ranges::none_of(window_commands(), others)) return true;
    const auto written = [&](int sign) {
        for (int key = GLFW_KEY_APOSTROPHE; key <= GLFW_KEY_WORLD_2; ++key) {
            const char32_t here = surface.sign_at(key);
            const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;
            if (!digit && (here != 0 ? here : us_sign(key)) == us_sign(sign)) return true;
        }
        return false;
    };
    const auto reached = [&](const WindowCommand& l) {
        return std::ranges::any_of(window_commands(), [&](const WindowCommand& same) {
            return same.command == l.command && same.argument == l.argument && is_sign_key(same.key) &&
                   written(same.key);
        });
    };
    return std::ranges::all_of(window_commands(),
                               [&](const WindowCommand& l) { return l.command != line.command || reached(l); });
}

bool acts_under_cover(Command command) {
    return std::ranges::any_of(window_commands(),
                               [&](const WindowCommand& l) { return l.command == command && l.under_cover; });
}

void execute(WindowParts& window, CommandCall call) {
    std::ranges::find_if(window_commands(), [&](const WindowCommand& l) {
        return l.runs && l.command == call.command;
    })->run(window, call.argument);
}

}  // namespace orrery
