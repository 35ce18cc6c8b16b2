// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <filesystem>

#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {

/// Snapshots s00.csv, s01.csv, … of a run of 300 bodies at times 0, 0.1, 0.2, …
class SeriesFiles {
public:
    explicit SeriesFiles(std::filesystem::path folder) : folder_{std::move(folder)} {}
    void write(int more) {
        for (; more > 0; --more, ++written_) {
            Scene scene = run_.scene();
            scene.bodies = run_.system().bodies();
            scene.time = 0.1 * written_;
            write_snapshot(scene, folder_ / fmt::format("s{:02}.csv", written_));
            for (int i = 0; i < 10; ++i) run_.step();
        }
    }
    std::string pattern() const { return folder_ / "s*.csv"; }

private:
    static Scene start() {
        Scene scene = make_preset("plummer", {.bodies = 300});
        scene.dt = 0.01;
        return scene;
    }
    std::filesystem::path folder_;
    Simulation run_{start(), {.backend = Backend::kCpu, .precision = Precision::kDouble}};
    int written_ = 0;
};

}  // namespace orrery::test
