// SPDX-License-Identifier: MIT
#include "core/lab/force_experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/physics/law.hpp"

namespace orrery {

Bodies lab_ball(std::uint32_t count) {
    Random random{1};
    Bodies bodies;
    while (bodies.position_mass.size() < count) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        if (x * x + y * y + z * z > 1) continue;
        bodies.position_mass.push_back({x, y, z, 1.0 / count});
        bodies.velocity.push_back({});
    }
    return bodies;
}

LabCheck check_forces(const Bodies& bodies, const std::vector<Vec4d>& found, double tolerance) {
    constexpr std::size_t kAll = 2048, kSome = 256;
    const std::size_t count = bodies.position_mass.size(), samples = count <= kAll ? count : kSome;
    double error = 0, size = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t i = sample * count / samples;
        const Vec4d wanted = reference_acceleration(Law::kPairs, bodies.position_mass.data(), count, i, kLabGravity);
        const Vec3d apart = xyz(found[i]) - xyz(wanted);
        error += dot(apart, apart), size += dot(xyz(wanted), xyz(wanted));
    }
    const double rms = std::sqrt(error / std::max(size, 1e-300));
    if (rms <= tolerance) return {true, {}, rms};
    return {false, fmt::format("relative RMS error {:.2g} of the forces exceeds {:.2g}", rms, tolerance), rms};
}

LabTimes lab_times(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::ranges::sort(seconds);
    const auto ms = [&](std::size_t index) { return LabValue{1e3 * seconds[index]}; };
    return {ms(seconds.size() / 2), ms(0), ms(seconds.size() - 1 - seconds.size() / 10)};
}

double seconds_of_forces(BodySystem& system) {
    system.clock().start();
    const std::uint64_t items = system.begin_forces(kLabGravity, Potential::kSkip);
    system.run_forces(0, items);
    return system.clock().stop();
}

namespace {

// The chapter's values: N of its figures, and p = 256 with the loop unrolled four times unless the figure varies them.
constexpr std::uint32_t kChapterBodies = 16384;
constexpr int kDefaultP = 256, kDefaultU = 4;
constexpr double kTileTolerance = 1e-5;  // of float sums over up to 65 536 columns

struct TileCase {
    std::uint32_t bodies;
    TileShape shape;
    auto key() const { return std::tuple{bodies, shape.p, shape.q, shape.u}; }
    bool operator<(const TileCase& other) const { return key() < other.key(); }
};

/// All cases of the four figures, without duplicates, in the order of N.
std::set<TileCase> tile_cases(const LabConfig& config) {
    std::set<TileCase> all;
    const std::vector<std::uint32_t> sizes = tile_sizes(config);
    const std::uint32_t most = sizes.back();
    for (const int u : {1, 2, 4, 8, 16, 32}) all.insert({most, {kDefaultP, 1, u}});
    for (const std::uint32_t bodies : sizes) {
        all.insert({bodies, {kDefaultP, 1, kDefaultU}});
        for (const int q : {1, 2, 4, 8}) all.insert({bodies, {kDefaultP / q, q, kDefaultU}});  // p · q = 256
        for (const int p : {32, 64, 128, 256, 512, 1024}) all.insert({bodies, {p, 1, kDefaultU}});
    }
    return all;
}

/// Evaluates the forces once; found() returns the result.
struct TileRun {
    std::function<double()> seconds;
    std::function<std::vector<Vec4d>()> found;
};

TileRun on_cpu(const Bodies& bodies, const TileShape& shape) {
    const auto tiles = std::shared_ptr<CpuTiles>{make_cpu_tiles(bodies, shape)};
    return {[tiles] {
                const auto start = std::chrono::steady_clock::now();
                tiles->accelerate();
                return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            },
            [tiles] { return tiles->accelerations(); }};
}

/// The engine configured as in the chapter: a thread per body, columns not split over blocks.
TileRun on_device(const Bodies& bodies, const TileShape& shape, Backend backend) {
    const EngineConfig config{
        .engine = "direct", .backend = backend, .tile = {.p = shape.p, .u = shape.u, .q = shape.q, .k = 1, .s = 1}};
    const std::shared_ptr<BodySystem> system = make_body_system(config, bodies);
    return {[system] { return seconds_of_forces(*system); }, [system] { return system->accelerations(); }};
}

std::vector<LabValue> tile_settings(const TileCase& each, int repeat) {
    return {std::int64_t{each.shape.p}, std::int64_t{each.shape.q}, std::int64_t{each.shape.u}, std::int64_t{1},
            std::int64_t{each.bodies},  std::int64_t{repeat}};
}

/// Empty if stopped.
std::vector<LabValue> measured_tile(const TileCase& each, const Bodies& bodies, const LabConfig& config, int repeat) {
    const TileRun run =
        config.backend == Backend::kCpu ? on_cpu(bodies, each.shape) : on_device(bodies, each.shape, config.backend);
    run.seconds();  // warms up
    const LabCheck check = check_forces(bodies, run.found(), kTileTolerance);
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i) {
        if (config.stop && config.stop()) return {};
        seconds.push_back(run.seconds());
    }
    const LabTimes times = lab_times(seconds);
    const double pairs = static_cast<double>(each.bodies) * each.bodies,
                 rate = pairs / (1e-3 * std::get<double>(times.median_ms));
    std::vector<LabValue> row = tile_settings(each, repeat);
    for (const LabValue& value : {times.median_ms, times.min_ms, times.p90_ms, LabValue{rate}, LabValue{gflops(rate)},
                                  LabValue{check.right}, check.right ? LabValue{} : LabValue{check.why}})
        row.push_back(value);
    return row;
}

LabTable run_tiles(const LabConfig& config, const LabProgress& progress) {
    require_lab_backend("tiles", config.backend);
    for (const std::uint32_t bodies : config.bodies)
        if (bodies < 1 || bodies > kMostLabBodies)
            usage_error(fmt::format("tiles: expected 1 to {} bodies, got {}", kMostLabBodies, bodies));
    LabTable table{{"tile_p", "tile_q", "tile_u", "tile_s", "bodies", "repeat", "median_ms", "min_ms", "p90_ms",
                    "pairs_per_second", "gflops", "verified", "why"},
                   {}};
    const int repeat = config.repeat > 0 ? config.repeat : config.quick ? 3 : 10;
    const std::set<TileCase> all = tile_cases(config);
    Bodies bodies;
    for (const TileCase& each : all) {
        if (config.stop && config.stop()) return table;
        progress(table.rows.size(), all.size(),
                 fmt::format("p {} q {} u {}, N = {}", each.shape.p, each.shape.q, each.shape.u, each.bodies));
        std::vector<LabValue> row;
        if (config.kept) row = config.kept("tiles", table.columns, tile_settings(each, repeat));
        if (row.size() != table.columns.size()) {
            if (bodies.position_mass.size() != each.bodies) bodies = lab_ball(each.bodies);
            row = measured_tile(each, bodies, config, repeat);
        }
        if (row.empty()) return table;
        if (config.on_row) config.on_row(table.columns, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::vector<std::uint32_t> tile_sizes(const LabConfig& config) {
    std::vector<std::uint32_t> sizes = config.bodies;
    const std::uint32_t most = config.quick ? 4096 : config.backend == Backend::kCpu ? kChapterBodies : kMostLabBodies;
    if (sizes.empty())
        for (std::uint32_t bodies = 1024; bodies <= most; bodies *= 2) sizes.push_back(bodies);
    std::ranges::sort(sizes);
    return sizes;
}

LabEntry tiles_experiment() {
    return {"tiles", "Tiles of GPU Gems 3",
            "the chapter's all-pairs kernel: pairs per second against N, p, q and unrolling", run_tiles};
}

}  // namespace orrery
