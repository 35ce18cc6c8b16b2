// SPDX-License-Identifier: MIT
#include "app/commands/offline_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <variant>

#include "app/cli/interrupt.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of ranks that take the same steps, rank 0 decides.
bool interrupted(const InterruptGuard& interrupt, ComparedRun& run) {
    return run.simulation.system().part() ? agreed(interrupt.interrupted()) : interrupt.interrupted();
}

void advance(ComparedRun& run, std::uint64_t steps, FrameRenderer& renderer, const InterruptGuard& interrupt) {
    Progress progress{"stepping", steps};
    for (std::uint64_t i = 0; i < steps && !interrupted(interrupt, run); ++i) {
        progress.update(i);
        renderer.add_to_trails(run);
        run.take_steps(1);
    }
}

}  // namespace

OfflineRecorder::OfflineRecorder(const RecordingPlan& plan, ComparedRun& run, FrameRenderer& renderer,
                                 BackgroundRecorder& recorder)
    : plan_{plan}, run_{run}, renderer_{renderer}, recorder_{recorder} {
    if (plan.replayed) player_.emplace(*plan.replayed);
}

std::uint64_t OfflineRecorder::make(const std::filesystem::path& unfinished) {
    try {
        return make_all();
    } catch (const Error& error) {
        if (recorder_.done()) throw;  // the recorder's own error already names the partial file
        keep();
        if (unfinished.empty() || recorder_.written() == 0 || recorder_.done()) throw;
        throw Error{error.blame(), fmt::format("{}; the first {} frames are kept in {}", error.what(),
                                               recorder_.written(), unfinished.string())};
    }
}

std::uint64_t OfflineRecorder::make_all() {
    const InterruptGuard interrupt;
    renderer_.begin(run_);
    advance(run_, plan_.steps_before, renderer_, interrupt);
    if (plan_.rate_after > 0) run_.motion.player()->set_rate(plan_.rate_after);
    Progress progress{"recording", plan_.pictures};
    const auto start = Clock::now();
    while (drawn_ < plan_.pictures && !interrupted(interrupt, run_)) {
        draw();
        hand_over(renderer_.maker().full());
        recorder_.rethrow();
        const double rate = static_cast<double>(drawn_) / seconds_since(start);
        progress.update(drawn_, fmt::format("frame {} of {}, {:.1f} per second", drawn_, plan_.pictures, rate));
        if (!plan_.ui_map.empty() && is_first_process())
            write_recording_state(plan_.ui_map, run_.simulation, plan_.path, drawn_, rate);
        if (drawn_ == 1) after_first_ = Clock::now();  // excludes compiling shaders and opening the encoder
        if (drawn_ == plan_.pictures) break;
        if (plan_.exposing.on()) continue;  // the steps were taken while the frame was exposed
        const StageClock clock{times_.step};
        run_.take_steps(plan_.steps_per_frame);
    }
    if (drawn_ == 0) environment_error(fmt::format("{}: interrupted before the first frame", plan_.path.string()));
    complete();
    return drawn_;
}

/// Takes the steps up to the next frame while the shutter is open.
void OfflineRecorder::expose() {
    {
        const StageClock clock{times_.draw};
        renderer_.open(run_, plan_.exposing, plan_.steps_per_frame);
    }
    for (std::uint64_t step = 0; step < plan_.steps_per_frame; ++step) {
        {
            const StageClock clock{times_.step};
            run_.take_steps(1);
        }
        const StageClock clock{times_.draw};
        renderer_.pass(run_);
    }
    const StageClock clock{times_.draw};
    renderer_.close(run_);
    ++drawn_;
}

void OfflineRecorder::draw() {
    if (plan_.exposing.on()) return expose();
    const StageClock clock{times_.draw};
    player_ ? player_->draw(drawn_, run_, renderer_) : renderer_.draw(run_);
    ++drawn_;
}

/// Passes finished frames to the recorder: the oldest in any case if `wait`, and all others that are ready.
void OfflineRecorder::hand_over(bool wait) {
    const StageClock clock{times_.wait};
    PictureMaker& maker = renderer_.maker();
    for (; !maker.empty() && (wait || maker.ready()); wait = false) recorder_.add(maker.take());
}

void OfflineRecorder::complete() {
    while (!renderer_.maker().empty()) hand_over(true);
    recorder_.finish();
    {
        const StageClock clock{times_.wait};
        recorder_.wait();
    }
    end_ = Clock::now();
    recorder_.rethrow();
}

/// After an error: saves the frames drawn before it, as far as possible.
void OfflineRecorder::keep() noexcept {
    try {
        while (!renderer_.maker().empty()) hand_over(true);
    } catch (const std::exception&) {  // the device is lost, and with it the frames in flight
    }
    recorder_.drain();
}

StageTimes OfflineRecorder::times() const {
    const Readback& readback = renderer_.maker().readback();
    StageTimes all = times_;
    all.copy = readback.copy_seconds();
    if (readback.way() == ReadbackWay::kTexture) all.draw -= all.copy;  // this copy waits, within draw()
    all.encode = recorder_.encode_seconds();
    StageTimes each = all.over(drawn_);
    each.frame = std::chrono::duration<double>(end_ - after_first_).count() /
                 static_cast<double>(std::max<std::uint64_t>(1, drawn_ - 1));
    return each;
}

void SessionPlayer::draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer) {
    const auto& events = session_.events;
    std::size_t end = next_;
    while (end < events.size() && events[end].picture == number && !events[end].end) ++end;
    for (std::size_t i = next_; i < end; ++i) {
        if (events[i].pose) pose_ = *events[i].pose;
        if (events[i].view) renderer.set_view(*events[i].view);
        if (events[i].seen) run.view = *events[i].seen;
    }
    renderer.draw(run, pose_);
    for (; next_ < end; ++next_) {
        try {
            for (const ComputedAction& action : events[next_].actions)
                std::visit([&](const auto& wish) { run.apply(wish); }, action);
        } catch (const Error& refused) {
            const auto loads = [](const ComputedAction& action) { return std::holds_alternative<LoadScene>(action); };
            if (std::ranges::any_of(events[next_].actions, loads))
                throw Error{refused.blame(), fmt::format("frame {}: {}", number, refused.what())};
            // As in the window, which continued.
            to_stderr("orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

}  // namespace orrery
