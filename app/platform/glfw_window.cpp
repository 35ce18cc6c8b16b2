// SPDX-License-Identifier: MIT
#include "app/platform/glfw_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/platform/machine.hpp"
#include "app/platform/surface.hpp"
#include "core/base/error.hpp"
#include "core/gl/sharing.hpp"

namespace orrery {
namespace {

std::string last_glfw_error() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words ? words : "no reason given";
}

/// Xlib ends the process when the connection to the server is lost, with exit code 1 if this handler returns. The
/// display can no longer be used, and other threads still run.
int end_without_display(void* /*display*/) {
    constexpr std::string_view kWords = "orrery: the connection to the display is lost\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWords.data(), kWords.size());
    std::_Exit(static_cast<int>(Blame::kEnvironment));
}

/// Installs end_without_display() if GLFW has loaded Xlib; it may use another backend.
void report_lost_display() {
    void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!xlib) return;
    using Set = void* (*)(int (*handler)(void*));
    if (const auto set = reinterpret_cast<Set>(dlsym(xlib, "XSetIOErrorHandler"))) set(end_without_display);
    dlclose(xlib);
}

void start_glfw() {
    require_address_space_to_draw();
    const auto is_set = [](const char* display) { return display && *display != '\0'; };
    const char* display = std::getenv("DISPLAY");
    if (!is_set(display) && !is_set(std::getenv("WAYLAND_DISPLAY")))
        environment_error("no display: DISPLAY is not set; `orrery record` needs none");
#ifdef GLFW_PLATFORM_X11  // GLFW 3.4 prefers Wayland, on which programs cannot position windows
    if (is_set(display)) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    if (glfwInit() == GLFW_TRUE) return report_lost_display();
    const std::string why = last_glfw_error();
    if (!is_set(display)) environment_error(fmt::format("no display: {}; `orrery record` needs none", why));
    environment_error(fmt::format("no display: DISPLAY is '{}': {}; `orrery record` needs none", display, why));
}

void ask_for(int major, int minor, bool visible) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    if (major * 10 + minor >= 32) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    // The picture is composed in textures: the window's own buffer needs colour only.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
#ifndef NDEBUG
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
#endif
}

/// The OpenGL version that this machine provides by default, for the error message.
std::string version_found() {
    ask_for(1, 0, false);
    GLFWwindow* window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
    if (!window) return "no OpenGL: " + last_glfw_error();
    glfwMakeContextCurrent(window);
    std::string found = "an OpenGL whose functions cannot be loaded";
    if (gladLoadGL(glfwGetProcAddress) != 0) {
        const GlInfo info = query_gl_info();
        found = fmt::format("OpenGL {} on {}", info.version, info.renderer);
    }
    glfwDestroyWindow(window);
    return found;
}

/// The first character of a UTF-8 text, in lower case.
char32_t first_sign(const char* text) {
    const auto at = [&](int i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    if (at(0) < 0x80) return at(0) >= U'A' && at(0) <= U'Z' ? at(0) + (U'a' - U'A') : at(0);
    const int more = at(0) < 0xe0 ? 1 : at(0) < 0xf0 ? 2 : 3;
    char32_t sign = at(0) & (0x3fu >> more);
    for (int i = 1; i <= more; ++i) sign = sign << 6 | (at(i) & 0x3f);
    return sign;
}

/// The character that the key types without modifiers; 0 if the display knows no key names.
char32_t plain_sign(int key) {
    if (const char* name = glfwGetKeyName(key, 0); name && *name) return first_sign(name);
    return glfwGetKeyName(GLFW_KEY_A, 0) ? kNoSign : 0;
}

/// A context for the device that computes: that of a hidden window, which shares the objects of the window. GLFW
/// creates windows only in the main thread.
class HiddenWindow final : public gl::ContextSource {
public:
    HiddenWindow(GLFWwindow* beside, bool software) : software_{software} {
        ask_for(4, 5, false);
        window_ = glfwCreateWindow(1, 1, "", nullptr, beside);
        if (!window_) why_not_ = "no context that shares objects: " + last_glfw_error();
    }
    HiddenWindow(const HiddenWindow&) = delete;
    HiddenWindow& operator=(const HiddenWindow&) = delete;
    /// In the main thread, before the end of GLFW.
    void destroy() {
        if (window_) glfwDestroyWindow(std::exchange(window_, nullptr));
    }

    std::string description() const override { return "the window's OpenGL"; }
    bool software() const override { return software_; }
    gl::Loader make_current(std::string& why_not) override {
        why_not = why_not_;
        if (!window_) return nullptr;
        glfwMakeContextCurrent(window_);
        if (glfwGetCurrentContext() == window_) return glfwGetProcAddress;
        why_not = "the context cannot be made current: " + last_glfw_error();
        return nullptr;
    }
    void release() override { glfwMakeContextCurrent(nullptr); }

private:
    bool software_;
    GLFWwindow* window_ = nullptr;
    std::string why_not_;
};

}  // namespace

struct GlfwWindow::State {
    GLFWwindow* window = nullptr;
    std::shared_ptr<HiddenWindow> computing;
    std::optional<gl::Drawer> drawer;
    GlInfo info;
    WindowEvents events;
    bool needs_redraw = true, closed = false;
    char32_t plain = 0;                       // character of the last key without modifiers
    glm::dvec2 at{0};                         // position of the pointer after the last event
    int x = 0, y = 0, width = 0, height = 0;  // before full screen, in screen coordinates
    double grown = 1;                         // factor by which the desktop's scale has enlarged the window

    State() { start_glfw(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        drawer.reset();  // the device releases the context of the hidden window
        if (computing) computing->destroy();
        if (window) glfwDestroyWindow(window);
        glfwTerminate();
    }

    static State& of(GLFWwindow* w) { return *static_cast<State*>(glfwGetWindowUserPointer(w)); }
    static State& wake(GLFWwindow* w) {
        of(w).needs_redraw = true;
        return of(w);
    }
    static void on_key(GLFWwindow* w, int key, int, int action, int mods) {
        State& s = wake(w);
        s.plain = 0;
        if (is_sign_key(key)) s.plain = plain_sign(key);
        s.events.keys.push_back({key, action, mods, is_sign_key(key) ? meant_sign(key, mods, s.plain, 0) : 0});
    }
    /// GLFW reports the typed character right after the key press.
    static void on_char(GLFWwindow* w, unsigned typed) {
        std::vector<KeyEvent>& keys = wake(w).events.keys;
        if (keys.empty() || keys.back().action == GLFW_RELEASE || !is_sign_key(keys.back().key)) return;
        keys.back().sign = meant_sign(keys.back().key, keys.back().mods, of(w).plain, typed);
    }
    static void on_button(GLFWwindow* w, int button, int action, int) {
        State& s = wake(w);
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        (action == GLFW_PRESS ? s.events.pressed : s.events.released) = s.at;
    }
    /// The frame loop asks for confirmation before it closes the window.
    static void on_close(GLFWwindow* w) {
        wake(w).events.close = true;
        glfwSetWindowShouldClose(w, GLFW_FALSE);
    }
    static void on_scroll(GLFWwindow* w, double, double up) { wake(w).events.scroll += up; }
    static void on_drop(GLFWwindow* w, int count, const char** paths) {
        wake(w);
        for (int i = 0; i < count; ++i) of(w).events.dropped.emplace_back(paths[i]);
    }
};

GlfwWindow::GlfwWindow(const GlfwWindowConfig& config) : state_{std::make_unique<State>()} {
    ask_for(4, 5, config.visible);
    state_->window = glfwCreateWindow(config.width, config.height, config.title.c_str(), nullptr, nullptr);
    if (state_->window) {
        int width = 0;
        glfwGetWindowSize(state_->window, &width, nullptr);
        state_->grown = std::max(1.0, static_cast<double>(width) / std::max(1, config.width));
    }
    if (!state_->window) {
        const std::string why = last_glfw_error();
        environment_error(fmt::format("OpenGL 4.5 is needed for a window; found {} ({})", version_found(), why));
    }
    glfwMakeContextCurrent(state_->window);
    if (gladLoadGL(glfwGetProcAddress) == 0) environment_error("OpenGL's functions cannot be loaded");
    state_->info = query_gl_info();
    if (gl_version_number() < kRequiredGl) {
        environment_error(fmt::format("OpenGL 4.5 is needed for a window; found OpenGL {} on {}", state_->info.version,
                                      state_->info.renderer));
    }
    install_gl_debug_output();
    state_->computing = std::make_shared<HiddenWindow>(state_->window, state_->info.software);
    state_->drawer.emplace(state_->computing);
    glfwSwapInterval(0);
    glfwSetWindowUserPointer(state_->window, state_.get());
    glfwSetKeyCallback(state_->window, State::on_key);
    glfwSetScrollCallback(state_->window, State::on_scroll);
    glfwSetDropCallback(state_->window, State::on_drop);
    glfwSetCursorPosCallback(state_->window, [](GLFWwindow* w, double x, double y) { State::wake(w).at = {x, y}; });
    glfwSetCursorEnterCallback(state_->window, [](GLFWwindow* w, int) { State::wake(w); });
    glfwSetMouseButtonCallback(state_->window, State::on_button);
    glfwSetCharCallback(state_->window, State::on_char);
    glfwSetWindowFocusCallback(state_->window, [](GLFWwindow* w, int) { State::wake(w); });
    glfwSetWindowIconifyCallback(state_->window, [](GLFWwindow* w, int) { State::wake(w); });
    glfwSetWindowRefreshCallback(state_->window, [](GLFWwindow* w) { State::wake(w); });
    glfwSetFramebufferSizeCallback(state_->window, [](GLFWwindow* w, int, int) { State::wake(w); });
    glfwSetWindowContentScaleCallback(state_->window, [](GLFWwindow* w, float, float) { State::wake(w); });
    glfwSetWindowCloseCallback(state_->window, State::on_close);
}

GlfwWindow::GlfwWindow(GlfwWindow&&) noexcept = default;
GlfwWindow& GlfwWindow::operator=(GlfwWindow&&) noexcept = default;
GlfwWindow::~GlfwWindow() = default;

const GlInfo& GlfwWindow::gl_info() const noexcept { return state_->info; }

WindowEvents GlfwWindow::poll() {
    glfwPollEvents();
    return std::exchange(state_->events, {});
}

bool GlfwWindow::wait(double seconds) {
    glfwWaitEventsTimeout(seconds);
    return state_->needs_redraw;
}

bool GlfwWindow::needs_redraw() { return std::exchange(state_->needs_redraw, false); }
bool GlfwWindow::key_down(int key) const { return glfwGetKey(state_->window, key) == GLFW_PRESS; }
char32_t GlfwWindow::sign_at(int key) const { return is_sign_key(key) ? plain_sign(key) : 0; }
/// A window with a pending close request counts as visible, so that the request is handled.
bool GlfwWindow::minimised() const {
    return !state_->events.close && glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) == GLFW_TRUE;
}
void GlfwWindow::raise() {
    if (glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) == GLFW_TRUE) glfwRestoreWindow(state_->window);
    glfwRequestWindowAttention(state_->window);
}

void GlfwWindow::swap(std::int64_t /*step*/) { glfwSwapBuffers(state_->window); }
bool GlfwWindow::should_close() const { return state_->closed; }
void GlfwWindow::close() { state_->closed = true; }

bool GlfwWindow::toggle_fullscreen() {
    State& s = *state_;
    if (glfwGetWindowMonitor(s.window)) {
        glfwSetWindowMonitor(s.window, nullptr, s.x, s.y, s.width, s.height, GLFW_DONT_CARE);
        return true;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return false;
    glfwGetWindowPos(s.window, &s.x, &s.y);
    glfwGetWindowSize(s.window, &s.width, &s.height);
    glfwSetWindowMonitor(s.window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    return true;
}

std::optional<WindowSize> GlfwWindow::windowed_size() const {
    if (glfwGetWindowMonitor(state_->window)) return std::nullopt;
    WindowSize size{};
    glfwGetWindowSize(state_->window, &size.width, &size.height);
    const auto asked = [&](int pixels) { return static_cast<int>(std::lround(pixels / state_->grown)); };
    return WindowSize{asked(size.width), asked(size.height)};
}

int GlfwWindow::framebuffer_width() const {
    int width = 0;
    glfwGetFramebufferSize(state_->window, &width, nullptr);
    return width;
}

int GlfwWindow::framebuffer_height() const {
    int height = 0;
    glfwGetFramebufferSize(state_->window, nullptr, &height);
    return height;
}

float GlfwWindow::content_scale() const {
    float x = 1;
    glfwGetWindowContentScale(state_->window, &x, nullptr);
    return x > 0 ? x : 1;
}

bool GlfwWindow::show_folder(const std::filesystem::path& folder) { return orrery::show_folder(folder); }

void GlfwWindow::set_title(const std::string& title) { glfwSetWindowTitle(state_->window, title.c_str()); }

void GlfwWindow::attach_imgui() { ImGui_ImplGlfw_InitForOpenGL(state_->window, true); }
void GlfwWindow::begin_imgui_frame() { ImGui_ImplGlfw_NewFrame(); }
void GlfwWindow::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

}  // namespace orrery
