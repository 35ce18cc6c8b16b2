// SPDX-License-Identifier: MIT
#include "app/window/kernel/kernel_trials.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <vector>

#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/glsl.hpp"
#include "core/kernels/kernel_map.hpp"
#include "core/kernels/trust.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kTriedRows = 64;     ///< of a map, before it replaces another one
constexpr std::uint32_t kJudgedRows = 4096;  ///< of a map, afterwards
constexpr std::uint32_t kPictureRows = 16;   ///< of the picture of an exact map
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
    } else if (tried.file.language == KernelLanguage::kCpp) {
        kernel_library(tried.file);
    } else {
        require_glsl_runs(tried.file);
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
    const bool fast = file.language == KernelLanguage::kGlsl && !gl_compute_info().devices.empty() &&
                      !gl_compute_info().devices.front().software;
    return {kComparedBodies, fast ? kTimedBodiesOnGpu : kTimedBodies, true};
}

void judge_kernel(const BackgroundJob<KernelCase, KernelJudgement>::Task& task) {
    const KernelFile& file = task.job().file;
    const TakenBodies& taken = *task.job().bodies;
    const Scene scene{.id = taken.scene, .label = {}, .bodies = taken.bodies, .gravity = taken.gravity};
    const VerdictLimits limits = limits_for(file);
    const auto stopped = [&] { return task.stop().stop_requested(); };
    if (file.kind == KernelKind::kMap) {
        const EvaluatedMap map = kernel_map(file);
        MapReport report = report_on(map, file.title, judge_map(map, kJudgedRows, stopped));
        task.publish([&](KernelJudgement& news) { news.map = report; });
        if (stopped()) return;
        report.times = time_kernel(file, scene, limits);
        return task.publish([&](KernelJudgement& news) { news.map = report; });
    }
    ForceVerdict verdict = compare_force(file, scene, limits);
    task.publish([&](KernelJudgement& news) { news.force = verdict; });
    if (stopped()) return;
    verdict.times = time_kernel(file, scene, limits);
    task.publish([&](KernelJudgement& news) { news.force = verdict; });
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

KernelJudge::KernelJudge()
    : work_{judge_kernel, [](KernelJudgement& news, const std::string& failure) { news.failure = failure; }} {}

void KernelJudge::start(KernelCase kernel) {
    std::string text = kernel.file.text;
    work_.start(std::move(kernel), [&](KernelJudgement& news) { news = {.text = std::move(text)}; });
}

void KernelJudge::forget() {
    work_.forget([](KernelJudgement& news) { news = {}; });
}

std::optional<KernelJudgement> KernelJudge::take() {
    return work_.take([](KernelJudgement& news, bool changed) -> std::optional<KernelJudgement> {
        if (!changed) return std::nullopt;
        return news;
    });
}

}  // namespace orrery
