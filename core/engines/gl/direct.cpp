// SPDX-License-Identifier: MIT
// Direct summation by a compute shader: the tiled kernel of GPU Gems 3, ch. 31, with splits of the columns.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tile_settings.hpp"
#include "core/kernels/glsl.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

constexpr double kDirectSingle = 5e-6, kDirectDouble = 1e-13;  // tolerances

/// Work groups that fill the device several times, so that the last, partial wave costs little, and the columns of a
/// split from which another split pays.
constexpr std::uint64_t kGroupsOfTiles = 4096, kLeastSplitColumns = 512;
/// More columns in a split lose digits of its sum.
constexpr std::uint64_t kMostSplitColumns = 4096;
/// Upper bound of the memory for partial sums.
constexpr std::uint64_t kSplitBytes = std::uint64_t{256} << 20;

/// All pairs through shared memory. An item is a work group: a block of rows and a split of the columns.
template <class Real>
class GlDirect final : public Engine<Gl, Real> {
public:
    explicit GlDirect(const TileConfig& tile) : tile_{tile} {}
    GlDirect(const TileConfig& tile, const KernelFile& kernel) : tile_{tile}, kernel_{kernel} {}

    std::uint64_t begin(BodyView<Gl, Real> bodies, const Gravity& gravity, Potential potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            bodies_ = bodies;
            arguments_ = gl::pair_arguments<Real>(gravity, bodies.count);
            choose(potential == Potential::kCompute);
            const std::string defines = fmt::format("#define P {}\n#define Q {}\n#define K {}\n#define U {}\n",
                                                    shape_.p, shape_.q, shape_.k, shape_.u) +
                                        gl::pair_defines(arguments_, potential == Potential::kCompute, bodies.low != 0);
            if (kernel_)
                program_ = &glsl_program(*kernel_, "direct.comp:tiles", defines + "#define KERNEL 1\n");
            else
                compile(defines, gravity, potential == Potential::kCompute);
            partial_.reserve(arguments_.splits * bodies.count * sizeof(Vec4<Real>));
            strengths_ = strength_memory_.of(bodies, arguments_);
            return items();
        });
    }
    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device::get().run([&] { run_items(first, last); });
    }

    std::string choice() const override {
        if (!program_) return {};
        return (kernel_ ? kernel_->title + ", " : "") + describe_tile(shape_, arguments_.splits);
    }

private:
    void compile(const std::string& defines, const Gravity& gravity, bool potential) {
        program_ = &gl::Device::get().program("direct.comp:tiles", defines);
        gl::require_correct<Real>({.engine = "direct",
                                   .defines = defines,
                                   .gravity = gravity,
                                   .potential = potential,
                                   .split = bodies_.low != 0,
                                   .bodies = 601,
                                   .tolerance = sizeof(Real) == 8 ? kDirectDouble : kDirectSingle},
                                  [this] {
                                      TileConfig shape = shape_;
                                      shape.s = 0;
                                      return std::make_unique<GlDirect>(shape);
                                  });
    }

    std::uint64_t rows_of_block() const { return static_cast<std::uint64_t>(shape_.p * shape_.k); }
    std::uint64_t row_blocks() const { return (bodies_.count + rows_of_block() - 1) / rows_of_block(); }
    std::uint64_t items() const { return row_blocks() * arguments_.splits; }
    double pairs_of_item() const {
        return static_cast<double>(rows_of_block()) * static_cast<double>(bodies_.count) /
               static_cast<double>(arguments_.splits);
    }

    /// Chooses by N the parameters that are not set.
    void choose(bool potential) {
        const std::uint64_t n = bodies_.count;
        constexpr bool single = sizeof(Real) == 4;
        shape_ = tile_;
        // Tiles with bodies of the work group take longer with a kernel, and more rows have more such tiles.
        const bool few = n <= 2048 || (kernel_ && n <= 32768);
        if (shape_.p == 0) shape_.p = few ? 64 : single && n > 8192 ? 256 : 128;
        if (shape_.q == 0) shape_.q = 1;
        if (shape_.k == 0) shape_.k = n <= 8192 ? 1 : single && !potential ? 4 : 2;
        if (shape_.u == 0) shape_.u = single && n > 8192 ? 16 : 8;
        gl::require_group(shape_, sizeof(Vec4<Real>) * (bodies_.low != 0 ? 2 : 1));
        const auto tile = static_cast<std::uint64_t>(shape_.p * shape_.q);
        const std::uint64_t tiles = (n + tile - 1) / tile;
        const std::uint64_t memory = std::min(kSplitBytes, gl::Device::get().limits().buffer_bytes);
        const std::uint64_t fit = std::max<std::uint64_t>(1, memory / (n * sizeof(Vec4<Real>)));
        std::uint64_t splits = static_cast<std::uint64_t>(shape_.s);
        if (splits == 0) {
            const std::uint64_t to_fill = std::min(std::max<std::uint64_t>(1, kGroupsOfTiles / row_blocks()),
                                                   std::max<std::uint64_t>(1, n / kLeastSplitColumns));
            splits = std::max(to_fill, (n + kMostSplitColumns - 1) / kMostSplitColumns);
            splits = std::min({splits, tiles, fit});
        }
        arguments_.splits = static_cast<std::uint32_t>(splits);
    }

    void run_items(std::uint64_t first, std::uint64_t last) {
        gl::Device& device = gl::Device::get();
        pace_.cut(first, last, pairs_of_item(), [&](std::uint64_t begin, std::uint64_t end) {
            arguments_.first_item = static_cast<std::uint32_t>(begin);
            arguments_.last_item = static_cast<std::uint32_t>(end);
            device.dispatch(*program_, {strengths_, partial_.name(), bodies_.low}, arguments_, end - begin,
                            begin == 0 ? gl::After::kAll : gl::After::kNone);
        });
        if (last == items()) {
            const gl::Program& add = device.program("direct.comp:add_splits", gl::defines_of<Real>());
            device.dispatch(add, {bodies_.position_mass, partial_.name(), bodies_.acceleration}, arguments_,
                            (bodies_.count + 127) / 128);
        }
        device.check("engine 'direct' on gl");
        device.functions().flush();
    }

    const TileConfig tile_;
    const std::optional<KernelFile> kernel_;  // its force in place of a law
    TileConfig shape_;
    BodyView<Gl, Real> bodies_{};
    gl::PairArguments<Real> arguments_;
    const gl::Program* program_ = nullptr;
    gl::Strengths<Real> strength_memory_;
    unsigned strengths_ = 0;
    gl::Buffer partial_;
    gl::Pace pace_;
};

AnyEngine make_gl_direct(const EngineConfig& config) {
    check_tile(config.tile);
    return make_in_precision<GlDirect>(config, config.tile);
}

}  // namespace

AnyEngine make_gl_direct(const EngineConfig& config, const KernelFile& kernel) {
    if (config.precision == Precision::kDouble) return std::make_unique<GlDirect<double>>(config.tile, kernel);
    return std::make_unique<GlDirect<float>>(config.tile, kernel);
}

EngineEntry gl_direct_engine() {
    return {.id = "direct",
            .label = "Direct (all pairs)",
            .doc =
                "All pairs in tiles of shared memory by an OpenGL compute shader, on any GPU: p threads a block, inner "
                "loop unrolled u times, q threads per body, k bodies per thread, columns split over s blocks.",
            .backend = Backend::kGl,
            .tolerance_single = kDirectSingle,
            .tolerance_double = kDirectDouble,
            .max_bodies = 4 << 20,
            .pair_laws = every_pair_law(),
            .capabilities = {Capability::kTileShape, Capability::kMixed},
            .make = make_gl_direct};
}

}  // namespace orrery
