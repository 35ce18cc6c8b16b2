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
#include "app/render/gl/name.hpp"

namespace orrery {

struct WindowSize {
    int width, height;  ///< in screen coordinates
};

struct KeyEvent {
    int key, action, mods;  ///< GLFW_KEY_*, GLFW_PRESS | GLFW_REPEAT | GLFW_RELEASE, GLFW_MOD_*
    char32_t sign = 0;      ///< as meant_sign() tells it; 0: not known, or a key without a sign
};

/// Events since the last poll. ImGui, attached to the surface, sees the same events.
struct WindowEvents {
    std::vector<KeyEvent> keys;
    double scroll = 0;  ///< notches, away from the user positive
    std::vector<std::filesystem::path> dropped;
    bool narrowed = false;  ///< it has become too narrow to show the sidebar beside the picture
    bool close = false;     ///< the person wants to close the window, by its frame or by the desktop
    /// Where the left button went down and up, in the coordinates of the window: by the next frame the pointer may be
    /// elsewhere.
    std::optional<glm::dvec2> pressed, released;
};

/// What the window's picture and panels appear on, and where its input comes from: a window of the desktop, or a
/// browser. It has an OpenGL 4.5 core context, current in the thread that made it. At most one at a time.
class Surface {
public:
    virtual ~Surface() = default;

    virtual const GlInfo& gl_info() const noexcept = 0;
    virtual GLuint framebuffer() const = 0;     ///< where the picture is drawn; 0: the context's own
    virtual int framebuffer_width() const = 0;  ///< in pixels; 0 while minimised
    virtual int framebuffer_height() const = 0;
    virtual float content_scale() const = 0;  ///< scale of the UI; 1 on a standard screen
    /// Shows what is drawn; never waits for the screen, because the frame loop has its own limiter. `step` of the
    /// simulation that it shows is for those that measure.
    virtual void swap(std::int64_t step) = 0;

    virtual WindowEvents poll() = 0;
    /// Waits for an event of any kind, at most this long. False: none came. The events are left to poll().
    virtual bool wait(double seconds) = 0;
    /// Whether an event of any kind came since the last question: also of the mouse, of the window's size and place.
    virtual bool stirred() = 0;
    virtual bool key_down(int key) const = 0;  ///< GLFW_KEY_*
    /// What the key at this place writes without modifiers, in lower case; 0: not known.
    virtual char32_t sign_at(int key) const = 0;
    virtual bool minimised() const = 0;  ///< the window is not visible
    virtual void raise() = 0;            ///< shows a minimised window again, because it has a question
    virtual bool should_close() const = 0;
    virtual void close() = 0;
    /// Fills the screen, or goes back to where it was. False: there is no monitor.
    virtual bool toggle_fullscreen() = 0;
    virtual std::optional<WindowSize> windowed_size()
        const = 0;  ///< at scale 1, to remember; none while it fills the screen
    virtual void set_title(const std::string& title) = 0;
    /// The person has just made this file in the window: a film, a picture, a table, a scene.
    virtual void made_file(const std::filesystem::path& file) = 0;

    /// Whether the person sits at another machine, where paths of this one and its file manager are of no use.
    virtual bool elsewhere() const { return false; }
    /// A message as it reads there.
    virtual std::string readable(std::string message) const { return message; }

    /// Opens a folder before the person's eyes. False: there is no way to.
    virtual bool show_folder(const std::filesystem::path& folder) = 0;

    /// ImGui's side of it: mouse, keys, text, clipboard and cursor. The context of ImGui exists from the first to the
    /// last.
    virtual void attach_imgui() = 0;
    virtual void begin_imgui_frame() = 0;
    virtual void detach_imgui() = 0;
};

/// Makes a surface of a window with the size of the last time, in screen coordinates. Throws Error{kEnvironment}.
using MakeSurface = std::function<std::unique_ptr<Surface>(int width, int height)>;

}  // namespace orrery
