// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include "app/render/gl/name.hpp"

namespace orrery {

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
