// SPDX-License-Identifier: MIT
#include "tests/app/window/window_driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/support/mpirun.hpp"
#include "tests/support/new_folder.hpp"

namespace orrery::test {
namespace {

/// All controls of the default window at the smallest text size, without glow: software OpenGL draws it in a fifth of
/// the time.
constexpr std::string_view kSmallWindow =
    "[window]\nwidth = 768\nheight = 432\ntext_scale = 0.6\npanel = \"engine\"\n\n[view]\nglow = 0\n";

constexpr const char* kAdvanced = "Advanced";

/// A new path with each call, in memory if Linux has a folder for it, because the file is written in every frame.
std::filesystem::path map_file() {
    static int number = 0;
    const std::filesystem::path memory = "/dev/shm";
    std::error_code none;
    const bool usable = access(memory.c_str(), W_OK) == 0 && std::filesystem::is_directory(memory, none);
    return (usable ? memory : std::filesystem::temp_directory_path()) /
           ("orrery-map-" + std::to_string(getpid()) + '-' + std::to_string(number++) + ".json");
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary | std::ios::ate};
    std::string text(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
    file.seekg(0).read(text.data(), static_cast<std::streamsize>(text.size()));
    return text;
}

/// The frame that a map describes, found without parsing the map; 0 if there is none yet.
int frame_in(const std::string& map) {
    constexpr std::string_view kKey = "\"frames\":";
    const auto at = map.find(kKey);
    return at == std::string::npos ? 0 : std::atoi(map.c_str() + at + kKey.size());
}

}  // namespace

WindowDriver::WindowDriver(const VirtualDisplay& display, std::vector<std::string> arguments,
                           const std::filesystem::path& config, int ranks)
    : folder_{new_folder()}, map_file_{map_file()}, display_{display} {
    arguments.insert(arguments.begin(), ORRERY_PROGRAM);
    arguments.insert(arguments.end(), {"--ui-map", map_file_});
    const auto given = [&](const char* option) { return std::ranges::find(arguments, option) != arguments.end(); };
    std::filesystem::path settings = config;
    if (config.empty() && !given("--fresh")) {
        settings = folder_ / "settings";
        std::filesystem::create_directories(settings / "orrery");
        std::ofstream{settings / "orrery" / "settings.toml"} << kSmallWindow;
    }
    // With a clock in steps nothing waits for real time, so neither should drawing.
    if (!given("--max-fps") && !given("--clock")) arguments.insert(arguments.end(), {"--max-fps", "120"});
    if (!given("--clock")) arguments.insert(arguments.end(), {"--clock", "30"});
    Launch launch{.command = std::move(arguments),
                  .environment = {{"DISPLAY", display_.name()}, {"XDG_CONFIG_HOME", settings}, {"ORRERY_TUNING", ""}},
                  .folder = folder_,
                  .errors = folder_ / "errors.txt"};
    if (ranks > 0) {
        const std::vector<std::string> before = mpirun(ORRERY_MPIRUN, ranks);
        launch.command.insert(launch.command.begin(), before.begin(), before.end());
        launch.environment.merge(mpi_environment(folder_ / "mpi"));
    }
    display_.reset_input();
    program_ = std::make_unique<Child>(launch);
}

WindowDriver::~WindowDriver() {
    program_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    std::filesystem::remove(map_file_, ignored);
}

std::shared_ptr<const WindowDriver::Json> WindowDriver::latest() const {
    // The file is replaced in every frame. Only the text identifies a version: a file may reuse an earlier inode, and
    // two frames may have equal times, which follow the kernel's ticks.
    std::string text = text_of(map_file_);
    if (text != map_text_) {
        map_ = std::make_shared<const Json>(Json::parse(text));
        map_text_ = std::move(text);
    }
    return map_;
}

WindowDriver::Json WindowDriver::state() const {
    const auto now = latest();
    return now->is_null() ? Json::object() : now->at("state");
}

WindowDriver::Json WindowDriver::state(const std::string& name) const {
    const auto now = latest();
    return now->is_null() ? Json{} : now->at("state").value(name, Json{});
}

bool WindowDriver::lists(const char* part, const std::string& label) const {
    const auto now = latest();
    return !now->is_null() && now->at(part).contains(label);
}

void WindowDriver::poll(const std::string& what, const std::function<bool()>& reached) const {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        // Before reading the state: if the program ends in between, its last state is still checked.
        const bool running = program_->running();
        if (reached()) return;
        if (std::chrono::steady_clock::now() - start > patience() || !running)
            throw std::runtime_error{what + ": not reached; " + state().dump() + " " + errors()};
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

void WindowDriver::wait_for(const std::string& what, const std::function<bool(const Json&)>& wanted) const {
    poll(what, [&] {
        const auto now = latest();  // kept: `wanted` may read a later map
        return !now->is_null() && wanted(now->at("state"));
    });
}

void WindowDriver::wait_for_bodies() const {
    wait_for("bodies", [](const Json& s) { return !s["bodies"].is_null(); });
}

void WindowDriver::wait_frames(int count) const {
    const int before = frame_in(text_of(map_file_));
    // A key may have closed the window: there are no more frames then.
    poll("frames", [&] { return frame_in(text_of(map_file_)) >= before + count || !program_->running(); });
}

void WindowDriver::wait_for_camera() const {
    wait_for("the camera rests", [](const Json& s) { return s["camera_moving"] == false; });
}

void WindowDriver::point_at(const std::string& label, double part) const {
    const auto place_now = [&] { return map()["widgets"].value(label, std::vector<double>{}); };
    for (int attempt = 0; attempt < 50; ++attempt) {  // panels may still be growing
        wait_for(label + " can be clicked", [&](const Json&) { return shows(label); });
        const auto place = place_now();
        if (place.empty()) continue;
        // There is no window manager: the window is at the upper left of the screen.
        const int x = static_cast<int>(place[0] + part * (place[2] - place[0]));
        const int y = static_cast<int>((place[1] + place[3]) / 2);
        const int before = frame_in(text_of(map_file_));
        xdotool({"mousemove", std::to_string(x), std::to_string(y)});
        // A click in the same frame as the movement may be lost.
        wait_for("the mouse at " + label, [&](const Json& s) {
            return s["frames"] >= before + 2 && (s["mouse"] == Json{x, y} || !shows(label));
        });
        if (place == place_now()) return;
    }
    throw std::runtime_error{label + " does not keep its position"};
}

/// Opens the fold of the page if the widget is not shown and may be in it.
void WindowDriver::unfold_for(const std::string& label) {
    const auto shown = [&] { return shows(label) || greyed(label); };
    const auto folded = [&](const Json& s) {
        const Json open = s.value("advanced", Json::array());
        return shows(kAdvanced) && std::ranges::find(open, s["panel"]) == open.end();
    };
    wait_for(label + " or a closed fold", [&](const Json& s) { return shown() || folded(s); });
    if (!shown()) wait_frames(4);  // a page or list may have just opened
    if (shown() || !folded(state())) return;
    click(kAdvanced);
    wait_frames(3);
}

void WindowDriver::click(const std::string& label) {
    const Json pages = map().value("pages", Json::object());
    if (pages.contains(label) && state("group") != pages[label]) click(pages[label]);
    if (label != kAdvanced) unfold_for(label);
    point_at(label);
    xdotool({"click", "1"});
    wait_frames(1);  // the frame that handles the click
}

void WindowDriver::scroll_to(const std::string& label) const {
    xdotool({"mousemove", "60", "300"});
    wait_frames(2);  // frames of the page, if it has just opened
    for (int i = 0; i < 30 && !shows(label); ++i) {
        xdotool({"click", i < 15 ? "5" : "4"});
        wait_frames(4);
    }
}

void WindowDriver::choose(const std::string& combo, const std::string& item) {
    click(combo);
    click(item);
}

void WindowDriver::type_into(const std::string& label, const std::string& text) {
    click(label);
    wait_for_typing();
    key("ctrl+a");
    type(text);
    key("Return");
    wait_for("the text field to close", [](const Json& s) { return s["typing"] == false; });
}

void WindowDriver::wait_for_typing() const {
    wait_for("a text field has the keyboard", [](const Json& s) { return s["typing"] == true; });
}

void WindowDriver::type(const std::string& text) {
    wait_for_typing();
    xdotool({"type", "--", text});
    acts_ += static_cast<int>(text.size()) - 1;
    wait_for("the text field has " + text,
             [&](const Json& s) { return s["typed"].get<std::string>().ends_with(text) || !program_->running(); });
}

void WindowDriver::key(const std::string& name) {
    xdotool({"key", name});
    wait_frames(2);
}

void WindowDriver::xdotool(const std::vector<std::string>& words) const {
    ++acts_;
    const bool click = words.front() == "click" && words.back() <= "3";  // the other buttons are the wheel
    const auto clicks = click ? state().value("clicks", 0) : 0;
    display_.input().act(words);
    // ImGui reads the mouse position from the server, but its buttons from the events of the frame: a movement right
    // after a release would still drag.
    if (words.front() == "mouseup") wait_frames(2);
    if (click)
        wait_for("the click to be handled",
                 [&](const Json& s) { return s["clicks"] > clicks || !program_->running(); });
}

void WindowDriver::close_by_frame() const {
    ++acts_;
    display_.ask_to_close();
    wait_frames(3);
}

std::string WindowDriver::errors() const { return text_of(folder_ / "errors.txt"); }

}  // namespace orrery::test
