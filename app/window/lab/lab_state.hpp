// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/lab/figures.hpp"
#include "core/maps/picture.hpp"

namespace orrery {

/// Settings for the next run of the laboratory.
struct LabSettings {
    std::string experiment = "dummy";
    Backend backend = Backend::kCpu;
    std::vector<std::string> maps, roots;  ///< ids; empty: all
    std::vector<std::string> features;     ///< numbers of features, for edm: "1" to "4"; empty: all
    std::uint32_t rho = 16;
    std::uint32_t strip = 8;                            ///< tiles per block of forms in strips
    std::uint32_t from = 1024, to = 8192, step = 1024;  ///< numbers of bodies
    int repeat = 10;
    bool pause_bodies = true;
    std::optional<KernelFile> kernel;  ///< a thread map of the page Kernel, timed with the others

    /// The configuration of the experiments, with the numbers of bodies.
    LabConfig config() const;
};

enum class LabAction { kStart, kCancel, kCsv, kSvg, kPng };

/// The last measurement of a map with a root.
struct LabBar {
    std::string map, root;
    std::int64_t bodies = 0, rho = 0;
    double median_ms = 0;
    double improvement = 0;      ///< I; 0 if there is none
    double least = 0, most = 0;  ///< I by the 90th and the 10th percentile of the map's times
    bool right = false;
    std::string why;      ///< what is wrong with its result
    bool newest = false;  ///< measured with the last N
};
/// The newest row of each map and root, in table order; none if the table has no I.
std::vector<LabBar> lab_bars(const LabTable& table);

/// Range of I at a point of a curve, from the times of its map.
struct LabSpread {
    std::string label;  ///< of the curve
    std::int64_t dimensions = 0, bodies = 0;
    double least = 0, most = 0;  ///< as in LabBar
};
std::vector<LabSpread> lab_spreads(const LabTable& table);

/// The state shown by the Lab tab and its overlay.
struct LabState {
    LabSettings settings;
    LabRun run;
    std::vector<LabBar> bars;
    std::vector<LabSpread> spreads;
    std::vector<LabPanel> panels;
    std::string form, form_doc;                   ///< the current map, or else the last one; empty before the first
    std::shared_ptr<const MapPicture> picture;    ///< its picture; null if there is none
    std::shared_ptr<const Map3Picture> picture3;  ///< the same for a map of triples
    std::shared_ptr<const Map4Picture> picture4;  ///< the same for a map of quadruples
    std::string last_export;                      ///< path
};

/// The row's cell in this column; nothing if the table has no such column.
LabValue lab_cell(const LabTable& table, const std::vector<LabValue>& row, std::string_view column);

/// "λ: row by square root"; the name of a map or form with its root, if it has one.
std::string lab_name(std::string_view map, std::string_view root = {});

/// The result in words: "λ: row by square root is 1.96 × as fast as Bounding box with N = 8 192; at most 1.996 × is
/// possible." Of λ if it was measured with the newest N, otherwise of the fastest map. Empty without a result.
std::string lab_sentence(const LabState& lab);

/// A shipped curve of I over N.
struct LabGhost {
    std::string experiment, map, device;
    std::int64_t dimensions = 0;
    std::vector<PlotPoint> points;
};
/// Measured on a GPU (bench/results/h200/ghost.csv, from lab.csv beside it): λ with R.
const std::vector<LabGhost>& lab_ghosts();
/// That of a panel; null if there is none, or if the panel was measured on a GPU itself.
const LabGhost* ghost_of(const LabState& lab, std::int64_t dimensions);

}  // namespace orrery
