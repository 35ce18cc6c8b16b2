// SPDX-License-Identifier: MIT
// Recording in a window as a state machine: random actions on a simulation thread before and during a recording,
// including opening scenes and files, are written to a session. The session is read and replayed by one process or
// several ranks, possibly resumed from a checkpoint, and must reproduce every frame bit for bit.
#include <chrono>
#include <cstring>
#include <thread>

#include "app/render/color_modes.hpp"
#include "app/scene/session.hpp"
#include "app/window/recording/recording_control.hpp"
#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/app/properties/session_moves.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/led_ranks.hpp"
#include "tests/support/slowness.hpp"

namespace orrery::test {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// The parts of a frame that a replay must reproduce.
struct Picture {
    std::int64_t step = 0;
    double time = 0;
    std::vector<Vec4f> first, second;  ///< vertices of A, and of B when comparing
    std::vector<Vec4d> exact;          ///< positions of A in double precision
    std::string computed, no_color;

    explicit Picture(const Frame& frame)
        : step{frame.step},
          time{frame.time},
          first{frame.host.begin(), frame.host.begin() + static_cast<std::ptrdiff_t>(frame.count)},
          exact{frame.watched},
          computed{frame.computed},
          no_color{frame.no_color} {
        if (frame.other) second = frame.other->host;
    }
    bool repeats(const Picture& other) const {
        return step == other.step && time == other.time && same_bytes(first, other.first) &&
               same_bytes(second, other.second) && same_bytes(exact, other.exact) && computed == other.computed &&
               no_color == other.no_color;
    }
};

/// Prints the reason, because the property drops the message of a case that fails once and then passes.
void fail(const std::string& why) {
    std::cout << why << std::endl;
    RC_FAIL(why);
}

void pause() { std::this_thread::sleep_for(std::chrono::microseconds{20}); }

std::shared_ptr<const std::vector<std::uint32_t>> some_bodies() {
    return std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0});  // always exists
}

/// Sends, holds back and records actions as RecordingControl and WindowRecording do. A recording starts from the
/// beginning of the scene, whatever the simulation did before.
class Recording {
public:
    Recording(SimulationThread& thread, const std::filesystem::path& path, const SceneFile& start)
        : thread_{thread}, writer_{path, start} {
        send(SetPaused{true});
        send(StopCompare{});
        send(LoadScene{start.scene, start.engine, start.speed, false});
        send(Inspect{some_bodies()});
        send(SetPacing{start.record.steps_per_frame});
        send(SetPaused{false});
    }
    ~Recording() { send(SetPacing{0}); }

    /// Takes the frame for which the simulation waits; returns false if none arrives.
    bool take() {
        const auto paced = [this] { return thread_.update_frame() && thread_.frame().paced; };
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>{60 * slowness()};
        while (!paced()) {
            if (std::chrono::steady_clock::now() > end) return false;
            pause();
        }
        const Frame& frame = thread_.frame();
        note_view(frame);
        pictures_.emplace_back(frame);
        return true;
    }
    /// Records a computed action before sending it, as the window does.
    void act(Action action) {
        const std::optional<ComputedAction> noted = recorded(action);
        if (noted) writer_.add({.picture = number(), .step = pictures_.back().step, .actions = {*noted}});
        send(action);
        if (noted)
            send(Inspect{some_bodies()});  // the action may have replaced the bodies, and the new ones are not
                                           // inspected
    }
    void send(const Action& action) { thread_.send(action); }
    void go_on() { thread_.acknowledge_frame(); }
    std::vector<Picture> end() {
        writer_.add({.picture = pictures_.size(), .step = pictures_.back().step, .end = true});
        return std::move(pictures_);
    }
    std::string message() const { return thread_.status().message.text; }

private:
    std::uint64_t number() const { return pictures_.size() - 1; }
    void note_view(const Frame& frame) {
        ViewSettings view;
        view.octree.on = frame.cells != nullptr;
        view.color_mode = color_mode(frame.extent.color_by).id;
        const bool distances = frame.other && frame.other->distances;
        SessionEvent event{.picture = pictures_.size(), .step = frame.step};
        if (view != view_) event.view = view_ = view;
        if (frame.other && distances != distances_)
            event.seen = CompareView{.mode = distances ? CompareMode::kDifference : CompareMode::kSplit};
        if (frame.other) distances_ = distances;
        if (event.view || event.seen) writer_.add(event);
    }

    SimulationThread& thread_;
    SessionWriter writer_;
    std::vector<Picture> pictures_;
    ViewSettings view_;
    bool distances_ = false;
};

/// Sends actions to a new simulation. Some requests are still pending when the next arrives, and a step may be running
/// at the end.
void play(SimulationThread& thread, std::span<const std::string> files, const std::vector<Move>& moves) {
    std::uint64_t sent = 0;
    const auto send = [&](const Action& action, bool wait) {
        thread.send(action);
        ++sent;
        while (wait && thread.status().actions_done < sent) pause();
    };
    for (const auto& [kind, pick, wait] : moves) {
        Draw draw{pick, files};
        send(kind == kPause || draw.flip() ? any_turn(draw) : any_action(kind, draw), wait > 0);
    }
    send(SetPacing{0}, true);
    thread.update_frame();  // perhaps a frame of a paced run that was never taken
}

std::vector<Picture> filmed(SimulationThread& thread, const std::filesystem::path& path, const SceneFile& start,
                            std::span<const std::string> files, const std::vector<Move>& moves) {
    Recording recording{thread, path, start};
    const auto take = [&] {
        if (!recording.take()) fail("no frame arrived: " + recording.message());
    };
    take();
    for (const auto& [kind, pick, pictures] : moves) {
        for (int i = 0; i < pictures; ++i) recording.go_on(), take();
        Draw draw{pick, files};
        if (kind != kPause) {
            recording.act(any_action(kind, draw));
            continue;
        }
        recording.send(SetPaused{true});
        recording.send(SingleStep{});
        recording.send(SetPaused{false});
    }
    for (int i = 0; i < 2; ++i) recording.go_on(), take();
    return recording.end();
}

/// Writes a checkpoint and a snapshot and resumes from the checkpoint. Skipped while comparing, or if colours need
/// forces: a checkpoint contains neither.
void write_and_resume(World& run, const std::filesystem::path& beside, Ranks* ranks) {
    if (run.comparison.on() || needs_forces(run.simulation.forces().color().by)) return;
    const std::filesystem::path file = beside.string() + ".orrery";
    write_checkpoint(checkpoint_of(run.simulation, {}), file);
    write_snapshot(present_scene(run.simulation), beside.string() + ".csv");
    run.simulation = resume(read_run(file), ranks);
}

/// As `record --session`, without drawing. Resumes from a checkpoint after frame number `resumed`.
std::vector<Picture> replayed(const std::filesystem::path& path, std::uint64_t resumed, Ranks* ranks) {
    const Session session = read_session(path);
    const SceneFile& start = session.start;
    World run{Simulation{open_scene(start.scene), start.engine_here(), {}, ranks}};
    const auto alone = [](const std::string&) {};  // B stops, A continues
    std::vector<Picture> pictures;
    std::size_t next = 0;
    ViewSettings view;
    CompareView seen;
    Frame frame;
    const auto watched = some_bodies();
    run.settle(alone);
    for (std::uint64_t number = 0; number < session.pictures(); ++number) {
        std::vector<ComputedAction> actions;
        for (; next < session.events.size() && session.events[next].picture == number; ++next) {
            const SessionEvent& event = session.events[next];
            if (event.view) view = *event.view;
            if (event.seen) seen = *event.seen;
            actions.insert(actions.end(), event.actions.begin(), event.actions.end());
        }
        run.apply(SetColorBy{color_mode(view.color_mode).by});
        run.complete(view.octree.on);
        run.simulation.fill(frame);
        run.apply(SetDifferences{seen.mode == CompareMode::kDifference});
        run.comparison.fill(run.simulation, frame);
        Picture& picture = pictures.emplace_back(frame);
        for (const BodySample& body : run.simulation.system().sample(*watched))
            picture.exact.push_back(body.position_mass);
        for (const ComputedAction& action : actions) try {
                std::visit([&](const auto& wish) { run.apply(wish); }, action);
            } catch (const Error&) {  // refused in the window too, which continued
            }
        if (number == resumed) write_and_resume(run, path, ranks);
        if (number + 1 < session.pictures())
            run.take_steps(static_cast<std::uint64_t>(start.record.steps_per_frame), alone);
    }
    return pictures;
}

/// Replays on several ranks, led by one of them; 1: without ranks.
std::vector<Picture> replayed(const std::filesystem::path& path, std::uint64_t resumed, int ranks) {
    if (ranks == 1) return replayed(path, resumed, nullptr);
    std::vector<Picture> pictures;
    lead(ranks, [&](Ranks* these) { pictures = replayed(path, resumed, these); });
    return pictures;
}

bool runs(const SceneFile& start) {
    try {
        Simulation{open_scene(start.scene), start.engine_here()}.step();
        return true;
    } catch (const Error&) {
        return false;
    }
}

class SessionProperties : public Scratch {
protected:
    /// Writes a snapshot in each format and returns the paths.
    std::vector<std::string> snapshots() const {
        std::vector<std::string> files;
        for (const FormatEntry& entry : formats()) {
            if (!entry.why_not.empty()) continue;
            files.push_back(path(std::string{entry.id}).string() + std::string{entry.extensions.front()});
            const Scene scene = make_preset("plummer", {.bodies = 30});
            entry.write(scene, BodyStretches{scene.bodies}, files.back());
        }
        return files;
    }
};

TEST_F(SessionProperties, ReplayReproducesEveryFrameBitForBit) {
    const std::vector<std::string> files = snapshots();
    check({60, 10'000}, [&] {
        SceneFile start;
        Draw draw{static_cast<std::uint32_t>(any_in(0, 1 << 20)), files};
        start.scene = draw.scene();
        start.engine = draw.engine();
        start.engine.deterministic = true;  // as at the start of a recording
        start.engine_given = true;
        start.backend = start.engine.backend;
        start.record.steps_per_frame = any_in(1, 4);
        RC_PRE(runs(start));
        const std::vector<Move> before = *any_moves(kKinds), moves = *any_moves(kKinds);
        SimulationThread thread{{.source = "plummer", .bodies = 20}, {}};
        play(thread, files, before);
        const std::vector<Picture> live = filmed(thread, path("any.session.toml"), start, files, moves);
        // Block time steps may be millions, of a few bodies each, with messages between them.
        const bool many = content(path("any.session.toml")).find("hermite4-block") != std::string::npos;
        const int ranks = many ? 1 : any_in(1, 4);
        const auto resumed = any_in<std::uint64_t>(0, 4 * live.size());  // usually beyond the last frame: not resumed
        const std::vector<Picture> again = replayed(path("any.session.toml"), resumed, ranks);
        RC_ASSERT(again.size() == live.size());
        for (std::size_t i = 0; i < live.size(); ++i) {
            if (again[i].repeats(live[i])) continue;
            RC_LOG() << "frame " << i << " of " << live.size() << " on " << ranks << " ranks, resumed after " << resumed
                     << "\n"
                     << content(path("any.session.toml"));
            fail("a replayed frame differs");
        }
    });
}

}  // namespace
}  // namespace orrery::test
