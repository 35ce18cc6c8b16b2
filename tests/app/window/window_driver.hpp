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

/// The real program in a real window, driven by mouse and keys; widgets are found through the UI map.
class WindowDriver {
public:
    using Json = nlohmann::json;

    /// `config`: folder of its settings; by default those of a small window, or with `--fresh` none, as for a new user.
    /// Unless the arguments name a clock, the window's clock advances by 1/30 s per frame (see WindowClock). `ranks`:
    /// number of processes started by mpirun, of which rank 0 owns the window; 0: without mpirun.
    WindowDriver(const VirtualDisplay& display, std::vector<std::string> arguments,
                 const std::filesystem::path& config = {}, int ranks = 0);
    ~WindowDriver();

    Json map() const { return *latest(); }  ///< null before the first
    Json state() const;
    Json state(const std::string& name) const;  ///< null if the state has no such member
    /// Returns when the state is as wanted; throws std::runtime_error with `what`, the state and stderr if that takes
    /// longer than patience().
    void wait_for(const std::string& what, const std::function<bool(const Json& state)>& wanted) const;
    void wait_for_bodies() const;
    void wait_frames(int count) const;  ///< frames of the window
    void wait_for_camera() const;       ///< until the camera has stopped

    bool shows(const std::string& label) const { return lists("widgets", label); }
    bool greyed(const std::string& label) const { return lists("disabled", label); }
    /// Moves the mouse onto a widget, to the fraction `part` of its width, once it keeps its position; returns when the
    /// window has received the movement.
    void point_at(const std::string& label, double part = 0.5) const;
    /// Waits until it is shown; opens the group of a page, or the fold Advanced of the open page, first.
    void click(const std::string& label);
    void scroll_to(const std::string& label) const;  ///< turns the wheel over the sidebar until it is visible
    void choose(const std::string& combo, const std::string& item);
    void type_into(const std::string& label, const std::string& text);  ///< and presses Enter
    void wait_for_typing() const;                                       ///< until a text field has the keyboard focus
    void type(const std::string& text);                                 ///< into the focused text field
    void key(const std::string& name);                                  ///< name as in xdotool
    void xdotool(const std::vector<std::string>& words) const;
    void close_by_frame() const;  ///< as the × of its frame, or Alt + F4

    pid_t process() const { return program_->process(); }
    std::string errors() const;  ///< stderr so far
    std::optional<int> exit_code(Seconds patience) { return program_->exit_code(patience); }
    const std::filesystem::path& folder() const { return folder_; }  ///< its temporary working folder
    const std::string& display() const { return display_.name(); }
    int acts() const { return acts_; }  ///< keys, clicks and movements so far

private:
    std::shared_ptr<const Json> latest() const;  ///< the map
    void poll(const std::string& what, const std::function<bool()>& reached) const;
    bool lists(const char* part, const std::string& label) const;
    void unfold_for(const std::string& label);

    std::filesystem::path folder_, map_file_;
    const VirtualDisplay& display_;
    std::unique_ptr<Child> program_;
    mutable std::string map_text_;  // the text that map_ was parsed from
    mutable std::shared_ptr<const Json> map_ = std::make_shared<const Json>();
    mutable int acts_ = 0;
};

}  // namespace orrery::test
