// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

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

}  // namespace orrery
