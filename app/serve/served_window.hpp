// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bitset>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/platform/offscreen_context.hpp"
#include "app/platform/surface.hpp"
#include "app/render/readback.hpp"
#include "app/serve/encoding.hpp"
#include "app/serve/viewers.hpp"

namespace orrery {

/// The controller's mouse and keyboard, as the window and ImGui read them.
class ControllerInput {
public:
    void begin_frame() { changed_ = {}, moved_ = false; }
    /// Takes an event of mouse or keyboard and adds it to `events`. Returns false to defer it to the next frame: ImGui
    /// reads the mouse once per frame, so a second change of a button, and a movement after it, must wait; so must a
    /// release after a movement, which would otherwise be a click.
    bool take(const InputEvent& event, WindowEvents& events);
    bool key_down(int key) const;
    char32_t sign_at(int key) const;
    void pass_to_imgui();  ///< mouse and characters; keys are passed when they are taken

private:
    static constexpr std::size_t kKeys = 349;  // GLFW_KEY_LAST + 1

    void release_all(WindowEvents& events);

    std::bitset<kKeys> keys_;
    std::array<char32_t, kKeys> signs_{};        // characters of pressed keys, if the browser has sent them
    std::array<bool, 3> buttons_{}, changed_{};  // down; changed in this frame
    bool moved_ = false;                         // the pointer, in this frame
    double x_ = -1, y_ = -1;
    std::string typed_;
};

/// Reads frames of the window back while later ones are drawn, and passes them to the encoder.
class FrameCapture {
public:
    FrameCapture(const GlInfo& gl, Encoding& encoding) : encoding_{encoding}, readback_{gl, 1} {}

    /// True if a frame can be captured now. Throws Error{kEnvironment} if the encoder has failed.
    bool room() const;
    bool empty() const { return in_flight_.empty(); }
    void add(CapturedFrame frame, const RenderTarget& picture);
    /// Passes frames that have arrived to the encoder. A frame equal to the last one is not sent again.
    void send();

private:
    Encoding& encoding_;
    std::optional<RenderTarget> smaller_;
    Readback readback_;
    std::deque<CapturedFrame> in_flight_;  // frames being read back
    SharedImage last_;
};

/// The window in the browsers of viewers. It has the size of the controller's canvas, up to a maximum.
class ServedWindow final : public Surface {
public:
    struct Config {
        int most_width = 1920, most_height = 1080;  ///< maximum size of the window, pixels
        std::function<void(const std::filesystem::path&)> made_file;
    };
    /// Throws Error{kEnvironment} without OpenGL 4.5 offscreen.
    ServedWindow(const Config& config, Viewers& viewers, Inbox& inbox, Encoding& encoding);
    ~ServedWindow() override;

    const GlInfo& gl_info() const noexcept override { return context_.gl_info(); }
    GLuint framebuffer() const override { return picture_->framebuffer(); }
    int framebuffer_width() const override { return picture_->width(); }
    int framebuffer_height() const override { return picture_->height(); }
    float content_scale() const override { return scale_; }
    void swap(std::int64_t step) override;

    WindowEvents poll() override;
    bool wait(double seconds) override;
    bool needs_redraw() override;
    bool key_down(int key) const override { return controls_.key_down(key); }
    char32_t sign_at(int key) const override { return controls_.sign_at(key); }
    bool minimised() const override { return viewers_.count() == 0; }
    void raise() override {}
    bool should_close() const override { return false; }  // a signal ends the program
    void close() override;
    bool toggle_fullscreen() override { return false; }  // done by the page
    std::optional<WindowSize> windowed_size() const override { return std::nullopt; }
    void set_title(const std::string& title) override;
    void made_file(const std::filesystem::path& file) override { config_.made_file(file); }
    bool elsewhere() const override { return true; }
    std::string readable(std::string message) const override;
    bool show_folder(const std::filesystem::path&) override { return false; }

    void attach_imgui() override;
    void begin_imgui_frame() override;
    void detach_imgui() override {}

private:
    bool take(const Input& input);
    bool take_event(const InputEvent& event);
    void take_size(const ViewerSize& wanted);
    void show_cursor();

    Config config_;
    Viewers& viewers_;
    Inbox& inbox_;
    OffscreenContext context_;
    std::optional<RenderTarget> picture_;
    FrameCapture frames_;
    float scale_ = 1;
    bool needs_redraw_ = true, unsent_ = false;

    std::deque<Input> waiting_;
    WindowEvents events_;
    std::uint32_t controller_ = 0, inputs_ = 0;  // of the last input taken
    ControllerInput controls_;
    std::string clipboard_;
    int cursor_ = 0;
    bool narrow_ = false;
    std::string_view language_;      // last sent to the viewers
    std::filesystem::path uploads_;  // folder of uploaded files
    Viewers::Clock::time_point began_;
};

}  // namespace orrery
