// SPDX-License-Identifier: MIT
#include "core/kernels/glsl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/vec.hpp"
#include "core/gl/device.hpp"

namespace orrery {
namespace {

/// Lines after the kernel have numbers from here on, so that messages about them are not taken for the kernel's.
constexpr int kLineAfterKernel = 1'000'001;

/// Names of the shaders into which a kernel is inserted, which it may use for its own functions and variables: they get
/// a prefix there. Those that a kernel reads are not among them.
constexpr auto kShaderNames =
    std::to_array<std::string_view>({"first_item",    "last_item",     "splits",         "tile_rows",
                                     "grid_x",        "map",           "root",           "window",
                                     "law",           "low",           "tile",           "first_window",
                                     "last_window",   "equal_masses",  "useful",         "h",
                                     "per_h",         "sigma2",        "cut_off2",       "cut_energy",
                                     "balanced_side", "grid",          "table",          "triangular",
                                     "bit_width",     "bit_floor",     "newton_root",    "root_less",
                                     "lambda_tile",   "rec_begin",     "rec_tile",       "sum",
                                     "difference",    "hadouken_tile", "tile_of",        "partial",
                                     "square",        "pair_rsqrt",    "published_tile", "offset_tile",
                                     "inverse_cube",  "add_pull",      "unused_1",       "unused_2",
                                     "unused_3",      "masses",        "places"});

/// The first error in a driver's log, as "NAME:LINE: …" if it concerns a line of the kernel: "0:12(5): error: …"
/// (Mesa), "0(12) : error C1008: …" (NVIDIA).
std::string in_kernel(const KernelFile& file, std::string_view log) {
    const std::size_t error = log.find("error");
    if (error == log.npos) return fmt::format("{}: {}", file.name, log);
    const std::size_t begin = std::min(log.find(' ', error), log.size() - 1) + 1;
    std::string_view what = log.substr(begin);
    what = what.substr(0, what.find(" 0:"));  // the next message
    what = what.substr(0, what.find(" 0("));
    const std::size_t place = log.rfind(" 0", error);
    const int line = place == log.npos || place + 3 >= log.size() ? 0 : std::atoi(log.data() + place + 3);
    if (line <= 0 || line >= kLineAfterKernel) return fmt::format("{}: {}", file.name, what);
    return fmt::format("{}:{}: {}", file.name, line, what);
}

gl::Buffer filled(std::span<const std::byte> bytes) {
    gl::Buffer buffer{bytes.size()};
    buffer.write(bytes);
    return buffer;
}

/// Accelerations beyond those of the bodies, which a kernel must not write.
constexpr std::size_t kMarginRows = 256;
constexpr float kUnwritten = -7.25e33f;

/// Runs a force on `count` bodies in single precision.
void try_bodies(const KernelFile& file, std::size_t count) {
    std::vector<Vec4f> bodies(count), found(count + kMarginRows, Vec4f{kUnwritten, kUnwritten, kUnwritten, kUnwritten});
    for (std::size_t i = 0; i < count; ++i) {
        const auto t = static_cast<float>(i);
        bodies[i] = {std::sin(12.9898f * t + 1), std::sin(78.233f * t + 2), std::sin(37.719f * t + 3), 1 / (t + 1)};
    }
    if (count > 30) bodies[20].x = bodies[7].x, bodies[20].y = bodies[7].y, bodies[20].z = bodies[7].z;
    const bool is_pair = file.kind == KernelKind::kPair;
    const gl::Program& program =
        is_pair ? glsl_program(file, "kernel.comp:pairs", "#define DOUBLE 0\n#define KERNEL 1\n")
                : glsl_program(file, "kernel.comp:forces", "#define DOUBLE 0\n" + glsl_defines(file));
    const gl::Buffer in = filled(std::as_bytes(std::span{bodies})), out = filled(std::as_bytes(std::span{found}));
    gl::PairArguments<float> arguments;
    const auto group = static_cast<std::size_t>(is_pair ? 64 : file.rows);
    const std::size_t groups = (count + group - 1) / group;
    arguments.count = static_cast<std::uint32_t>(count);
    arguments.last_item = static_cast<std::uint32_t>(groups);
    arguments.softening2 = 0.0025f, arguments.constant = 1.5f;
    gl::Device& device = gl::Device::get();
    device.dispatch(program, {in.name(), out.name()}, arguments, groups);
    device.check(fmt::format("kernel {}", file.title));
    out.read(std::as_writable_bytes(std::span{found}));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Vec4f a = found[i];
        const bool written = a.x != kUnwritten || a.y != kUnwritten || a.z != kUnwritten;
        if (i >= count && written) usage_error(fmt::format("writes acceleration {} of {} bodies", i, count));
        if (i < count && !written)
            usage_error(fmt::format("does not write the acceleration of body {} of {}", i, count));
        if (i < count && !(std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z)))
            usage_error(fmt::format("computes an acceleration that is not finite, of body {} of {}", i, count));
    }
}

}  // namespace

std::string glsl_text(const KernelFile& file) {
    std::string members, values;
    for (const KernelParameter& each : file.parameters) {
        members += fmt::format(" Real {};", each.name);
        values += fmt::format("{}Real({:.9e})", values.empty() ? "" : ", ", each.value);
    }
    std::string text;
    for (const std::string_view each : kShaderNames) text += fmt::format("#define {0} kernel_{0}\n", each);
    if (!members.empty())
        text += fmt::format("struct Parameters {{{} }};\nconst Parameters p = Parameters({});\n", members, values);
    text += fmt::format("#line 1\n{}\n", file.text);
    for (const std::string_view each : kShaderNames) text += fmt::format("#undef {}\n", each);
    return text + fmt::format("#line {}\n", kLineAfterKernel);
}

const gl::Program& glsl_program(const KernelFile& file, std::string_view shader, const std::string& defines) {
    try {
        return gl::Device::get().program(shader, defines, glsl_text(file));
    } catch (const Error& error) {
        usage_error(in_kernel(file, error.what()));
    }
}

std::string glsl_defines(const KernelFile& file) {
    return fmt::format("#define THREADS {}\n#define ROWS {}\n", file.threads, file.rows);
}

EvaluatedMap glsl_map_on_device(const KernelFile& file) {
    const auto kernel = std::make_shared<const KernelFile>(file);
    return {[kernel](std::uint32_t rows) {
                return gl::Device::get().run([&] {
                    gl::PairArguments<float> arguments;
                    arguments.tile_rows = rows;
                    std::array<std::uint32_t, 2> found{};
                    const gl::Buffer out{sizeof found};
                    gl::Device::get().dispatch(glsl_program(*kernel, "kernel.comp:grid", ""), {out.name()}, arguments,
                                               1);
                    out.read(std::as_writable_bytes(std::span{found}));
                    return Grid{found[0], found[1]};
                });
            },
            [kernel](std::uint32_t rows, std::uint64_t first, std::uint64_t last, Tile* to) {
                gl::Device::get().run([&] {
                    const std::span<Tile> tiles{to, static_cast<std::size_t>(last - first)};
                    const gl::Program& grid = glsl_program(*kernel, "kernel.comp:grid", "");
                    gl::PairArguments<float> arguments;
                    arguments.tile_rows = rows;
                    std::array<std::uint32_t, 2> found{};
                    const gl::Buffer out{std::max(sizeof found, tiles.size_bytes())};
                    gl::Device::get().dispatch(grid, {out.name()}, arguments, 1);
                    out.read(std::as_writable_bytes(std::span{found}));
                    arguments.grid_x = std::max(1u, found[0]);
                    arguments.first_item = static_cast<std::uint32_t>(first);
                    arguments.last_item = static_cast<std::uint32_t>(last);
                    gl::Device::get().dispatch(glsl_program(*kernel, "kernel.comp:tiles", ""), {out.name()}, arguments,
                                               (tiles.size() + 63) / 64);
                    out.read(std::as_writable_bytes(tiles));
                });
            }};
}

void try_glsl(const KernelFile& file) try {
    gl::Device::get().run([&] {
        if (file.kind != KernelKind::kMap) {
            for (const std::size_t count : {1, 2, 33, 601}) try_bodies(file, count);
            return;
        }
        for (const std::uint32_t rows : {1u, 2u, 3u, 17u, 64u}) exactness_of(glsl_map_on_device(file), rows);
    });
} catch (const DeviceLost&) {
    usage_error("does not end, or accesses memory outside of its buffers: the OpenGL driver reset the device");
}

}  // namespace orrery
