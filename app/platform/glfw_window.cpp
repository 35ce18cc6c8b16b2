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

#include "app/platform/show_folder.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

std::string last_glfw_error() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words ? words : "no reason given";
}

/// Xlib ends the process when the server has gone, with exit code 1 if this handler returned; nothing can be asked of
/// the server any more, and other threads still run.
int end_without_display(void* /*display*/) {
    constexpr std::string_view kWords = "orrery: the connection to the display is lost\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWords.data(), kWords.size());
    std::_Exit(static_cast<int>(Blame::kEnvironment));
}

/// GLFW has loaded Xlib by itself, or uses something else.
void name_the_loss_of_the_display() {
    void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!xlib) return;
    using Set = void* (*)(int (*handler)(void*));
    if (const auto set = reinterpret_cast<Set>(dlsym(xlib, "XSetIOErrorHandler"))) set(end_without_display);
    dlclose(xlib);
}

void start_glfw() {
    if (glfwInit() == GLFW_TRUE) return name_the_loss_of_the_display();
    const std::string why = last_glfw_error();
    const char* display = std::getenv("DISPLAY");
    if (!display || *display == '\0') environment_error("no display: DISPLAY is not set; `orrery record` needs none");
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

/// What this machine gives when asked for nothing in particular, for the message.
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

}  // namespace

struct GlfwWindow::State {
    GLFWwindow* window = nullptr;
    GlInfo info;
    WindowEvents events;
    bool stirred = true;
    int x = 0, y = 0, width = 0, height = 0;  // before full screen, in screen coordinates
    double grown = 1;                         // by how much the desktop's scale has made it larger than asked for

    State() { start_glfw(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (window) glfwDestroyWindow(window);
        glfwTerminate();
    }

    static State& of(GLFWwindow* w) { return *static_cast<State*>(glfwGetWindowUserPointer(w)); }
    static State& stir(GLFWwindow* w) {
        of(w).stirred = true;
        return of(w);
    }
    static void on_key(GLFWwindow* w, int key, int, int action, int mods) {
        stir(w).events.keys.push_back({key, action, mods});
    }
    static void on_scroll(GLFWwindow* w, double, double up) { stir(w).events.scroll += up; }
    static void on_drop(GLFWwindow* w, int count, const char** paths) {
        stir(w);
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
    glfwSwapInterval(0);
    glfwSetWindowUserPointer(state_->window, state_.get());
    glfwSetKeyCallback(state_->window, State::on_key);
    glfwSetScrollCallback(state_->window, State::on_scroll);
    glfwSetDropCallback(state_->window, State::on_drop);
    glfwSetCursorPosCallback(state_->window, [](GLFWwindow* w, double, double) { State::stir(w); });
    glfwSetCursorEnterCallback(state_->window, [](GLFWwindow* w, int) { State::stir(w); });
    glfwSetMouseButtonCallback(state_->window, [](GLFWwindow* w, int, int, int) { State::stir(w); });
    glfwSetCharCallback(state_->window, [](GLFWwindow* w, unsigned) { State::stir(w); });
    glfwSetWindowFocusCallback(state_->window, [](GLFWwindow* w, int) { State::stir(w); });
    glfwSetWindowIconifyCallback(state_->window, [](GLFWwindow* w, int) { State::stir(w); });
    glfwSetWindowRefreshCallback(state_->window, [](GLFWwindow* w) { State::stir(w); });
    glfwSetFramebufferSizeCallback(state_->window, [](GLFWwindow* w, int, int) { State::stir(w); });
    glfwSetWindowContentScaleCallback(state_->window, [](GLFWwindow* w, float, float) { State::stir(w); });
    glfwSetWindowCloseCallback(state_->window, [](GLFWwindow* w) { State::stir(w); });
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
    return state_->stirred;
}

bool GlfwWindow::stirred() { return std::exchange(state_->stirred, false); }
bool GlfwWindow::key_down(int key) const { return glfwGetKey(state_->window, key) == GLFW_PRESS; }
bool GlfwWindow::minimised() const { return glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) == GLFW_TRUE; }

void GlfwWindow::swap(std::int64_t /*step*/) { glfwSwapBuffers(state_->window); }
bool GlfwWindow::should_close() const { return glfwWindowShouldClose(state_->window) == GLFW_TRUE; }
void GlfwWindow::close() { glfwSetWindowShouldClose(state_->window, GLFW_TRUE); }

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

void GlfwWindow::set_icon(const Image& icon) {
    Image copy = icon;  // GLFW asks for a pointer to mutable pixels, and copies them
    const GLFWimage image{copy.width, copy.height, copy.rgba.data()};
    glfwSetWindowIcon(state_->window, 1, &image);
}

void GlfwWindow::attach_imgui() { ImGui_ImplGlfw_InitForOpenGL(state_->window, true); }
void GlfwWindow::begin_imgui_frame() { ImGui_ImplGlfw_NewFrame(); }
void GlfwWindow::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

}  // namespace orrery
