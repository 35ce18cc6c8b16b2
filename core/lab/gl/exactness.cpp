// SPDX-License-Identifier: MIT
// Exact ranges of the maps in GLSL, whose roots are those of the driver.
#include <fmt/format.h>

#include <algorithm>

#include "core/engines/gl/map_check.hpp"
#include "core/gl/device.hpp"
#include "core/lab/gl/kernels.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

/// The uniform block of core/gl/shaders/lab.comp.
struct ExactnessArguments {
    std::uint32_t bodies = 0, rows = 0, width = 0, height = 0;
    std::uint32_t balanced_side = 0, first = 0, last = 0, unused = 0;
};

std::string exactness_defines(RootId id, bool utm, unsigned map) {
    const RootEntry& root = *std::ranges::find(roots(), id, &RootEntry::root);
    return gl::map_defines(root) + "#define BLOCK_X 64\n#define BLOCK_Y 1\n#define LINE 1\n" +
           fmt::format("#define UTM {}\n#define FIND {}\n#define MAP_USED {}u\n#define ROOT_USED {}u\n", utm ? 1 : 0,
                       utm ? 5 : 0, map, static_cast<unsigned>(id));
}

std::uint32_t first_of(const gl::Buffer& found) {
    std::uint32_t first = 0;
    found.read(std::as_writable_bytes(std::span{&first, 1}));
    return first;
}

}  // namespace

std::uint32_t first_wrong_row_on_gl(AnyMap map, std::uint32_t limit) {
    gl::Device& device = gl::Device::get();
    return device.run([&] {
        gl::Buffer found{sizeof(std::uint32_t)};
        found.write(std::as_bytes(std::span{&limit, 1}));
        const gl::Program& program =
            device.program("lab.comp:exactness", exactness_defines(map.root, false, static_cast<unsigned>(map.map)));
        const ExactnessArguments arguments{.rows = limit,
                                           .balanced_side = static_cast<std::uint32_t>(balanced_side(limit))};
        device.dispatch(program, {found.name(), 0, 0, 0, found.name()}, arguments, (limit + 63) / 64);
        return first_of(found);
    });
}

std::uint32_t first_wrong_utm_on_gl(RootId root, std::uint32_t limit) {
    gl::Device& device = gl::Device::get();
    return device.run([&] {
        gl::Buffer found{sizeof(std::uint32_t)};
        found.write(std::as_bytes(std::span{&limit, 1}));
        const gl::Program& program = device.program("lab.comp:exactness", exactness_defines(root, true, 0));
        // In ascending order and until one is wrong, because there are n rows to check for each n.
        constexpr std::uint32_t kAtOnce = 256;
        for (std::uint32_t n = 2; n < limit && first_of(found) == limit; n += kAtOnce) {
            const ExactnessArguments arguments{.first = n, .last = std::min(limit, n + kAtOnce)};
            device.dispatch(program, {found.name(), 0, 0, 0, found.name()}, arguments, kAtOnce);
        }
        return first_of(found);
    });
}

}  // namespace orrery
