// SPDX-License-Identifier: MIT
#include "app/render/exposure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "app/render/view_uniforms.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSteps = 256;   // as in measure.comp
constexpr int kGroup = 16;            // its local_size
constexpr float kDefaultStretch = 4;  // as in ViewSettings
constexpr GLbitfield kMapped = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
constexpr GLintptr kFirst = offsetof(ViewUniforms, stretch);
constexpr GLsizeiptr kBytes = offsetof(ViewUniforms, white) + sizeof(float) - offsetof(ViewUniforms, stretch);
static_assert(offsetof(ViewUniforms, stretch) == 23 * sizeof(float));  // as in expose.comp
static_assert(offsetof(ViewUniforms, response) == 24 * sizeof(float));
static_assert(offsetof(ViewUniforms, white) == 28 * sizeof(float));

struct DeleteFence {
    void operator()(GLsync sync) const noexcept { glDeleteSync(sync); }
};

}  // namespace

/// Values being copied to the host.
struct Exposure::Way {
    GlBuffer host{static_cast<std::size_t>(kBytes), kMapped | GL_CLIENT_STORAGE_BIT};
    const float* numbers = nullptr;
    std::unique_ptr<std::remove_pointer_t<GLsync>, DeleteFence> copied;
    Exposed seen{kDefaultStretch, 1};
};

Exposure::Exposure()
    : measure_{"measure.comp"},
      expose_{"expose.comp"},
      histogram_{kSteps * sizeof(GLuint), GL_DYNAMIC_STORAGE_BIT},
      way_{std::make_unique<Way>()} {
    way_->numbers = static_cast<const float*>(glMapNamedBufferRange(way_->host.name(), 0, kBytes, kMapped));
    if (!way_->numbers) environment_error("OpenGL maps no buffer");
}

Exposure::~Exposure() = default;

void Exposure::measure(const GlTexture& narrow, const GlBuffer& view, const Wish& wish) {
    constexpr GLuint kZero = 0;
    glClearNamedBufferData(histogram_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &kZero);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, histogram_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, view.name());
    // Eight pixels of a frame of 720 rows: contains enough bodies to measure light, and is smaller than a spiral arm.
    const int side = std::clamp(static_cast<int>(std::lround(2 * wish.scale)), 1,
                                std::max(1, std::min(narrow.width(), narrow.height()) / 2));
    narrow.bind(0);
    measure_.use();
    glProgramUniform1i(measure_.name(), 0, side);
    glDispatchCompute(work_groups(narrow.width() / side, kGroup), work_groups(narrow.height() / side, kGroup), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    expose_.use();
    glProgramUniform3f(expose_.name(), 0, wish.stretch / kDefaultStretch, wish.gain, wish.least_white);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void Exposure::adopt(const GlBuffer& other, const GlBuffer& view) {
    constexpr GLintptr kWhite = offsetof(ViewUniforms, white);
    glCopyNamedBufferSubData(other.name(), view.name(), kFirst, kFirst, 2 * sizeof(float));
    glCopyNamedBufferSubData(other.name(), view.name(), kWhite, kWhite, sizeof(float));
}

void Exposure::note(const GlBuffer& view) {
    (void)seen();
    if (way_->copied) return;  // the previous copy is pending
    glCopyNamedBufferSubData(view.name(), way_->host.name(), kFirst, 0, kBytes);
    way_->copied.reset(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
}

Exposed Exposure::seen() const {
    if (way_->copied) {
        const GLenum status = glClientWaitSync(way_->copied.get(), 0, 0);
        if (status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED) {
            constexpr std::size_t kWhite = (offsetof(ViewUniforms, white) - kFirst) / sizeof(float);
            way_->seen = {way_->numbers[0], way_->numbers[kWhite]};
            way_->copied.reset();
        } else if (status == GL_WAIT_FAILED) {
            way_->copied.reset();  // the next frame copies new values
        }
    }
    return way_->seen;
}

}  // namespace orrery
