// SPDX-License-Identifier: MIT
#include "app/render/exposure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/render/frame_uniforms.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

// Chosen by eye, with Plummer spheres of 3 to 1 000 000 bodies and colliding discs.
constexpr double kCoreContrast = 40;                      // density of a white galaxy centre relative to the mean
constexpr double kLargestPoint = 24, kSmallestPoint = 3;  // pixels in a frame of 720 rows

double point_diameter(std::size_t bodies, double scale, double size) {
    const double wish = 28 * std::pow(static_cast<double>(std::max<std::size_t>(bodies, 1)), -0.22);
    return std::max(scale * size * std::clamp(wish, kSmallestPoint, kLargestPoint), kSmallestPoint);
}

constexpr double kFollowTime = 0.5;  // seconds
constexpr double kOtherScene = 20;   // times the radius: bodies never move so fast

bool of_another_scene(const FrameExtent& a, const FrameExtent& b) {
    const Vec3d apart = a.centre - b.centre;
    const double ratio = a.radius / b.radius;
    return !(ratio < kOtherScene && ratio > 1 / kOtherScene) ||
           std::sqrt(dot(apart, apart)) > kOtherScene * std::fmax(a.radius, b.radius);
}

constexpr std::size_t kSteps = 256;   // as in measure.comp
constexpr int kGroup = 16;            // its local_size
constexpr float kDefaultStretch = 4;  // as in ViewSettings
constexpr GLintptr kFirst = offsetof(ViewUniforms, stretch);
constexpr GLsizeiptr kBytes = offsetof(ViewUniforms, white) + sizeof(float) - offsetof(ViewUniforms, stretch);
static_assert(offsetof(ViewUniforms, stretch) == 23 * sizeof(float));  // as in expose.comp
static_assert(offsetof(ViewUniforms, response) == 24 * sizeof(float));
static_assert(offsetof(ViewUniforms, white) == 28 * sizeof(float));

}  // namespace

double picture_scale(int height, double content_scale) { return std::max({1.0, height / 720.0, content_scale}); }

Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale) {
    const double size = std::clamp(static_cast<double>(settings.size), 0.05, 50.0);
    // A pixel of a larger frame is a smaller part of it, and `splat` draws a body into one pixel, which must be
    // brighter.
    Brightness b{size * size * scale * scale, kLoneWhite, point_diameter(bodies, scale, size)};
    if (mode == DrawMode::kPoints) {
        const double sigma = b.point_diameter / 6;  // as in points.frag
        const double peak = bodies < 100 ? 3 : 1.5;
        b.light = peak * 2 * std::numbers::pi * sigma * sigma;
    }
    if (settings.white) {
        b.white = std::clamp(*settings.white, 1e-6, 1e12);
        return b;
    }
    const double away = glm::length(camera.eye() - glm::dvec3{extent.centre.x, extent.centre.y, extent.centre.z});
    const double depth = std::max({away, extent.radius / 2, 1e-300});
    const double radius = std::max(extent.radius * camera.pixels_per_length(depth, height), 1.0);
    const double per_pixel = 0.9 * static_cast<double>(bodies) / (std::numbers::pi * radius * radius);
    b.white += kCoreContrast * per_pixel * b.light;
    return b;
}

const FrameExtent& ExtentFollower::follow(const FrameExtent& extent, double seconds) {
    if (!begun_ || of_another_scene(seen_, extent)) {
        begun_ = true;
        return seen_ = extent;
    }
    const double part = 1 - std::exp(-seconds / kFollowTime);
    const auto near = [part](double& value, double goal) { value += part * (goal - value); };
    near(seen_.centre.x, extent.centre.x), near(seen_.centre.y, extent.centre.y), near(seen_.centre.z, extent.centre.z);
    near(seen_.radius, extent.radius);
    if (seen_.color_by == extent.color_by) {
        near(seen_.scalar_low, extent.scalar_low), near(seen_.scalar_high, extent.scalar_high);
    } else {
        seen_.scalar_low = extent.scalar_low, seen_.scalar_high = extent.scalar_high;
        seen_.color_by = extent.color_by;
    }
    return seen_;
}

/// Values being copied to the host.
struct Exposure::HostCopy {
    GlBuffer host{static_cast<std::size_t>(kBytes), kMappedForReading | GL_CLIENT_STORAGE_BIT};
    const float* numbers = nullptr;
    GlFence copied;
    Exposed seen{kDefaultStretch, 1};
};

Exposure::Exposure()
    : measure_{"measure.comp"},
      expose_{"expose.comp"},
      histogram_{kSteps * sizeof(GLuint), GL_DYNAMIC_STORAGE_BIT},
      host_copy_{std::make_unique<HostCopy>()} {
    host_copy_->numbers =
        static_cast<const float*>(glMapNamedBufferRange(host_copy_->host.name(), 0, kBytes, kMappedForReading));
    if (!host_copy_->numbers) environment_error("OpenGL cannot map a buffer");
}

Exposure::Exposure(Exposure&&) noexcept = default;
Exposure& Exposure::operator=(Exposure&&) noexcept = default;
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
    read_back(view);
}

void Exposure::adopt(const GlBuffer& other, const GlBuffer& view) {
    constexpr GLintptr kWhite = offsetof(ViewUniforms, white);
    glCopyNamedBufferSubData(other.name(), view.name(), kFirst, kFirst, 2 * sizeof(float));
    glCopyNamedBufferSubData(other.name(), view.name(), kWhite, kWhite, sizeof(float));
    read_back(view);
}

/// Starts copying the values to the host.
void Exposure::read_back(const GlBuffer& view) {
    measured_ = true;
    (void)exposed();
    if (host_copy_->copied) return;  // the previous copy is pending
    glCopyNamedBufferSubData(view.name(), host_copy_->host.name(), kFirst, 0, kBytes);
    host_copy_->copied.reset(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
}

Exposed Exposure::exposed() const {
    if (!measured_) return computed_;
    if (host_copy_->copied) {
        const GLenum status = glClientWaitSync(host_copy_->copied.get(), 0, 0);
        if (status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED) {
            constexpr std::size_t kWhite = (offsetof(ViewUniforms, white) - kFirst) / sizeof(float);
            host_copy_->seen = {host_copy_->numbers[0], host_copy_->numbers[kWhite]};
            host_copy_->copied.reset();
        } else if (status == GL_WAIT_FAILED) {
            host_copy_->copied.reset();  // the next frame copies new values
        }
    }
    return host_copy_->seen;
}

}  // namespace orrery
