// SPDX-License-Identifier: MIT
// Time as a state machine: steps either way, jumps, changes and pauses on a simulation thread, compared with a record
// of all states.
#include <cstring>
#include <map>
#include <thread>

#include "core/integrators/integrators.hpp"
#include "core/live/simulation_thread.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {
namespace {

using Places = std::vector<Vec4d>;

bool same_bytes(const Places& a, const Places& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4d)) == 0;
}

/// A paused thread; each request waits until it is done.
class Paused {
public:
    Paused(const SceneRequest& scene, const EngineConfig& engine) : thread_{scene, engine} {
        send(SetPaused{true});
        std::vector<std::uint32_t> bodies;
        for (std::uint32_t i = 0; i < thread_.status().bodies; ++i) bodies.push_back(i);
        send(Inspect{std::make_shared<const std::vector<std::uint32_t>>(bodies)});
        send(SingleStep{});  // ends the step that the pause interrupted, if any
        settle([](const Status& status) { return status.step > 0; });
    }
    Status send(const Action& action) {
        thread_.send(action);
        ++sent_;
        return settle([](const Status&) { return true; });
    }
    Status step(bool back) {
        const std::uint64_t before = thread_.status().timeline.now.moment;
        send(SingleStep{back});
        return settle([before](const Status& status) { return status.timeline.now.moment == before + 1; });
    }
    /// Positions in double, from the frame of this moment.
    Places places(const Status& status) {
        send(WatchCentreOfMass{true});  // publishes the present state
        while (thread_.update_frame()) {
        }
        RC_ASSERT(thread_.frame().step == status.step);
        return thread_.frame().watched;
    }

private:
    template <class Condition>
    Status settle(Condition condition) {
        for (int tries = 0; tries < 3'000'000; ++tries) {
            const Status status = thread_.status();
            if (status.actions_done == sent_ && condition(status)) return status;
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
        RC_FAIL("timeout: " + thread_.status().message.text);
    }

    SimulationThread thread_;
    std::uint64_t sent_ = 0;
};

/// The states seen since the last change of settings: a moment keeps its state, and a step from a moment leads to the
/// same state as before.
struct Past {
    std::map<std::uint64_t, Places> at;
    std::map<std::pair<std::uint64_t, bool>, Places> led;  ///< the state after the moment, forward or backward
};

/// Engines of one precision: a different one would round the present but not the past.
EngineConfig random_engine(std::uint32_t pick, Precision precision) {
    EngineConfig config{.engine = std::array{"direct", "half", "tree", "reference"}[pick % 4]};
    config.precision = precision;
    config.threads = 1 + static_cast<int>(pick / 4 % 2);
    return config;
}

TEST(RewindProperties, MomentsAndTheirSuccessorsAreReproducible) {
    using rc::gen::inRange;
    auto one = rc::gen::resize(rc::kNominalSize, rc::gen::pair(inRange(0, 9), inRange(0u, 1000u)));
    const auto moves = rc::gen::scale(0.4, rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(one));
    check({40, 10'000}, [&] {
        const Precision precision =
            std::array{Precision::kSingle, Precision::kMixed, Precision::kDouble}[any_in<std::size_t>(0, 3)];
        Paused thread{{.source = "plummer", .bodies = any_in<std::size_t>(2, 40)},
                      random_engine(any_in<std::uint32_t>(0, 1000), precision)};
        Past past;
        Status now = thread.send(SetPaused{true});
        past.at[now.timeline.now.moment] = thread.places(now);
        for (const auto& [kind, pick] : *moves) {
            const std::uint64_t from = now.timeline.now.moment;
            const bool back = kind == 1;
            if (kind <= 3) {
                now = thread.step(back);
                const std::uint64_t moment = now.timeline.now.moment;
                past.at.erase(past.at.upper_bound(from), past.at.end());  // another future
                const Places there = past.at[moment] = thread.places(now);
                if (const auto led = past.led.find({from, back}); led != past.led.end())
                    RC_ASSERT(same_bytes(led->second, there));
                past.led.erase(past.led.upper_bound({from, true}), past.led.end());
                past.led[{from, back}] = there;
            } else if (kind <= 6) {
                const std::vector<Moment> moments = *now.timeline.moments;  // before `now` changes
                const std::uint64_t to = moments.empty() ? 0 : moments[pick % moments.size()].moment;
                now = kind == 6 ? thread.send(RewindBy{static_cast<int>(pick % 5) - 2})
                                : thread.send(Rewind{to, kind == 5});
                if (kind != 6 && !moments.empty()) RC_ASSERT(now.timeline.now.moment == to);
                if (kind == 5) now = thread.send(Rewind{to, false});
                const Places here = thread.places(now);
                const auto [was, first] = past.at.emplace(now.timeline.now.moment, here);
                if (!first) RC_ASSERT(same_bytes(was->second, here));
            } else {
                if (kind == 7) now = thread.send(SetEngine{random_engine(pick, precision)});
                if (kind == 8) now = thread.send(SetIntegrator{std::string{integrators()[pick % 6].id}, {}});
                past.led.clear();  // the same moment, with another successor
            }
        }
    });
}

}  // namespace
}  // namespace orrery::test
