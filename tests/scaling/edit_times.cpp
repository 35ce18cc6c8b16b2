// SPDX-License-Identifier: MIT
// How long edits of many bodies take between two steps: edit_times [BODIES [PICKED]].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/live/compared_simulation.hpp"
#include "core/presets/presets.hpp"

namespace {

using namespace orrery;

constexpr int kTimes = 5;

/// Of the fastest and the slowest of some, each after its own state.
template <class Work>
void measure(const char* what, const Work& work) {
    std::vector<double> took;
    for (int i = 0; i < kTimes; ++i) {
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
    ComparedSimulation both{std::move(opened), engine, nullptr};
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
    measure("undo", [&] { both.apply(Undo{}); });
    measure("redo", [&] { both.apply(Redo{}); });
}
