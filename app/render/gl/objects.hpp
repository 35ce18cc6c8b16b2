// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace orrery {

/// Owns one GL name. Movable, not copyable; moved-from, it is 0. `Kind::destroy(GLuint)` frees it.
template <class Kind>
class GlName {
public:
    GlName() = default;
    explicit GlName(GLuint name) noexcept : name_{name} {}
    GlName(GlName&& other) noexcept : name_{std::exchange(other.name_, 0)} {}
    GlName& operator=(GlName&& other) noexcept {
        GlName taken{std::move(other)};
        std::swap(name_, taken.name_);
        return *this;
    }
    ~GlName() {
        if (name_ != 0) Kind::destroy(name_);
    }
    GLuint get() const noexcept { return name_; }

private:
    GLuint name_ = 0;
};

struct TextureKind {
    static void destroy(GLuint name) { glDeleteTextures(1, &name); }
};

/// Flags of a buffer that stays mapped and is read by the host.
inline constexpr GLbitfield kMappedForReading = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

/// Owns a buffer of fixed size. A default-constructed one owns nothing; its name is 0.
class GlBuffer {
public:
    GlBuffer() = default;
    /// `flags` as for glNamedBufferStorage; contents undefined. Throws Error{kEnvironment} with the size if out of
    /// memory.
    GlBuffer(std::size_t bytes, GLbitfield flags);

    GLuint name() const noexcept { return name_.get(); }
    std::size_t bytes() const noexcept { return name() != 0 ? bytes_ : 0; }
    /// Requires GL_DYNAMIC_STORAGE_BIT.
    void write(const void* data, std::size_t bytes, std::size_t offset = 0);

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteBuffers(1, &name); }
    };
    GlName<Kind> name_;
    std::size_t bytes_ = 0;
};

struct DeleteFence {
    void operator()(GLsync fence) const noexcept { glDeleteSync(fence); }
};
using GlFence = std::unique_ptr<std::remove_pointer_t<GLsync>, DeleteFence>;

enum class Filter { kNearest, kLinear };

/// Owns a 2D texture with one level, clamped at its edges.
class GlTexture {
public:
    GlTexture() = default;
    /// Throws Error{kEnvironment} with size and format if GL fails.
    GlTexture(GLenum format, int width, int height, Filter filter);

    GLuint name() const noexcept { return name_.get(); }
    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    void bind(GLuint unit) const { glBindTextureUnit(unit, name()); }

private:
    GlName<TextureKind> name_;
    int width_ = 0, height_ = 0;
};

/// Owns a framebuffer with one colour texture, which it borrows.
class GlFramebuffer {
public:
    GlFramebuffer() = default;
    /// Throws Error{kEnvironment} if the driver cannot draw into the texture.
    explicit GlFramebuffer(const GlTexture& color);
    GLuint name() const noexcept { return name_.get(); }

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
    };
    GlName<Kind> name_;
};

/// Owns a vertex array object. Core GL requires one to draw, even if no attribute is read.
class GlVertexArray {
public:
    GlVertexArray();
    GLuint name() const noexcept { return name_.get(); }
    /// Attribute `location` is a vec4 read from tightly packed memory of `buffer`.
    void read_vec4(GLuint location, GLuint buffer);
    /// Attribute `location` is a float read from tightly packed memory; without a buffer (0) it is 1.
    void read_float(GLuint location, GLuint buffer);

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
    };
    GlName<Kind> name_;
};

/// Times GL commands without waiting: each result is read when it is available, some frames later.
class GlTimer {
public:
    GlTimer();
    void begin();
    void end();
    double milliseconds() const noexcept { return milliseconds_; }  ///< the most recent known; 0 before the first

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteQueries(1, &name); }
    };
    struct Slot {
        GlName<Kind> query;
        bool pending = false;
    };
    std::array<Slot, 4> slots_;
    std::size_t next_ = 0;
    bool running_ = false;
    double milliseconds_ = 0;
};

}  // namespace orrery
