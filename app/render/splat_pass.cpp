// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "app/render/passes.hpp"
#include "app/render/view_uniforms.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSplatGroup = 256;     // local_size_x of splat.comp
constexpr std::size_t kRowOfGroups = 32768;  // GL guarantees at least 65535 in each dimension

constexpr std::size_t kZeroedByGroup = 16384;  // bytes, in zero.comp

/// True if 64-bit atomic additions exist; Mesa's software GL has none.
bool adds_pairs() {
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    int found = 0;
    for (GLint i = 0; i < count; ++i) {
        const auto* text = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
        const std::string_view name = text ? text : "";
        found += name == "GL_NV_shader_atomic_int64" || name == "GL_NV_gpu_shader5" ? 1 : 0;
    }
    return found == 2;
}

}  // namespace

SplatPass::SplatPass(bool software)
    : add_{!software && adds_pairs() ? "splat_pairs.comp" : "splat.comp"}, zero_{"zero.comp"}, software_{software} {
    GLint64 largest = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
    largest_ = static_cast<std::size_t>(largest);
    // A multiple of the group size, so that every range starts at an offset that drivers accept (256 bytes at most).
    range_ = std::min<std::size_t>(largest_ / sizeof(Vec4f), std::size_t{1} << 30) / kSplatGroup * kSplatGroup;
}

bool SplatPass::resize(int width, int height, LightChannels channels) {
    const std::size_t numbers = four_numbers(channels) ? 4 : 2;
    // Rounded up to quadruples, which zero.comp writes.
    const std::size_t bytes =
        (static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * numbers + 3) / 4 * 4 * sizeof(GLuint);
    light_ = GlBuffer{};
    if (bytes > largest_) return false;
    light_ = GlBuffer{bytes, 0};
    GLuint texels = 0;
    glCreateTextures(GL_TEXTURE_BUFFER, 1, &texels);
    texels_ = GlName<Texels>{texels};
    glTextureBuffer(texels, four_numbers(channels) ? GLenum{GL_RGBA32UI} : GLenum{GL_RG32UI}, light_.name());
    return true;
}

double SplatPass::fixed_scale(std::size_t bodies, double light) {
    constexpr double kFull = 4294967295.0;
    const double each = kFull / static_cast<double>(std::max<std::size_t>(bodies, 1)) - 1;  // 1: margin for rounding up
    return std::clamp(each / light, 1.0 / light, 1048576.0 / std::max(light, 1.0));
}

void clear_light(const GlBuffer& light, const GlProgram& zero, bool software) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, light.name());
    if (software) {
        constexpr GLuint kZero = 0;
        glClearNamedBufferData(light.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &kZero);
        return;
    }
    zero.use();
    glDispatchCompute(static_cast<GLuint>((light.bytes() + kZeroedByGroup - 1) / kZeroedByGroup), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void SplatPass::add_light(const SharedBuffer& bodies, GlBuffer& view) {
    clear_light(light_, zero_, software_);
    add_.use();
    for (std::size_t first = 0; first < bodies.count(); first += range_) {
        const std::size_t count = std::min(range_, bodies.count() - first);
        const auto vertices = static_cast<GLint>(count);
        view.write(&vertices, sizeof vertices, offsetof(ViewUniforms, vertices));
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, bodies.name(), static_cast<GLintptr>(first * sizeof(Vec4f)),
                          static_cast<GLsizeiptr>(count * sizeof(Vec4f)));
        if (bodies.masses() != 0)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, bodies.masses(),
                              static_cast<GLintptr>(first * sizeof(float)),
                              static_cast<GLsizeiptr>(count * sizeof(float)));
        const std::size_t groups = (count + kSplatGroup - 1) / kSplatGroup;
        const std::size_t rows = (groups + kRowOfGroups - 1) / kRowOfGroups;
        glDispatchCompute(static_cast<GLuint>((groups + rows - 1) / rows), static_cast<GLuint>(rows), 1);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
}

void SplatPass::bind_light() const { glBindTextureUnit(0, texels_.get()); }

}  // namespace orrery
