// SPDX-License-Identifier: MIT
// Symmetric direct summation by compute shaders: a thread map assigns the tiles of the lower triangle of pairs to work
// groups, and each pair is evaluated once for both bodies. Every tile has memory of its own for the sums of its rows
// and of its columns, which a second shader adds in the order of tiles: OpenGL has no atomic addition of floats, and
// the result is the same on every run.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/error.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/gl/map_check.hpp"
#include "core/engines/gl/pace.hpp"
#include "core/engines/gl/pairs.hpp"
#include "core/engines/mixed.hpp"
#include "core/engines/tile_settings.hpp"
#include "core/kernels/glsl.hpp"
#include "core/maps/map.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

constexpr double kHalfSingle = 5e-6, kHalfDouble = 1e-13;  // tolerances

/// Upper bound of the memory for the sums of tiles; they are added whenever it is full. Less memory suffices, but each
/// addition reads the places of all tiles.
constexpr std::uint64_t kTileSumBytes = std::uint64_t{512} << 20;

/// The shape of a work group for a tile of ρ bodies a side.
struct HalfShape {
    int teams;  ///< of 32 threads
    int k;      ///< rows per thread
};
HalfShape half_shape(int side) {
    const int rows = side / 32;
    const int k = rows % 12 == 0 ? 12 : rows % 8 == 0 ? 8 : rows;
    return {rows / k, k};
}

/// ρ for `n` bodies: large tiles have the least overhead per pair and the fewest sums, but small N needs many work
/// groups.
int half_side(std::uint64_t n, bool single) {
    if (n >= 200'000 && single) return 768;
    if (n >= 40'000) return single ? 384 : 256;
    return n >= 10'000 ? 256 : n >= 6'000 ? 128 : n >= 1'500 ? 64 : 32;
}

/// The symmetric half matrix. An item is a block of the map's grid; a window is a number of consecutive items whose
/// sums are kept at once.
template <class Real>
class GlHalf final : public Engine<Gl, Real> {
public:
    explicit GlHalf(const EngineConfig& config) : GlHalf{config, gl::Device::get().limits().shuffles} {}
    GlHalf(const EngineConfig& config, bool shuffles) : config_{config}, shuffles_{shuffles} {
        if (config.kernel.empty()) return;
        if (KernelFile file = parse_kernel(config.kernel); file.kind == KernelKind::kMap) own_map_ = std::move(file);
    }

    std::uint64_t begin(BodyView<Gl, Real> bodies, const Gravity& gravity, Potential potential, Queue<Gl>) override {
        return gl::Device::get().run([&] {
            bodies_ = bodies;
            side_ = config_.tile_size ? config_.tile_size : half_side(bodies.count, sizeof(Real) == 4);
            arguments_ = gl::pair_arguments<Real>(gravity, bodies.count);
            plan_map();
            compile(gravity, potential == Potential::kCompute);
            reserve();
            strengths_ = strength_memory_.of(bodies, arguments_);
            write_masses();
            return grid_.count();
        });
    }

    void run(std::uint64_t first, std::uint64_t last, Queue<Gl>) override {
        gl::Device::get().run([&] {
            while (first < last) {
                const std::uint64_t window = first / arguments_.window;
                const std::uint64_t end = std::min({last, (window + 1) * arguments_.window, grid_.count()});
                run_items(first, end);
                if (end == std::min((window + 1) * arguments_.window, grid_.count())) gather(window);
                first = end;
            }
            gl::Device::get().check("engine 'half' on gl");
            gl::Device::get().functions().flush();
        });
    }

    std::string choice() const override {
        if (!program_) return {};
        EngineConfig shown = config_;
        if (own_map_) shown.map = own_map_->title, shown.root.clear();
        return gl::describe_half(shown, side_, arguments_.tile_rows, windows(), shuffles_);
    }
    EngineReport report() const override {
        return {.tile_size = side_, .map = map(config_.map).id, .root = root(config_.root).id};
    }

private:
    std::uint64_t windows() const { return (grid_.count() + arguments_.window - 1) / arguments_.window; }
    std::uint64_t tiles() const { return triangular(arguments_.tile_rows); }

    void plan_map() {
        const MapEntry& entry = map(config_.map);
        const RootEntry& proposer = root(config_.root);
        const auto side = static_cast<std::uint64_t>(side_);
        const std::uint64_t rows = (bodies_.count + side - 1) / side;
        gl::require_rows(entry, rows);
        require_exact(entry, proposer, static_cast<std::uint32_t>(rows), Backend::kGl);
        arguments_.tile_rows = static_cast<std::uint32_t>(rows);
        const AnyMap any{entry.map, proposer.root, nullptr};
        grid_ = own_map_ ? grid_of_own_map() : any.grid(arguments_.tile_rows);
        arguments_.grid_x = static_cast<std::uint32_t>(grid_.x);
        arguments_.map = static_cast<std::uint32_t>(entry.map);
        arguments_.root = static_cast<std::uint32_t>(proposer.root);
        if (own_map_) return;
        arguments_.balanced_side = static_cast<std::uint32_t>(balanced_side(arguments_.tile_rows));
        if (entry.reads_table && (table_rows_ != arguments_.tile_rows || table_.stale())) {
            const std::vector<Tile> table = lut_table(arguments_.tile_rows);
            table_ = {}, table_ = gl::Buffer{table.size() * sizeof(Tile)};
            table_.write(std::as_bytes(std::span{table}));
            table_rows_ = arguments_.tile_rows;
        }
        gl::require_every_tile(entry, proposer, arguments_.tile_rows, table_.name());
    }

    Grid grid_of_own_map() {
        const EvaluatedMap own = glsl_map(*own_map_);
        if (own_rows_ != arguments_.tile_rows) require_exact(own, own_map_->title, arguments_.tile_rows);
        own_rows_ = arguments_.tile_rows;
        return own.grid(arguments_.tile_rows);
    }

    /// With shuffles if the device has them and its driver computes them correctly.
    void compile(const Gravity& gravity, bool potential) {
        if (shuffles_) try {
                return compile_variant(gravity, potential);
            } catch (const Error&) {
                shuffles_ = false;
            }
        compile_variant(gravity, potential);
    }
    void compile_variant(const Gravity& gravity, bool potential) {
        gl::Device& device = gl::Device::get();
        const HalfShape shape = half_shape(side_);
        const std::string defines =
            (shuffles_ ? "#extension GL_KHR_shader_subgroup_shuffle : require\n#define SHUFFLE 1\n"
                       : "#define SHUFFLE 0\n") +
            fmt::format("#define TEAMS {}\n#define THREADS {}\n#define K {}\n", shape.teams, 32 * shape.teams,
                        shape.k) +
            gl::pair_defines(arguments_, potential, bodies_.low != 0);
        gl::require_correct<Real>({.engine = "half",
                                   .defines = defines,
                                   .gravity = gravity,
                                   .potential = potential,
                                   .split = bodies_.low != 0,
                                   .bodies = static_cast<std::size_t>(4 * side_ + 17),
                                   .tolerance = sizeof(Real) == 8 ? kHalfDouble : kHalfSingle},
                                  [this] {
                                      EngineConfig config = config_;
                                      config.map = "lambda", config.root = "sqrt", config.tile_size = side_;
                                      config.kernel.clear();
                                      return std::make_unique<GlHalf>(config, shuffles_);
                                  });
        const std::string all = defines + gl::map_defines(root(config_.root));
        program_ = own_map_ ? &glsl_program(*own_map_, "half.comp:tiles", all + "#define KERNEL_MAP 1\n")
                            : &device.program("half.comp:tiles", all);
        const std::string side = fmt::format("#define RHO {}u\n", side_) + gl::defines_of<Real>();
        gather_ = &device.program("half.comp:gather", side);
        masses_of_tiles_ = &device.program("half.comp:masses", side);
    }

    void reserve() {
        const std::uint64_t of_item = 2 * static_cast<std::uint64_t>(side_) * sizeof(Vec4<Real>);
        const std::uint64_t most = std::min(kTileSumBytes, gl::Device::get().limits().buffer_bytes);
        arguments_.window = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most / of_item, 1, grid_.count()));
        sums_.reserve(arguments_.window * of_item);
        totals_.reserve(2 * bodies_.count * sizeof(Vec4<Real>));
        masses_.reserve(arguments_.tile_rows * sizeof(Vec4<Real>));
        places_.reserve(tiles() * sizeof(std::uint32_t));
        places_.clear();
    }

    void write_masses() {
        arguments_.equal_masses = config_.equal_masses && arguments_.law == 0;
        gl::Device::get().dispatch(*masses_of_tiles_, {strengths_, masses_.name()}, arguments_, arguments_.tile_rows);
    }

    double pairs_of_item() const { return static_cast<double>(side_) * static_cast<double>(side_); }

    /// Items of one window.
    void run_items(std::uint64_t first, std::uint64_t last) {
        const std::uint64_t window_first = first / arguments_.window * arguments_.window;
        pace_.cut(first, last, pairs_of_item(), [&](std::uint64_t begin, std::uint64_t end) {
            arguments_.first_item = static_cast<std::uint32_t>(begin);
            arguments_.last_item = static_cast<std::uint32_t>(end);
            gl::Device::get().dispatch(*program_,
                                       {strengths_, sums_.name(), places_.name(), masses_.name(),
                                        table_.name() != 0 ? table_.name() : masses_.name(), bodies_.low},
                                       arguments_, end - begin,
                                       begin == window_first ? gl::After::kAll : gl::After::kNone);
        });
    }

    void gather(std::uint64_t window) {
        gl::PairArguments<Real> arguments = arguments_;
        arguments.first_item = static_cast<std::uint32_t>(window * arguments_.window);
        arguments.last_item = static_cast<std::uint32_t>(std::min((window + 1) * arguments_.window, grid_.count()));
        arguments.first_window = window == 0, arguments.last_window = window + 1 == windows();
        gl::Device::get().dispatch(
            *gather_, {bodies_.position_mass, sums_.name(), places_.name(), totals_.name(), bodies_.acceleration},
            arguments, (bodies_.count + 31) / 32);
    }

    const EngineConfig config_;
    std::optional<KernelFile> own_map_;  // in place of a map of the menu
    std::uint32_t own_rows_ = 0;         // for which it is exact
    bool shuffles_;                      // reactions rotate by subgroup shuffles
    BodyView<Gl, Real> bodies_{};
    gl::PairArguments<Real> arguments_;
    int side_ = 0;
    Grid grid_{};
    const gl::Program *program_ = nullptr, *gather_ = nullptr, *masses_of_tiles_ = nullptr;
    gl::Strengths<Real> strength_memory_;
    unsigned strengths_ = 0;
    std::uint32_t table_rows_ = 0;
    gl::Buffer table_, sums_, totals_, masses_, places_;
    gl::Pace pace_;
};

AnyEngine make_gl_half(const EngineConfig& config) {
    check_tile_size(config.tile_size);
    map(config.map), root(config.root);  // rejects unknown ids
    return make_in_precision<GlHalf>(config, config);
}

}  // namespace

EngineEntry gl_half_engine() {
    return {
        .id = "half",
        .label = "Half matrix",
        .doc =
            "Each pair once, for both bodies, by OpenGL compute shaders on any GPU: tiles of the triangle, assigned by "
            "a thread map; sums of tiles are added in a fixed order.",
        .backend = Backend::kGl,
        .tolerance_single = kHalfSingle,
        .tolerance_double = kHalfDouble,
        .max_bodies = 1 << 20,
        .pair_laws = every_pair_law(),
        .capabilities = {Capability::kPairMap, Capability::kMixed},
        .make = make_gl_half};
}

}  // namespace orrery
