// SPDX-License-Identifier: MIT
#include "app/platform/offscreen_context.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>
#include <optional>
#include <utility>

#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/gl/egl.hpp"
#include "core/gl/sharing.hpp"

namespace orrery {
namespace {

/// The attributes of a context of OpenGL 4.5.
std::array<EGLint, 11> attributes(bool notified) {
    const bool debug =
#ifndef NDEBUG
        true;
#else
        false;
#endif
    return {EGL_CONTEXT_MAJOR_VERSION,
            4,
            EGL_CONTEXT_MINOR_VERSION,
            5,
            EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
            EGL_CONTEXT_OPENGL_DEBUG,
            debug ? EGL_TRUE : EGL_FALSE,
            notified ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY : EGL_NONE,
            EGL_LOSE_CONTEXT_ON_RESET,
            EGL_NONE};
}

/// Makes the context current: without a surface if the driver supports that, otherwise with a new one. Returns the
/// reason for a failure.
std::string make_current_in(EGLDisplay display, EGLConfig config, EGLContext context, EGLSurface& surface) {
    const Egl& e = egl();
    if (e.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return {};
    const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    if (config) surface = e.create_pbuffer_surface(display, config, size.data());
    if (surface != EGL_NO_SURFACE && e.make_current(display, surface, surface, context)) return {};
    return fmt::format("the context cannot be made current ({:#x})", e.get_error());
}

/// Contexts for the device that computes, beside an offscreen context, which exists longer.
class OffscreenSource final : public gl::ContextSource {
public:
    OffscreenSource(std::string description, bool software, EGLDisplay display, EGLConfig config, EGLContext drawing,
                    bool notified)
        : description_{std::move(description)},
          software_{software},
          display_{display},
          config_{config},
          drawing_{drawing},
          notified_{notified} {}

    std::string description() const override { return description_; }
    bool software() const override { return software_; }
    gl::Loader make_current(std::string& why_not) override {
        const Egl& e = egl();
        e.bind_api(EGL_OPENGL_API);
        context_ = e.create_context(display_, config_, drawing_, attributes(notified_).data());
        if (context_ == EGL_NO_CONTEXT)
            why_not = fmt::format("no context that shares objects ({:#x})", e.get_error());
        else
            why_not = make_current_in(display_, config_, context_, surface_);
        if (why_not.empty()) return reinterpret_cast<gl::Loader>(e.get_proc_address);
        release();
        return nullptr;
    }
    void release() override {
        const Egl& e = egl();
        e.make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface_ != EGL_NO_SURFACE) e.destroy_surface(display_, std::exchange(surface_, EGL_NO_SURFACE));
        if (context_ != EGL_NO_CONTEXT) e.destroy_context(display_, std::exchange(context_, EGL_NO_CONTEXT));
    }

private:
    std::string description_;
    bool software_;
    EGLDisplay display_;
    EGLConfig config_;
    EGLContext drawing_, context_ = EGL_NO_CONTEXT;
    bool notified_;  // of resets: both contexts must agree
    EGLSurface surface_ = EGL_NO_SURFACE;
};

}  // namespace

struct OffscreenContext::State : EglContext {
    std::string description;
    GlInfo info;
    std::optional<gl::Drawer> drawer;

    /// Returns an empty string if the context is current, otherwise the reason.
    std::string open(const Egl& e, const EglCandidate& from);
};

std::string OffscreenContext::State::open(const Egl& e, const EglCandidate& from) {
    description = from.description;
    std::string why_not;
    display = EglDisplay{from, why_not};
    if (!display) return why_not;
    if (!e.bind_api(EGL_OPENGL_API)) return "no desktop OpenGL";
    const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                       EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (!e.choose_config(display.get(), wanted.data(), &config, 1, &configs) || configs == 0) config = nullptr;
    const std::optional<gl::SharedContext> computing = gl::context_on(display.get());
    if (computing)
        context =
            e.create_context(display.get(), config, computing->egl_context, attributes(computing->notified).data());
    const bool shares = context != EGL_NO_CONTEXT;
    if (!shares) context = e.create_context(display.get(), config, EGL_NO_CONTEXT, attributes(false).data());
    std::string no_context;
    if (context == EGL_NO_CONTEXT) {  // try any version, to report what is available
        no_context = fmt::format("no OpenGL 4.5 core ({:#x})", e.get_error());
        context = e.create_context(display.get(), config, EGL_NO_CONTEXT, nullptr);
        if (context == EGL_NO_CONTEXT) return no_context;
    }
    if (std::string why = make_current_in(display.get(), config, context, surface); !why.empty()) return why;
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(e.get_proc_address)) == 0)
        return "OpenGL's functions cannot be loaded";
    info = query_gl_info();
    if (!no_context.empty() || gl_version_number() < kRequiredGl) {
        return fmt::format("no OpenGL 4.5 core, found OpenGL {} on {}", info.version, info.renderer);
    }
    auto source = std::make_shared<OffscreenSource>(description, info.software, display.get(), config, context,
                                                    shares && computing->notified);
    if (shares)
        drawer.emplace(gl::Drawer::Shares{}, std::move(source));
    else
        drawer.emplace(std::move(source));
    return {};
}

OffscreenContext::OffscreenContext(int cuda_device) {
    require_address_space_to_draw();
    const Egl& e = egl();
    std::string tried;
    for (const EglCandidate& candidate : egl_candidates(e, cuda_device, tried)) {
        auto state = std::make_unique<State>();
        const std::string why = state->open(e, candidate);
        if (why.empty()) {
            state_ = std::move(state);
            install_gl_debug_output();
            return;
        }
        tried += fmt::format("{}: {}; ", candidate.description, why);
    }
    if (tried.size() >= 2) tried.resize(tried.size() - 2);
    environment_error(fmt::format("no OpenGL 4.5 without a display: {}", tried));
}

OffscreenContext::OffscreenContext(OffscreenContext&&) noexcept = default;
OffscreenContext& OffscreenContext::operator=(OffscreenContext&&) noexcept = default;
OffscreenContext::~OffscreenContext() = default;

const GlInfo& OffscreenContext::gl_info() const noexcept { return state_->info; }
const std::string& OffscreenContext::description() const noexcept { return state_->description; }

void OffscreenContext::make_current() {
    if (!egl().make_current(state_->display.get(), state_->surface, state_->surface, state_->context)) {
        environment_error(fmt::format("{}: the context cannot be made current", state_->description));
    }
}

}  // namespace orrery
