// SPDX-License-Identifier: MIT
#include "app/render/gl/timer.hpp"

namespace orrery {

GlTimer::GlTimer() {
    for (Slot& slot : slots_) {
        GLuint name = 0;
        glCreateQueries(GL_TIME_ELAPSED, 1, &name);
        slot.query = GlName<Kind>{name};
    }
}

void GlTimer::begin() {
    Slot& slot = slots_[next_];
    if (slot.pending) {
        GLint available = 0;
        glGetQueryObjectiv(slot.query.get(), GL_QUERY_RESULT_AVAILABLE, &available);
        if (available == 0) return;  // four frames behind: skip this measurement instead of waiting
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(slot.query.get(), GL_QUERY_RESULT, &nanoseconds);
        milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
        slot.pending = false;
    }
    glBeginQuery(GL_TIME_ELAPSED, slot.query.get());
    running_ = true;
}

void GlTimer::end() {
    if (!running_) return;
    glEndQuery(GL_TIME_ELAPSED);
    slots_[next_].pending = true;
    next_ = (next_ + 1) % slots_.size();
    running_ = false;
}

}  // namespace orrery
