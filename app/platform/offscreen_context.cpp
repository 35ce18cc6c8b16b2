// SPDX-License-Identifier: MIT
#include "app/platform/offscreen_context.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>

#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/gl/egl.hpp"

namespace orrery {
struct OffscreenContext::State : EglContext {
    std::string description;
    GlInfo info;

    /// Returns an empty string if the context is current, otherwise the reason.
    std::string open(const Egl& e, const EglCandidate& from);
    std::string make_surface_current(const Egl& e, EGLConfig config);
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
    const bool debug =
#ifndef NDEBUG
        true;
#else
        false;
#endif
    const std::array<EGLint, 9> version{EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        5,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_CONTEXT_OPENGL_DEBUG,
                                        debug ? EGL_TRUE : EGL_FALSE,
                                        EGL_NONE};
    context = e.create_context(display.get(), config, EGL_NO_CONTEXT, version.data());
    std::string no_context;
    if (context == EGL_NO_CONTEXT) {  // try any version, to report what is available
        no_context = fmt::format("no OpenGL 4.5 core ({:#x})", e.get_error());
        context = e.create_context(display.get(), config, EGL_NO_CONTEXT, nullptr);
        if (context == EGL_NO_CONTEXT) return no_context;
    }
    if (std::string why = make_surface_current(e, config); !why.empty()) return why;
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(e.get_proc_address)) == 0)
        return "OpenGL's functions cannot be loaded";
    info = query_gl_info();
    if (!no_context.empty() || gl_version_number() < kRequiredGl) {
        return fmt::format("no OpenGL 4.5 core, found OpenGL {} on {}", info.version, info.renderer);
    }
    return {};
}

std::string OffscreenContext::State::make_surface_current(const Egl& e, EGLConfig config) {
    if (e.make_current(display.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return {};
    const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    if (config) surface = e.create_pbuffer_surface(display.get(), config, size.data());
    if (surface != EGL_NO_SURFACE && e.make_current(display.get(), surface, surface, context)) return {};
    return fmt::format("the context cannot be made current ({:#x})", e.get_error());
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
