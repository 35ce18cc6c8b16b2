// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/window/child.hpp"
#include "tests/app/window/virtual_display.hpp"

namespace orrery::test {

/// The real program in a real window, driven as a person would: by mouse and keys, found through the UI map.
class WindowDriver {
public:
    using Json = nlohmann::json;

    /// `config`: the folder of its settings; without one it has those of a small window, or with `--fresh` none, which
    /// is a newcomer's window. The window's clock goes by steps of 1/30 s (see WindowClock) where the arguments name no
    /// other. `ranks`: so many processes, started by mpirun, of which the first has the window; 0: the program by
    /// itself.
    WindowDriver(const VirtualDisplay& display, std::vector<std::string> arguments,
                 const std::filesystem::path& config = {}, int ranks = 0);
    ~WindowDriver();

    Json map() const;  ///< the newest; null before the first
    Json state() const;
    Json state(const std::string& name) const { return state().value(name, Json{}); }
    /// Returns when the state is as wanted; throws std::runtime_error with `what`, the state and stderr when it is not
    /// so within patience().
    void wait_for(const std::string& what, const std::function<bool(const Json& state)>& wanted) const;
    void wait_for_bodies() const;
    void wait_frames(int count) const;  ///< of the window
    void wait_for_camera() const;       ///< until it has come to rest

    bool shows(const std::string& label) const { return map()["widgets"].contains(label); }
    bool greyed(const std::string& label) const { return map()["disabled"].contains(label); }
    /// Moves the mouse onto a widget that keeps its place, `part` of the way along it; returns when the window has seen
    /// it.
    void point_at(const std::string& label, double part = 0.5) const;
    void click(const std::string& label);  ///< waits until it is there; of a page of another group, that group first
    void scroll_to(const std::string& label) const;  ///< turns the wheel over the sidebar until this can be seen
    void choose(const std::string& combo, const std::string& item);
    void type_into(const std::string& label, const std::string& text);  ///< and presses Enter
    void wait_for_typing() const;                                       ///< keys go to a text field
    void type(const std::string& text);                                 ///< into the text field that has the keyboard
    void key(const std::string& name);                                  ///< as xdotool calls it
    void xdotool(const std::vector<std::string>& words) const;
    void close_by_frame() const;  ///< presses the × of its frame, or Alt + F4

    pid_t process() const { return program_->process(); }
    std::string errors() const;  ///< stderr so far
    std::optional<int> exit_code(Seconds patience) { return program_->exit_code(patience); }
    const std::filesystem::path& folder() const { return folder_; }  ///< where it runs; its own
    const std::string& display() const { return display_.name(); }
    int acts() const { return acts_; }  ///< keys, clicks and movements so far

private:
    std::filesystem::path folder_, map_file_;
    const VirtualDisplay& display_;
    std::unique_ptr<Child> program_;
    mutable std::string map_text_;  // that map_ was read from
    mutable Json map_;
    mutable int acts_ = 0;
};

}  // namespace orrery::test
