// SPDX-License-Identifier: MIT
// Measures edits of many bodies between two steps: edit_times [BODIES [PICKED]].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/live/simulation_thread.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"

namespace {

using namespace orrery;

constexpr int kTimes = 5;

/// Prints median, minimum and maximum over some runs, each after an unmeasured `prepare`.
template <class Work>
void measure(
    const char* what, const Work& work, const std::function<void()>& prepare = [] {}) {
    std::vector<double> took;
    for (int i = 0; i < kTimes; ++i) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        work();
        took.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(took);
    std::printf("%-16s %8.2f ms, %8.2f to %.2f\n", what, took[kTimes / 2], took.front(), took.back());
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const std::size_t bodies = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1000000;
    const std::size_t picked = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1000;
    const char* backend = count > 3 ? words[3] : "cpu";
    EngineConfig engine;
    engine.engine = "tree", engine.backend = std::string{backend} == "cuda" ? Backend::kCuda : Backend::kCpu;
    OpenedScene opened;
    opened.scene = make_preset("plummer", {.bodies = static_cast<std::uint32_t>(bodies)});
    World both{std::move(opened), engine, nullptr};
    both.simulation.step();
    std::vector<std::uint32_t> some(picked);
    std::iota(some.begin(), some.end(), 0u);
    measure("step", [&] { both.simulation.step(); });
    for (const EditEntry& entry : edit_kinds()) {
        Edit edit{.kind = entry.kind, .factor = 1.01};
        if (entry.adds || entry.brushes)
            edit.add = {.count = 1000, .mass = 0.01, .radius = 0.3, .position = {1, 0, 0}};
        else
            edit.bodies = entry.names || entry.kind == EditKind::kCircular ? std::vector<std::uint32_t>{3} : some;
        if (entry.shifts) edit.by = {0, 0.01, 0};
        measure(entry.id.data(), [&] { both.apply(EditBodies{edit}); });
    }
    const Edit push{.kind = EditKind::kThrow, .bodies = some, .by = {0, 0.01, 0}};
    std::vector<std::uint32_t> all(both.simulation.system().count());
    std::iota(all.begin(), all.end(), 0u);
    const Edit push_all{.kind = EditKind::kThrow, .bodies = std::move(all), .by = {0, 0.01, 0}};
    const auto apply = [&](const Action& action) { return [&both, action] { both.apply(action); }; };
    const auto step = [&] { both.simulation.step(); };
    for (int i = 0; i < kTimes; ++i) both.apply(EditBodies{push});
    measure("undo", apply(Undo{}));
    measure("redo", apply(Redo{}));
    measure("throw, stepped", apply(EditBodies{push}), step);
    measure("undo, stepped", apply(Undo{}), step);
    measure("redo, stepped", apply(Redo{}), step);
    measure("throw all", apply(EditBodies{push_all}));
    measure("undo all", apply(Undo{}));
    measure("redo all", apply(Redo{}));
    std::printf("%zu to undo, %.0f MiB\n", both.history.undos(), static_cast<double>(both.history.bytes()) / (1 << 20));

    SceneRequest request{.source = "plummer", .bodies = bodies};
    SimulationThread window{request, engine};
    std::uint64_t sent = 0;
    const auto send = [&](Action action) {
        window.send(std::move(action));
        for (++sent; window.status().actions_done < sent;) std::this_thread::sleep_for(std::chrono::microseconds{100});
        window.update_frame();
    };
    send(SetPaused{true});
    send(EditBodies{push});
    const auto rest = [] { std::this_thread::sleep_for(std::chrono::seconds{2}); };  // for the analyses it triggers
    measure(
        "window: throw", [&] { send(EditBodies{push}); }, rest);
    measure(
        "window: undo", [&] { send(Undo{}); }, rest);
}
