// SPDX-License-Identifier: MIT
// The laboratory's kernels of pairs as OpenGL compute shaders. There is one shader per launch variant. Results are
// compared on the host, with a plain loop.
#include "core/lab/gl/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/engines/gl/map_check.hpp"
#include "core/gl/device.hpp"
#include "core/lab/pairs.hpp"
#include "core/maps/map.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

/// The uniform block of core/gl/shaders/lab.comp.
struct GlLabArguments {
    std::uint32_t bodies = 0, rows = 0, width = 0, height = 0;
    std::uint32_t balanced_side = 0, corner_row = 0, corner_column = 0, pitch = 0;
};

/// One dispatch of a form: its work groups, and the definitions and arguments with which they find their tiles.
struct GlLabLaunch {
    Extent groups;
    Extent threads;  ///< of a form in thread space; otherwise the groups
    int find;        ///< FIND of lab.comp
    std::uint32_t corner_row = 0, corner_column = 0;
};
enum GlLabFind { kByMap, kTriangles, kSquares, kCorner, kRbThreads, kUtmThreads, kUtmExact };

GlLabLaunch launch_of(Extent blocks, const RecursiveDiagonal& find) { return {blocks, blocks, kTriangles, find.side}; }
GlLabLaunch launch_of(Extent blocks, const RecursiveSquares& find) { return {blocks, blocks, kSquares, find.side}; }
GlLabLaunch launch_of(Extent blocks, const DynamicTriangles::Leaf& find) {
    return {blocks, blocks, kCorner, find.first, find.first};
}
GlLabLaunch launch_of(Extent blocks, const DynamicTriangles::Square& find) {
    return {blocks, blocks, kCorner, find.top, find.left};
}

/// The map of this form, or null for a form without one.
const MapEntry* map_of(FormChoice choice) {
    const auto found = std::ranges::find(lab_forms(), choice.form, &LabForm::form);
    return found == lab_forms().end() ? nullptr : found->map;
}

GlLabLaunch in_threads(Extent threads, std::uint32_t rho, int find) {
    return {blocks_of_threads(threads, rho).blocks, threads, find};
}

/// OpenGL starts no work from the device, so `dp` is the sequence of launches of its recursion, as on a CPU.
std::vector<GlLabLaunch> launches_of(FormChoice choice, LabSize size, std::uint32_t rows) {
    std::vector<GlLabLaunch> all;
    const auto add = [&](Extent blocks, const auto& find) { all.push_back(launch_of(blocks, find)); };
    if (const MapEntry* const map = map_of(choice)) {
        const Extent grid = extent(AnyMap{map->map, choice.root, nullptr}.grid(rows));
        all.push_back({grid, grid, kByMap});
    } else if (choice.form == form_id<RecursiveLaunches>) {
        RecursiveLaunches{}.launches(rows, add);
    } else if (choice.form == form_id<DynamicTriangles>) {
        DynamicTriangles{}.launches(rows, add);
    } else if (choice.form == form_id<RectangularThreads>) {
        all.push_back(in_threads(RectangularThreads::threads(size.bodies), size.rho, kRbThreads));
    } else {
        const bool exact = choice.form == form_id<Rooted<UtmThreadsExact>>;
        all.push_back(in_threads({static_cast<std::uint32_t>(triangular(size.bodies))}, size.rho,
                                 exact ? kUtmExact : kUtmThreads));
    }
    return all;
}

class GlLabKernel : public LabKernel {
public:
    using LabKernel::seconds;
    std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) override {
        constexpr int kWarmUps = 3;
        std::vector<gl::Timestamp> starts(static_cast<std::size_t>(repeat)), ends(static_cast<std::size_t>(repeat));
        for (int i = 0; i < kWarmUps; ++i) enqueue(choice);
        std::size_t runs = 0;
        for (; runs < starts.size() && !(stop && stop()); ++runs) {
            starts[runs].record();
            enqueue(choice);
            ends[runs].record();
        }
        std::vector<double> times;
        for (std::size_t i = 0; i < runs; ++i)
            times.push_back(1e-9 * static_cast<double>(ends[i].read() - starts[i].read()));
        gl::Device::get().run([] { gl::Device::get().check("the laboratory on gl"); });
        return times;
    }

protected:
    /// `side`: bodies along a side of a tile.
    GlLabKernel(LabSize size, std::uint32_t side)
        : size_{size}, rows_{(size.bodies + side - 1) / side}, bodies_{lab_bodies(size.bodies)} {
        if (rows_ > kNarrowRows)
            usage_error(fmt::format("the laboratory on gl has up to {} rows of tiles", kNarrowRows));
        const int threads = gl::Device::get().limits().threads;
        if (static_cast<int>(size.rho * size.rho) > threads)
            usage_error(fmt::format("rho {}: a work group has at most {} threads on this device", size.rho, threads));
    }

    virtual void enqueue(FormChoice choice) = 0;

    /// Runs a shader of the laboratory over the launches of a form. `buffers`: those of the shader from binding 0 on,
    /// four at most; `block`: threads of a work group in block space.
    void launch(std::string_view file, const std::string& defines, FormChoice choice, std::array<unsigned, 4> buffers,
                Extent block, std::uint32_t pitch = 0) {
        gl::Device& device = gl::Device::get();
        device.run([&] {
            if (reads_lut_table(choice) && table_.name() == 0) {
                const std::vector<Tile> table = lut_table(rows_);
                table_ = gl::Buffer{table.size() * sizeof(Tile)};
                table_.write(std::as_bytes(std::span{table}));
            }
            for (const GlLabLaunch& each : launches_of(choice, size_, rows_)) {
                const bool threads = each.find >= kRbThreads;
                if (threads && size_.bodies >= kNarrowRows)
                    usage_error(fmt::format("maps in thread space take fewer than {} bodies on gl", kNarrowRows));
                const bool line = each.groups.y == 1 && each.groups.z == 1;
                const Extent group = threads ? blocks_of_threads(each.threads, size_.rho).block : block;
                const gl::Program& program =
                    device.program(file, defines + find_defines(choice, each.find, line) +
                                             fmt::format("#define BLOCK_X {}u\n#define BLOCK_Y {}u\n#define RHO {}u\n",
                                                         group.x, group.y, size_.rho));
                const GlLabArguments arguments{.bodies = size_.bodies,
                                               .rows = rows_,
                                               .width = each.threads.x,
                                               .height = each.threads.y,
                                               .balanced_side = static_cast<std::uint32_t>(balanced_side(rows_)),
                                               .corner_row = each.corner_row,
                                               .corner_column = each.corner_column,
                                               .pitch = pitch};
                const unsigned table = table_.name() != 0 ? table_.name() : buffers[0];
                const std::initializer_list<unsigned> all{buffers[0], buffers[1], buffers[2], buffers[3], table};
                if (line)
                    device.dispatch(program, all, arguments, each.groups.x);
                else
                    device.dispatch_grid(program, all, arguments, {each.groups.x, each.groups.y, each.groups.z});
            }
        });
    }

    template <class T>
    static std::vector<T> read(const gl::Buffer& from, std::size_t count, std::size_t first = 0) {
        std::vector<T> values(count);
        from.read(std::as_writable_bytes(std::span{values}), first * sizeof(T));
        return values;
    }
    /// Fills a buffer with bytes of 1s.
    static void spoil(gl::Buffer& buffer) {
        const std::vector<std::uint32_t> ones(std::min<std::uint64_t>(buffer.bytes() / 4, 1 << 20), ~0u);
        for (std::uint64_t at = 0; at < buffer.bytes(); at += 4 * ones.size())
            buffer.write(std::as_bytes(std::span{ones}).first(std::min(4 * ones.size(), buffer.bytes() - at)), at);
    }

    LabSize size_;
    std::uint32_t rows_;
    std::vector<Vec4f> bodies_;
    Pool pool_{0, false};

private:
    static std::string find_defines(FormChoice choice, int find, bool line) {
        const MapEntry* const map = map_of(choice);
        return gl::map_defines(root_of(choice.root)) +
               fmt::format("#define FIND {}\n#define LINE {}\n#define MAP_USED {}u\n#define ROOT_USED {}u\n", find,
                           line ? 1 : 0, map ? static_cast<unsigned>(map->map) : 0u,
                           static_cast<unsigned>(choice.root));
    }
    static const RootEntry& root_of(RootId id) { return *std::ranges::find(roots(), id, &RootEntry::root); }

    gl::Buffer table_;
};

class GlDummy final : public GlLabKernel {
public:
    explicit GlDummy(LabSize size) : GlLabKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies), words = (pairs + 31) / 32;
        marks_.reserve(4 * words);
        marks_.clear(), twice_.clear();
        launch("lab.comp:pairs", "#define WORK 1\n", choice, {last_.name(), marks_.name(), twice_.name(), 0}, block());
        const std::uint32_t none = ~0u;
        last_.write(std::as_bytes(std::span{&none, 1}));
        enqueue(choice);
        std::uint64_t visited = 0;
        for (const std::uint32_t word : read<std::uint32_t>(marks_, words))
            visited += static_cast<std::uint64_t>(std::popcount(word));
        return dummy_verdict(pairs, visited, read<std::uint32_t>(twice_, 1)[0], read<std::uint32_t>(last_, 1)[0],
                             size_.bodies);
    }

private:
    Extent block() const { return {size_.rho, size_.rho}; }
    void enqueue(FormChoice choice) override {
        launch("lab.comp:pairs", "#define WORK 0\n", choice, {last_.name(), last_.name(), last_.name(), 0}, block());
    }

    gl::Buffer last_{4}, marks_, twice_{4};
};

constexpr double kGlEdmTolerance = 1e-6;  // relative, against double

class GlEdm final : public GlLabKernel {
public:
    explicit GlEdm(LabSize size)
        : GlLabKernel{size, size.rho}, matrix_{std::uint64_t{size.bodies} * size.bodies * sizeof(float)} {
        const auto features = static_cast<std::size_t>(size.dimensions == 3 ? 4 : size.dimensions);
        std::vector<float> all;
        for (const Vec4f& body : bodies_) {
            const std::array<float, 4> each{body.x, body.y, body.z, size.dimensions == 4 ? body.w : 0};
            all.insert(all.end(), each.begin(), each.begin() + static_cast<std::ptrdiff_t>(features));
        }
        features_.write(std::as_bytes(std::span{all}));
    }

    LabCheck check(FormChoice choice) override {
        spoil(matrix_);  // NaN
        enqueue(choice);
        std::atomic<std::uint64_t> wrong = 0, outside = 0;
        constexpr std::uint32_t kRowsAtOnce = 1024;
        for (std::uint32_t first = 0; first < size_.bodies; first += kRowsAtOnce) {
            const std::uint32_t rows = std::min(kRowsAtOnce, size_.bodies - first);
            const std::uint64_t width = size_.bodies;
            const std::vector<float> found = read<float>(matrix_, rows * width, first * width);
            pool_.parallel_for(0, rows, [&](std::uint64_t row) {
                std::uint64_t wrong_here = 0, outside_here = 0;
                for (std::uint64_t j = 0; j < width; ++j) {
                    const float value = found[row * width + j];
                    if (j > first + row)
                        outside_here += !std::isnan(value);
                    else
                        wrong_here += !right(value, bodies_[first + row], bodies_[j]);
                }
                wrong += wrong_here, outside += outside_here;
            });
        }
        return edm_verdict(wrong, outside);
    }

private:
    bool right(float found, Vec4f a, Vec4f b) const {
        const std::array<double, 4> apart{double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z, double{a.w} - b.w};
        double sum = 0;
        for (std::size_t f = 0; f < static_cast<std::size_t>(size_.dimensions); ++f) sum += apart[f] * apart[f];
        return std::abs(found - std::sqrt(sum)) <= kGlEdmTolerance * std::sqrt(sum);
    }
    void enqueue(FormChoice choice) override {
        launch("lab.comp:pairs", fmt::format("#define WORK 2\n#define FEATURES {}\n", size_.dimensions), choice,
               {features_.name(), matrix_.name(), 0, 0}, {size_.rho, size_.rho});
    }

    gl::Buffer features_{size_.bodies * sizeof(Vec4f)}, matrix_;
};

/// `span`: kSpan, 1 or kRowSpan; see core/lab/pairs.hpp.
class GlCollision final : public GlLabKernel {
public:
    GlCollision(LabSize size, std::uint32_t span)
        : GlLabKernel{size, size.rho * span},
          span_{span},
          pitch_{rows_ * size.rho * span},
          spheres_{pitch_ * sizeof(Vec4f)},
          flags_{std::uint64_t{pitch_} * pitch_} {
        std::vector<Vec4f> filled = bodies_;
        filled.resize(pitch_, far_away());
        spheres_.write(std::as_bytes(std::span{filled}));
    }

    LabCheck check(FormChoice choice) override {
        spoil(flags_);
        slots_.clear();
        enqueue(choice);
        std::uint64_t counted = 0;
        for (const std::uint32_t slot : read<std::uint32_t>(slots_, kGlSlots)) counted += slot;
        const auto flags = read<std::uint8_t>(flags_, flags_.bytes());
        std::atomic<std::uint64_t> wrong = 0, colliding = 0;
        pool_.parallel_for(0, size_.bodies, [&](std::uint64_t i) {
            std::uint64_t wrong_here = 0, colliding_here = 0;
            for (std::uint64_t j = 0; j < size_.bodies; ++j) {
                const bool collides = j < i && gap_of(bodies_[i], bodies_[j]) < 0;
                wrong_here += !flag_is_right(flags[i * pitch_ + j], j < i, collides, flags_every_pair(span_));
                colliding_here += collides;
            }
            wrong += wrong_here, colliding += colliding_here;
        });
        return collision_verdict(wrong, counted, colliding);
    }

private:
    static constexpr std::size_t kGlSlots = 1024;  // of lab_collision.comp

    float gap_of(Vec4f a, Vec4f b) const { return size_.dimensions == 1 ? gap<1>(a, b) : gap<3>(a, b); }
    void enqueue(FormChoice choice) override {
        const Extent block = span_ == kRowSpan ? Extent{kRowSpan * size_.rho} : Extent{size_.rho, size_.rho};
        launch("lab.comp:collision", fmt::format("#define SPAN {}\n#define DIMENSIONS {}\n", span_, size_.dimensions),
               choice, {spheres_.name(), flags_.name(), slots_.name(), 0}, block, pitch_ / 4);
    }

    std::uint32_t span_, pitch_;
    gl::Buffer spheres_, flags_, slots_{kGlSlots * sizeof(std::uint32_t)};
};

}  // namespace

std::unique_ptr<LabKernel> gl_dummy(LabSize size) { return std::make_unique<GlDummy>(size); }
std::unique_ptr<LabKernel> gl_edm(LabSize size) { return std::make_unique<GlEdm>(size); }
std::unique_ptr<LabKernel> gl_collision(LabSize size) { return std::make_unique<GlCollision>(size, kSpan); }
std::unique_ptr<LabKernel> gl_collision_pairs(LabSize size) { return std::make_unique<GlCollision>(size, 1); }
std::unique_ptr<LabKernel> gl_collision_rows(LabSize size) { return std::make_unique<GlCollision>(size, kRowSpan); }

// Exact ranges of the maps in GLSL, whose roots are those of the driver.

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
