// SPDX-License-Identifier: MIT
#include "app/window/commands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "core/live/edit_history.hpp"

namespace orrery {
namespace {

using namespace command_table;

// Time.
void toggle_pause(Window& w, int) { w.core.simulation.send(SetPaused{!w.core.simulation.paused()}); }
void step(Window& w, int) { w.recording.act(SingleStep{}); }
void step_back(Window& w, int) { w.recording.act(SingleStep{.back = true}); }
void rewind_by(Window& w, int snapshots) { w.recording.act(RewindBy{snapshots}); }
/// Pauses there, except during a recording: a paused simulation yields no frames, and a session jumps only with the
/// next frame.
void go_to_series_end(Window& w, int end) {
    const SeriesStatus& series = w.core.simulation.status().source.series;
    if (!series.on) return w.core.messages.notice("No series of snapshots is played");
    if (!w.recording.active()) w.core.simulation.send(SetPaused{true});
    w.recording.act(ShowTime{end > 0 ? series.times->back() : series.times->front()});
}
void restart(Window& w, int) {
    w.recording.act(LoadScene{w.core.simulation.request()});
    if (EditHistory::keeps(w.core.simulation.status().bodies)) w.core.messages.notice("Ctrl + Z undoes the restart");
}

void reverse(Window& w, int) {
    const bool reversed = !w.core.simulation.reversed();
    w.recording.act(SetReversed{reversed});
    w.core.messages.notice(reversed ? "Time runs backward" : "Time runs forward", "time");
}

void change_play_rate(Window& w, int by) {
    const Status& status = w.core.simulation.status();
    const double before = w.core.simulation.play_rate(), rate = by > 0 ? 2 * before : before / 2;
    w.recording.act(SetPlayRate{rate});
    w.core.messages.notice(phrase("Speed: {} a second", play_rate_text(status, rate)));
}

void change_speed(Window& w, int by) {
    if (w.core.simulation.status().source.series.on) return change_play_rate(w, by);
    constexpr double kFastest = 10'000;  // steps per second; above it, unlimited
    constexpr double kSlowest = 0.5;
    double speed = w.core.simulation.speed_limit();
    if (speed == 0) {
        if (by > 0) return w.core.messages.notice("Speed: already unlimited");
        // From unlimited: the largest power of two that is not above the current speed.
        speed = std::exp2(std::floor(std::log2(std::max(1.0, w.core.simulation.status().pace.steps_per_second))));
    } else {
        speed = by > 0 ? speed * 2 : std::max(kSlowest, speed / 2);
    }
    if (speed > kFastest) speed = 0;
    w.core.simulation.send(SetSpeed{speed});
    w.core.messages.notice(speed == 0 ? std::string{tr("Speed: unlimited")}
                                      : phrase("Speed: at most {} steps/s", short_number(speed)));
}

constexpr auto kTimeCommands = std::to_array<WindowCommand>({
    anywhere(line(Command::kTogglePause, toggle_pause, GLFW_KEY_SPACE, "Space", "pause or resume")),
    sign(line(Command::kStep, step, GLFW_KEY_PERIOD, ".", "single step")),
    sign(line(Command::kStepBack, step_back, GLFW_KEY_COMMA, ",", "single step back")),
    line(Command::kReverse, reverse, GLFW_KEY_Z, "Z", "reverse time"),
    listed("Rewind to the previous snapshot", line(Command::kRewind, rewind_by, GLFW_KEY_LEFT, "Left / Right",
                                                   "rewind to the previous, next snapshot", -1)),
    listed("Rewind to the next snapshot", also(Command::kRewind, GLFW_KEY_RIGHT, +1)),
    listed("First snapshot of a series", line(Command::kSeriesEnd, go_to_series_end, GLFW_KEY_HOME, "Home / End",
                                              "first, last snapshot of a series", -1)),
    listed("Last snapshot of a series", also(Command::kSeriesEnd, GLFW_KEY_END, +1)),
    listed("Faster", sign(line(Command::kSpeed, change_speed, '+', "+ / -", "faster, slower", +1))),
    sign(also(Command::kSpeed, GLFW_KEY_EQUAL, +1)),
    sign(also(Command::kSpeed, GLFW_KEY_KP_ADD, +1)),
    listed("Slower", sign(also(Command::kSpeed, GLFW_KEY_MINUS, -1))),
    sign(also(Command::kSpeed, GLFW_KEY_KP_SUBTRACT, -1)),
    alternative(Command::kSpeed, GLFW_KEY_UP, "Up / Down", "faster, slower", +1),
    also(Command::kSpeed, GLFW_KEY_DOWN, -1),
    line(Command::kRestart, restart, GLFW_KEY_BACKSPACE, "Backspace", "restart the scene"),
});

}  // namespace

std::span<const WindowCommand> window_commands() {
    static const std::vector<WindowCommand> all = [] {
        std::vector<WindowCommand> lines{kTimeCommands.begin(), kTimeCommands.end()};
        for (const FeatureEntry& feature : features())
            lines.insert(lines.end(), feature.commands.begin(), feature.commands.end());
        std::ranges::stable_sort(lines, {}, [](const WindowCommand& l) { return std::pair{l.key == 0, l.command}; });
        return lines;
    }();
    return all;
}

std::optional<CommandCall> command_of(const KeyEvent& event) {
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
