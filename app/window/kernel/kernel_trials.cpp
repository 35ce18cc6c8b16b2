// SPDX-License-Identifier: MIT
#include "app/window/kernel/kernel_trials.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

#include "core/gl/info.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kTriedRows = 64;    ///< of a map, before it replaces another one
constexpr std::uint32_t kPictureRows = 16;  ///< of the picture of an exact map
constexpr std::uint64_t kMostPictureBlocks = 16384;

/// Larger scenes are thinned out: the plain sum in double precision of this many bodies takes 0.1 s on one core.
constexpr std::size_t kComparedBodies = 4096;
constexpr std::size_t kTimedBodies = 16384, kTimedBodiesOnGpu = 131072;

std::shared_ptr<const MapPicture> picture_of_map(const EvaluatedMap& map, const std::string& name, std::uint32_t rows) {
    const Grid grid = map.grid(rows);
    if (grid.count() == 0 || grid.count() > kMostPictureBlocks) return nullptr;
    std::vector<Tile> tiles(grid.count());
    map.tiles(rows, 0, grid.count(), tiles.data());
    return std::make_shared<const MapPicture>(name, rows, grid, std::move(tiles));
}

MapReport report_on(const EvaluatedMap& map, const std::string& name, MapVerdict verdict) {
    const bool drawable = verdict.first_wrong && verdict.first_wrong->rows <= kMostDrawnRows;
    const std::uint32_t rows = drawable ? verdict.first_wrong->rows : kPictureRows;
    return {.verdict = std::move(verdict), .times = {}, .picture = picture_of_map(map, name, rows)};
}

void compile_and_try(KernelTried& tried) {
    const KernelTrial& trial = tried.trial;
    tried.file = parse_kernel(trial.text, trial.name);
    if (trial.trusted) trust_kernel(tried.file);
    if (tried.file.kind == KernelKind::kMap) {
        const EvaluatedMap map = kernel_map(tried.file);
        MapVerdict verdict = judge_map(map, kTriedRows);
        if (verdict.first_wrong) tried.fault.text = describe(verdict);
        tried.map = report_on(map, tried.file.title, std::move(verdict));
    } else {
        prepare_kernel(tried.file);
    }
}

KernelTried try_kernel(const KernelTrial& trial) {
    KernelTried tried{.trial = trial, .file = {}};
    try {
        compile_and_try(tried);
    } catch (const std::exception& error) {  // the kernel, no compiler, no device, no memory
        tried.fault = {error.what(), line_of_error(error.what(), trial.name)};
    }
    return tried;
}

VerdictLimits limits_for(const KernelFile& file) {
    const bool fast = file.language == KernelLanguage::kCuda ||
                      (file.language == KernelLanguage::kGlsl && !gl_compute_info().devices.empty() &&
                       !gl_compute_info().devices.front().software);
    return {kComparedBodies, fast ? kTimedBodiesOnGpu : kTimedBodies, true};
}

Scene scene_of(const TakenBodies& taken) {
    return {.id = taken.scene, .label = {}, .bodies = taken.bodies, .gravity = taken.gravity};
}

/// The first half of a judgement: the errors of a force, the exactness of a map.
KernelJudgement compare_case(const KernelCase& kernel) {
    KernelJudgement found{.text = kernel.file.text, .failure = {}, .force = {}, .map = {}};
    try {
        if (kernel.file.kind == KernelKind::kMap) {
            const EvaluatedMap map = kernel_map(kernel.file);
            found.map = report_on(map, kernel.file.title, judge_map(map, kJudgedRows));
        } else {
            found.force = compare_force(kernel.file, scene_of(*kernel.bodies), limits_for(kernel.file));
        }
    } catch (const std::exception& error) {  // no device, no memory
        found.failure = error.what();
    }
    return found;
}

/// Adds the times.
KernelJudgement time_case(const KernelCase& kernel, KernelJudgement found) {
    try {
        const RivalTimes times = time_kernel(kernel.file, scene_of(*kernel.bodies), limits_for(kernel.file));
        (found.map ? found.map->times : found.force->times) = times;
    } catch (const std::exception& error) {
        found.failure = error.what();
    }
    return found;
}

}  // namespace

void KernelTrials::start(KernelTrial trial) {
    if (busy())
        next_ = std::move(trial);
    else
        running_ = std::async(std::launch::async, try_kernel, std::move(trial));
}

std::optional<KernelTried> KernelTrials::take() {
    if (!busy() || running_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return std::nullopt;
    KernelTried tried = running_.get();
    if (!next_) return tried;
    start(*std::exchange(next_, std::nullopt));
    return std::nullopt;
}

void KernelJudge::start(KernelCase kernel) {
    next_ = std::move(kernel);
    if (!busy()) begin();
}

void KernelJudge::forget() {
    now_.reset();
    next_.reset();
}

void KernelJudge::begin() {
    now_ = std::exchange(next_, std::nullopt);
    running_ = std::async(std::launch::async, compare_case, *now_);
}

std::optional<KernelJudgement> KernelJudge::take() {
    if (!busy() || running_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return std::nullopt;
    KernelJudgement found = running_.get();
    if (next_) {
        begin();
        return std::nullopt;
    }
    if (!now_) return std::nullopt;
    const bool timed = (found.force && found.force->times) || (found.map && found.map->times);
    const bool wrong = found.map && found.map->verdict.first_wrong;  // half refuses it
    if (found.failure.empty() && !timed && !wrong) running_ = std::async(std::launch::async, time_case, *now_, found);
    return found;
}

}  // namespace orrery
