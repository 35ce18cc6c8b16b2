// SPDX-License-Identifier: MIT
#include "app/learn/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/choices.hpp"
#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/cuda_libraries.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/kernel_verdict.hpp"

namespace orrery {
namespace {

// The number of bodies is doubled until an evaluation of the built-in engine takes this long, so that the start of work
// on a device does not count. Kernels whose work grows more slowly than the number of pairs need more, and so does a
// GPU, which a thread for every fourth body of 65 536 does not fill.
constexpr double kEnoughSeconds = 2e-3, kEnoughOnGpu = 2e-2, kEnoughOfStart = 5e-2;
constexpr std::size_t kLeastTimedBodies = 2048, kMostTimedBodies = 262144;

/// Compiles the kernel and runs its trial.
std::string fault_of_trial(const KernelFile& file) {
    try {
        trust_kernel(file);
        prepare_kernel(file);
        return {};
    } catch (const Error& error) {
        if (error.blame() == Blame::kEnvironment) throw;
        return error.what();
    }
}

std::string fault_of_test(const LessonTest& test, const LessonAttempt& attempt) {
    try {
        return test.fault(attempt);
    } catch (const Error& error) {
        if (error.blame() == Blame::kEnvironment) throw;
        return error.what();
    }
}

constexpr int kMoreRounds = 6;
constexpr double kTimedSeconds = 0.5;  // of a round
constexpr double kNear = 2;            // factor

/// The engine with which the speed of a kernel is compared.
EngineConfig rival_of(const Lesson& lesson, const KernelFile& file, const EngineConfig& own) {
    if (lesson.against_start) {
        const KernelFile& start = lesson.start(file.language).file;
        trust_kernel(start);
        EngineConfig rival = own;
        rival.kernel = start.text;
        return rival;
    }
    EngineConfig rival{.engine = "direct", .backend = own.backend};
    if (file.kind == KernelKind::kMap) rival.engine = own.engine, rival.map = "bb";
    return rival;
}

/// The key of a lesson's targets for kernels of this language here: "cpu", "cuda", "gl" or, for OpenGL on the CPU,
/// "software".
std::string device_kind(KernelLanguage language) {
    const Backend backend = backend_of(language);
    if (backend != Backend::kGl) return std::string{name(backend)};
    const GlComputeInfo& gl = gl_compute_info();
    return gl.available && gl.devices.front().software ? "software" : "gl";
}

LessonSpeed speed_of(const Lesson& lesson, const KernelFile& file) {
    const EngineEntry& entry = engine_of(file);
    const EngineConfig own{.engine = std::string{entry.id}, .backend = entry.backend, .kernel = file.text},
        rival = rival_of(lesson, file, own);
    LessonSpeed speed;
    speed.house = lesson.against_start            ? "the start of the lesson"
                  : file.kind == KernelKind::kMap ? fmt::format("half with the map {}", rival.map)
                                                  : rival.engine;
    const std::string device = device_kind(file.language);
    const bool gpu = device == "cuda" || device == "gl";
    const double enough = lesson.against_start ? kEnoughOfStart : gpu ? kEnoughOnGpu : kEnoughSeconds;
    const bool itself = own == rival;  // the start of a lesson
    std::size_t bodies = kLeastTimedBodies;
    const auto timed = [&](double seconds) {
        return time_engines(own, rival, make_preset("plummer", {.bodies = bodies}), {.seconds = seconds});
    };
    speed.times = timed(0);  // the fewest evaluations
    while (!itself && speed.times.rival_seconds < enough && bodies < kMostTimedBodies)
        bodies *= 2, speed.times = timed(0);
    if (itself)
        speed.times.seconds = speed.times.rival_seconds;
    else
        speed.times = timed(kTimedSeconds);
    if (const auto target = lesson.targets.find(device); target != lesson.targets.end()) speed.target = target->second;
    // Other programs may have slowed down one of the two: near the target the fastest evaluations of more rounds count.
    const auto near_target = [&] {
        return !itself && speed.target && speed.share() > *speed.target / kNear &&
               speed.share() < *speed.target * kNear;
    };
    for (int i = 0; i < kMoreRounds && near_target(); ++i) {
        const RivalTimes more = timed(kTimedSeconds);
        speed.times.seconds = std::min(speed.times.seconds, more.seconds);
        speed.times.rival_seconds = std::min(speed.times.rival_seconds, more.rival_seconds);
    }
    return speed;
}

}  // namespace

std::string LessonVerdict::failure() const {
    for (const LessonFinding& each : findings)
        if (!each.fault.empty()) return fmt::format("{}: {}", each.test, each.fault);
    if (speed && !speed->pass())
        return fmt::format("speed: {:.3g} of that of {}; the target is {:g}", speed->share(), speed->house,
                           *speed->target);
    return {};
}

bool can_run(KernelLanguage language) {
    switch (language) {
        case KernelLanguage::kCpp:
            return why_no_kernel_compiler().empty();
        case KernelLanguage::kGlsl:
            return gl_compute_info().available;
        default:
            return cuda_info().available && why_no_nvrtc().empty();
    }
}

LessonVerdict judge_lesson(const Lesson& lesson, const KernelFile& file,
                           const std::function<void(const LessonFinding&)>& each) {
    if (const KernelKind kind = lesson.starts.front().file.kind; file.kind != kind)
        usage_error(fmt::format("{}: lesson {} expects a kernel of kind {}, not {}", file.name, lesson.id, name(kind),
                                name(file.kind)));
    lesson.start(file.language);  // throws for a language that the lesson does not offer
    LessonVerdict verdict{.device = device_name(backend_of(file.language))};
    const auto add = [&](std::string test, std::string fault) {
        verdict.findings.push_back({std::move(test), std::move(fault)});
        each(verdict.findings.back());
        return verdict.findings.back().fault.empty();
    };
    if (!add("compiles and passes its trial", fault_of_trial(file))) return verdict;
    bool pass = true;
    for (const LessonTest& test : lesson.tests) pass &= add(test.title, fault_of_test(test, {file, lesson.tolerance}));
    if (pass) verdict.speed = speed_of(lesson, file);
    return verdict;
}

namespace {

std::string fault_of_kernel(const Lesson& lesson, const LessonKernel& kernel) {
    const std::string failure = judge_lesson(lesson, kernel.file, [](const LessonFinding&) {}).failure();
    if (kernel.failure.empty()) return failure;
    if (failure.empty()) return fmt::format("passes; the lesson states that it fails with: {}", kernel.failure);
    return failure.find(kernel.failure) != std::string::npos
               ? std::string{}
               : fmt::format("fails with: {}; the lesson states: {}", failure, kernel.failure);
}

}  // namespace

std::vector<LessonProof> verify_lesson(const Lesson& lesson) {
    std::vector<LessonProof> proofs;
    const auto prove = [&](std::string_view what, const std::vector<LessonKernel>& kernels) {
        std::size_t number = 0;
        for (const LessonKernel& each : kernels) {
            ++number;
            if (can_run(each.file.language))
                proofs.push_back({fmt::format("{} {} in {}", what, number, name(each.file.language)),
                                  fault_of_kernel(lesson, each)});
        }
    };
    prove("start", lesson.starts), prove("solution", lesson.solutions), prove("mistake", lesson.mistakes);
    return proofs;
}

}  // namespace orrery
