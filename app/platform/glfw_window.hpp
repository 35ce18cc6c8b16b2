// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/platform/surface.hpp"

namespace orrery {

struct GlfwWindowConfig {
    std::string title = "Orrery";
    int width = 1280;  ///< in screen coordinates
    int height = 720;
    bool visible = true;
};

/// A desktop window.
class GlfwWindow final : public Surface {
public:
    /// Throws Error{kEnvironment} without a display or without OpenGL 4.5, naming the version found.
    explicit GlfwWindow(const GlfwWindowConfig& config = {});
    GlfwWindow(GlfwWindow&&) noexcept;
    GlfwWindow& operator=(GlfwWindow&&) noexcept;
    ~GlfwWindow() override;

    const GlInfo& gl_info() const noexcept override;
    GLuint framebuffer() const override { return 0; }
    int framebuffer_width() const override;
    int framebuffer_height() const override;
    float content_scale() const override;
    void swap(std::int64_t step) override;

    WindowEvents poll() override;
    bool wait(double seconds) override;
    bool needs_redraw() override;
    bool key_down(int key) const override;
    char32_t sign_at(int key) const override;
    bool minimised() const override;
    void raise() override;
    bool should_close() const override;
    void close() override;
    bool toggle_fullscreen() override;
    std::optional<WindowSize> windowed_size() const override;
    void set_title(const std::string& title) override;
    void made_file(const std::filesystem::path&) override {}  // the file is on the user's own machine
    bool show_folder(const std::filesystem::path& folder) override;

    void attach_imgui() override;
    void begin_imgui_frame() override;
    void detach_imgui() override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
