// SPDX-License-Identifier: MIT
#include "app/render/trails_pass.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

constexpr std::size_t kTrailGroup = 256;      // local_size_x of trail_take.comp
constexpr double kTrailWidth = 1.3;           // pixels in a frame of 720 rows
constexpr double kFewTrails = 50;             // with more trails, each is fainter, so that they do not hide the bodies
constexpr std::size_t kMostPassed = 1 << 21;  // positions waiting for a frame; the oldest are dropped
constexpr GLsizei kTrailVertices = 6;         // per segment

}  // namespace

void TrailsPass::forget() {
    steps_.clear();
    passed_.clear();
    newest_ = 0;
}

void TrailsPass::note(const Frame& frame) {
    const std::size_t states = frame.passed_steps.size();
    if (frame.count == 0 || frame.passed.size() != states * frame.count) return;
    if (!passed_.empty() && passed_.front().places.size() != frame.count) passed_.clear();
    for (std::size_t i = 0; i < states; ++i) {
        const auto first = frame.passed.begin() + static_cast<std::ptrdiff_t>(i * frame.count);
        passed_.push_back({frame.passed_steps[i], {first, first + static_cast<std::ptrdiff_t>(frame.count)}});
    }
    const std::size_t most = std::max<std::size_t>(1, kMostPassed / frame.count);
    if (passed_.size() > most) passed_.erase(passed_.begin(), passed_.end() - static_cast<std::ptrdiff_t>(most));
}

void TrailsPass::next_slot(std::int64_t step) {
    newest_ = (newest_ + 1) % slots_;
    if (steps_.size() == slots_) steps_.erase(steps_.begin());
    steps_.push_back(step);
}

/// Adds noted states before `bodies` that are at least `every` steps apart.
void TrailsPass::take_passed(const SharedBuffer& bodies, std::int64_t every) {
    const auto* rows = bodies.rows().get();
    for (const Passed& state : passed_) {
        if (state.places.size() != bodies.bodies_of_frame() || state.step >= bodies.step()) continue;
        if (!steps_.empty() && state.step < steps_.back() + every) continue;
        next_slot(state.step);
        row_.resize(trails_);
        for (std::size_t i = 0; i < trails_; ++i) row_[i] = state.places[rows ? (*rows)[i * stride_] : i * stride_];
        ring_.write(row_.data(), row_.size() * sizeof(Vec4f), newest_ * trails_ * sizeof(Vec4f));
    }
    passed_.clear();
}

/// Keeps the trails when some bodies have disappeared, by copying rows of the ring in runs. False if other bodies are
/// new.
bool TrailsPass::follow_ids(const SharedBuffer& bodies) {
    constexpr std::size_t kMostCopies = 20'000;
    const auto& now = bodies.words();
    if (!words_ || !now || stride_ != 1 || now->ids.empty() || words_->ids.size() != bodies_ ||
        now->ids.size() != bodies.count() || bodies.count() > bodies_)
        return false;
    struct Run {
        std::size_t from, to, count;
    };
    std::vector<Run> runs;
    std::size_t from = 0;
    for (std::size_t to = 0; to < now->ids.size(); ++to, ++from) {
        while (from < bodies_ && words_->ids[from] < now->ids[to]) ++from;
        if (from == bodies_ || words_->ids[from] != now->ids[to]) return false;
        if (!runs.empty() && runs.back().from + runs.back().count == from)
            ++runs.back().count;
        else
            runs.push_back({from, to, 1});
    }
    if (runs.size() * slots_ > kMostCopies) return false;
    GlBuffer ring{bodies.count() * slots_ * sizeof(Vec4f), GL_DYNAMIC_STORAGE_BIT};
    for (std::size_t slot = 0; slot < slots_; ++slot)
        for (const Run& run : runs)
            glCopyNamedBufferSubData(ring_.name(), ring.name(),
                                     static_cast<GLintptr>((slot * trails_ + run.from) * sizeof(Vec4f)),
                                     static_cast<GLintptr>((slot * bodies.count() + run.to) * sizeof(Vec4f)),
                                     static_cast<GLsizeiptr>(run.count * sizeof(Vec4f)));
    ring_ = std::move(ring);
    bodies_ = trails_ = bodies.count();
    return true;
}

/// Reallocates the ring if the number of bodies or slots has changed, unless bodies have merged.
void TrailsPass::shape(const SharedBuffer& bodies, const TrailView& view) {
    const auto slots = static_cast<std::size_t>(std::clamp(view.points, 2, TrailView::kMostPoints));
    const auto before = std::exchange(words_, bodies.words());
    if (bodies.count() == bodies_ && slots == slots_) return;
    if (slots == slots_ && before) {
        words_ = before;
        const bool followed = follow_ids(bodies);
        words_ = bodies.words();
        if (followed) return;
    }
    bodies_ = bodies.count(), slots_ = slots;
    stride_ = std::max<std::size_t>(1, (bodies_ * slots_ + most_ - 1) / most_);
    trails_ = (bodies_ + stride_ - 1) / stride_;
    ring_ = GlBuffer{};
    if (trails_ > 0) ring_ = GlBuffer{trails_ * slots_ * sizeof(Vec4f), GL_DYNAMIC_STORAGE_BIT};
    steps_.clear();
    newest_ = 0;
}

void TrailsPass::record_trails(const SharedBuffer& bodies, const TrailView& view) {
    shape(bodies, view);
    if (trails_ == 0) return;
    while (!steps_.empty() && steps_.back() > bodies.step()) {  // time has been reversed
        steps_.pop_back();
        newest_ = (newest_ + slots_ - 1) % slots_;
    }
    const std::int64_t every = std::max(1, view.every);
    take_passed(bodies, every);
    if (!steps_.empty() && bodies.step() < steps_.back() + every) return;
    next_slot(bodies.step());
    take_.use();
    glProgramUniform3ui(take_.name(), 0, static_cast<GLuint>(trails_), static_cast<GLuint>(stride_),
                        static_cast<GLuint>(newest_ * trails_));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bodies.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, ring_.name());
    dispatch_rows(trails_, kTrailGroup);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void TrailsPass::add_light(const SharedBuffer& bodies, const TrailView& view, int width, int height,
                           LightChannels channels, double scale, int copies) {
    if (light_.width() != width || light_.height() != height || channels != channels_) {
        light_ = Canvas{light_format(channels), width, height, Filter::kNearest};
        channels_ = channels;
    }
    light_.clear();
    if (steps_.empty() || trails_ == 0) return;
    const AdditiveDrawing adding{light_};
    glBindVertexArray(nothing_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, bodies.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, ring_.name());
    glProgramUniform4ui(add_.name(), 0, static_cast<GLuint>(trails_), static_cast<GLuint>(stride_),
                        static_cast<GLuint>(newest_), static_cast<GLuint>(slots_));
    const double crowd = std::min(1.0, std::pow(kFewTrails / static_cast<double>(trails_), 0.35));
    glProgramUniform3f(add_.name(), 1, static_cast<float>(0.5 * kTrailWidth * scale),
                       static_cast<float>(view.opacity * crowd), static_cast<float>(slots_));
    add_.use();
    glDrawArraysInstanced(GL_TRIANGLES, 0, kTrailVertices * static_cast<GLsizei>(steps_.size()),
                          static_cast<GLsizei>(trails_) * copies);
}

}  // namespace orrery
