// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/render/gl/gl_info.hpp"
#include "app/render/gl/objects.hpp"

namespace orrery {

// Characters of keys. Shortcuts go by characters, not by positions, because keyboard layouts differ between countries.

/// A key that types nothing by itself, such as a dead key for accents.
inline constexpr char32_t kNoSign = 0xfffd;

/// True if this GLFW_KEY_*, which names a position on a US keyboard, is a key that types a character.
bool is_sign_key(int key);
/// The character that this key types on a US keyboard, in lower case.
char32_t us_sign(int key);

/// The character meant by pressing the key at this position. `plain`: what it types without modifiers on this keyboard;
/// `typed`: what the system has reported for this press; 0: unknown. Digits go by position, because some keyboards need
/// Shift for them; so do letters of other scripts, because no shortcut uses them.
char32_t meant_sign(int key, int mods, char32_t plain, char32_t typed);

struct WindowSize {
    int width, height;  ///< in screen coordinates
};

struct KeyEvent {
    int key, action, mods;  ///< GLFW_KEY_*, GLFW_PRESS | GLFW_REPEAT | GLFW_RELEASE, GLFW_MOD_*
    char32_t sign = 0;      ///< as returned by meant_sign(); 0: unknown, or a key without a character
};

/// Events since the last poll. ImGui, attached to the surface, sees the same events.
struct WindowEvents {
    std::vector<KeyEvent> keys;
    double scroll = 0;  ///< notches, away from the user positive
    std::vector<std::filesystem::path> dropped;
    bool narrowed = false;  ///< the surface has become too narrow to show the sidebar beside the picture
    bool close = false;     ///< request to close the window, by its frame or the desktop
    /// Positions of the left button's press and release, in window coordinates: by the next frame the pointer may be
    /// elsewhere.
    std::optional<glm::dvec2> pressed, released;
};

/// Shows the window's picture and panels and provides its input: a desktop window or a browser. It has an OpenGL 4.5
/// core context, current in the thread that made it. At most one exists at a time.
class Surface {
public:
    virtual ~Surface() = default;

    virtual const GlInfo& gl_info() const noexcept = 0;
    virtual GLuint framebuffer() const = 0;     ///< to draw the picture into; 0: the context's default
    virtual int framebuffer_width() const = 0;  ///< in pixels; 0 while minimised
    virtual int framebuffer_height() const = 0;
    virtual float content_scale() const = 0;  ///< scale of the UI; 1 on a standard screen
    /// Shows the drawn frame; never waits for the screen, because the frame loop has its own limiter. `step`: the
    /// simulation's step in this frame, for measurements.
    virtual void swap(std::int64_t step) = 0;

    virtual WindowEvents poll() = 0;
    /// Waits for an event of any kind, at most this long. False if none came. Leaves the events to poll().
    virtual bool wait(double seconds) = 0;
    /// True if any event came since the last call, including those of the mouse and of the window's size and position.
    virtual bool needs_redraw() = 0;
    virtual bool key_down(int key) const = 0;  ///< GLFW_KEY_*
    /// The character that the key at this position types without modifiers, in lower case; 0: unknown.
    virtual char32_t sign_at(int key) const = 0;
    virtual bool minimised() const = 0;  ///< the window is not visible
    virtual void raise() = 0;            ///< restores a minimised window that has a question for the user
    virtual bool should_close() const = 0;
    virtual void close() = 0;
    /// Toggles between the full screen and the previous position. False if there is no monitor.
    virtual bool toggle_fullscreen() = 0;
    virtual std::optional<WindowSize> windowed_size() const = 0;  ///< at scale 1, to be remembered; none in full screen
    virtual void set_title(const std::string& title) = 0;
    /// Reports that the user has just created this file: a video, picture, table or scene.
    virtual void made_file(const std::filesystem::path& file) = 0;

    /// True if the user is at another machine, where this machine's paths and file manager are of no use.
    virtual bool elsewhere() const { return false; }
    /// Adapts a message for the user's machine.
    virtual std::string readable(std::string message) const { return message; }

    /// Shows a folder to the user. False if there is no way to do so.
    virtual bool show_folder(const std::filesystem::path& folder) = 0;

    /// ImGui's platform backend: mouse, keys, text, clipboard and cursor. ImGui's context exists from the first call to
    /// the last.
    virtual void attach_imgui() = 0;
    virtual void begin_imgui_frame() = 0;
    virtual void detach_imgui() = 0;
};

/// Makes a surface with the last window size, in screen coordinates. Throws Error{kEnvironment}.
using MakeSurface = std::function<std::unique_ptr<Surface>(int width, int height)>;

}  // namespace orrery
