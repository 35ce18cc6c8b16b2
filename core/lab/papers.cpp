// SPDX-License-Identifier: MIT
#include "core/lab/papers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace orrery {
namespace {

using enum PaperAxes;

constexpr std::string_view kRed = "#d62728", kBlue = "#1f77b4", kGreen = "#2ca02c", kViolet = "#9467bd",
                           kOrange = "#e08000", kBrown = "#8c564b";

// The four strategies of the comparisons, with the root that the papers use: λR on the balanced grid, RB and UTM in
// thread space, REC with a launch per level.
const PaperCurve kLambda{"lambda-published-grid", "rsqrt", "λR as published", kRed};
const PaperCurve kExact{"lambda", "rsqrt", "λR, exact", kRed, "7 4"};
const PaperCurve kRb{"rb-threads", "", "RB", kBlue};
const PaperCurve kRec{"rec-launches", "", "REC", kGreen};
const PaperCurve kUtm{"utm-threads", "newton", "UTM as published", kViolet};
const PaperCurve kUtmExact{"utm-threads-exact", "rsqrt", "UTM, exact", kViolet, "7 4"};
const std::vector<PaperCurve> kStrategies{kLambda, kExact, kRb, kRec, kUtm, kUtmExact};

std::vector<PaperCurve> square_roots() {
    return {{"lambda-published-grid", "sqrt", "λX as published", kRed},
            {"lambda-published-grid", "newton", "λN as published", kGreen},
            {"lambda-published-grid", "rsqrt", "λR as published", kBlue},
            {"lambda", "sqrt", "λX, exact", kRed, "7 4"},
            {"lambda", "rsqrt", "λR, exact", kBlue, "7 4"}};
}

PaperFigure roots_001() {
    return {.seeds = "000 001",
            .number = "3",
            .title = "Performance of the different square root strategies",
            .change =
                "On Kepler the root decided whether λ beats the bounding box; on Hopper an idle block costs as "
                "much as a useful one of this kernel, and the root is hidden behind the launch of other blocks.",
            .panels = {{"Square roots of λ",
                        "roots",
                        kGain,
                        0,
                        square_roots(),
                        {{"λX, GTX 680", 0.87, kRed},
                         {"λN, GTX 680", 1.025, kGreen},
                         {"λR, GTX 680", 1.15, kBlue},
                         {"λX, GTX 765M", 0.83, kRed},
                         {"λN, GTX 765M", 0.96, kGreen},
                         {"λR, GTX 765M", 1.1, kBlue},
                         {"all three, K40", 1.08}},
                        {0.8, 1.3}}}};
}

PaperFigure strategies_001() {
    return {.seeds = "000 001",
            .number = "5",
            .title = "Improvement factors for the dummy kernel, Euclidean distance matrix and collision detection",
            .change =
                "RB led on Kepler in thread space; on Hopper λ in block space comes as close to the bound of 2, "
                "because both launch half of the blocks and nothing else matters; in collision blocks do more "
                "work, so idle ones matter less.",
            .panels = {{"Dummy kernel",
                        "dummy",
                        kGain,
                        0,
                        kStrategies,
                        {{"RB, GTX 765M", 1.33, kBlue}, {"λ, GTX 680", 1.18, kRed}, {"all, K40", 1.07, "#333333", 15}},
                        {0.2, 1.6}},
                       {"EDM 4D",
                        "edm",
                        kGain,
                        4,
                        kStrategies,
                        {{"RB, K40", 1.28, kBlue}, {"λ", 1.18, kRed}, {"REC, at the largest N", 1.12, kGreen, 25}},
                        {0, 2.2}},
                       {"3D collision detection",
                        "collision-rows",
                        kGain,
                        3,
                        kStrategies,
                        {{"λ", 1.07, kRed}, {"λ, the authors' program, H200", 0.829 / 0.839, kRed, 30, 30}},
                        {0.4, 1.3}},
                       {"1D collision detection",
                        "collision-rows",
                        kGain,
                        1,
                        kStrategies,
                        {{"λ", 1, kRed}, {"REC, the authors' program, H200", 3.46 / 2.68, kGreen, 30, 30}},
                        {0, 2.2}}}};
}

PaperFigure box_of_triples() {
    return {.seeds = "000 001",
            .number = "6",
            .title = "A bounding box of a tetrahedron has O(n³) unnecessary threads",
            .change =
                "Counted, so unchanged: the cube wastes five of six blocks, the cubic grid of λ fewer "
                "than 3e² of e³.",
            .panels = {{"Wasted blocks of triples, ρ = 8", "", kWastedTriples, 0, {}, {}}},
            .maps = {"cube"}};
}

PaperFigure tetrahedra() {
    return {.seeds = "000 001",
            .number = "7",
            .title = "λ on the tetrahedron",
            .change =
                "The paper predicts less than 6 without a measurement; on an H200 the authors' later program reaches "
                "5.12 with the map H, and the two roots of λ are computed once per block.",
            .panels = {{"Dummy kernel of triples",
                        "triplet",
                        kGain,
                        0,
                        {{"lambda3", "rsqrt", "λ, exact", kRed},
                         {"lambda3-grid", "rsqrt", "λ on a cubic grid", kBlue},
                         {"hadouken3", "", "H", kOrange}},
                        {{"H, the authors' program, H200, N = 1024", 1.296 / 0.253, kOrange, 1, 1}}}},
            .maps = {"lambda3-grid"}};
}

PaperFigure roots_003() {
    PaperFigure figure = roots_001();
    figure.seeds = "003";
    figure.title = "Square roots of LTM, and the number of wasted blocks";
    figure.panels[0].published = {
        {"LTM-X, GTX 680", 0.7, kRed}, {"LTM-N, GTX 680", 1.03, kGreen}, {"LTM-R, GTX 680", 1.15, kBlue}};
    figure.panels.push_back({"Wasted blocks",
                             "waste",
                             kWastedBlocks,
                             0,
                             {{"bb", "", "BB", "#333333"}, {"lambda-grid", "", "LTM", kRed}},
                             {}});
    figure.panels.push_back({"Wasted threads",
                             "waste",
                             kWastedThreads,
                             0,
                             {{"bb", "", "BB", "#333333"}, {"lambda-grid", "", "LTM", kRed}, kRb, kUtm},
                             {}});
    return figure;
}

PaperFigure strategies_003() {
    const std::vector<PublishedValue> edm{
        {"RB, GTX 680", 1.14, kBlue}, {"LTM, GTX 680", 1.135, kRed}, {"REC, GTX 680", 1.05, kGreen, 25}};
    return {.seeds = "003",
            .number = "5",
            .title = "Dummy kernel, EDM, and I against the number of features",
            .change =
                "REC and UTM lost to the bounding box in the dummy kernel on Kepler; on Hopper launches are "
                "cheap enough for REC to win, and UTM wins where it stores to neighbouring addresses.",
            .panels = {{"Dummy kernel",
                        "dummy",
                        kGain,
                        0,
                        kStrategies,
                        {{"RB, GTX 680", 1.25, kBlue}, {"LTM, GTX 680", 1.13, kRed}},
                        {0.2, 1.6}},
                       {"EDM 1D", "edm", kGain, 1, kStrategies, edm, {0.2, 1.6}},
                       {"EDM 4D", "edm", kGain, 4, kStrategies, edm, {0.2, 1.6}},
                       {"I against features",
                        "edm",
                        kGainFeatures,
                        0,
                        kStrategies,
                        {{"RB, GTX 680", 1.14, kBlue, 1, 4}, {"LTM, GTX 680", 1.135, kRed, 1, 4}},
                        {0.2, 1.6}}}};
}

PaperFigure tiles(std::string_view number, std::string_view title, std::string_view panel, PaperAxes axes,
                  std::vector<PublishedValue> published, std::string_view change) {
    return {.seeds = "002",
            .number = number,
            .title = title,
            .change = change,
            .panels = {{panel, "tiles", axes, 0, {}, std::move(published)}}};
}

PaperFigure programs(std::string_view number, std::string_view title, std::vector<PaperCurve> curves,
                     std::vector<PublishedValue> published) {
    return {
        .seeds = "004",
        .number = number,
        .title = title,
        .change =
            "The thesis ran plain C on a Xeon E5620 and CUDA on a Tesla S2050; on a CPU backend the programs that are "
            "not limited to one core run on all cores.",
        .panels = {{title, "programs", kSeconds, 0, std::move(curves), std::move(published)}},
        .bodies = {}};
}

PaperFigure table_31() {
    return {
        .seeds = "004",
        .number = "3.1",
        .title = "Seconds of a step of the five programs",
        .change = "The thesis ran plain C on a Xeon E5620 and CUDA on a Tesla S2050, and left out times over 1000 s.",
        .table = {{"cpu-direct", "100000", 758.57},
                  {"cpu-direct", "500000", 0},
                  {"cpu-tree", "100000", 77.15},
                  {"cpu-tree", "500000", 0},
                  {"direct", "100000", 4.13},
                  {"direct", "500000", 103.09},
                  {"direct-shared", "100000", 3.1},
                  {"direct-shared", "500000", 69.09},
                  {"tree", "100000", 2},
                  {"tree", "500000", 28.38}},
        .bodies = {100000, 500000}};
}

PaperFigure table_32() {
    return {.seeds = "004",
            .number = "3.2",
            .title = "Milliseconds of the six kernels of the Barnes-Hut program",
            .change =
                "The thesis' threads spin on a lock; here a thread that finds one lets its warp proceed and "
                "retries, and a split creates all cells down to the separation of two bodies under one lock.",
            .table = {{"box_ms", "150000", 20},
                      {"build_ms", "150000", 3400},
                      {"centres_ms", "150000", 40},
                      {"sort_ms", "150000", 10},
                      {"walk_ms", "150000", 2355},
                      {"integrate_ms", "150000", 5}},
            .bodies = {150000}};
}

PaperFigure picture(std::string_view seeds, std::string_view number, std::string_view title,
                    std::vector<std::string_view> maps) {
    return {
        .seeds = seeds, .number = number, .title = title, .change = "A drawing: evaluated, not copied.", .maps = maps};
}

const std::vector<PaperFigure>& list() {
    static const std::vector<PaperFigure> all{
        picture("000 001", "1", "The bounding box has O(n²) unnecessary threads", {"bb"}),
        picture("000 001", "2", "Parallel space of λ covers the domain", {"lambda-grid"}),
        roots_001(),
        picture("000 001", "4", "The rectangular box and the recursive partition", {"rb", "rec"}),
        strategies_001(),
        box_of_triples(),
        tetrahedra(),
        tiles("31-5", "Performance increase with loop unrolling", "Loop unrolling", kRateUnrolling,
              {{"u 1, 8800 GTX", 163, kBlue, 1, 4}, {"u 4, 8800 GTX", 204, kRed, 4, 32}},
              "A multiprocessor of Hopper holds 64 warps instead of 24, which hide the loop's own instructions."),
        tiles("31-6", "Performance increase as N grows", "Performance against N", kRateBodies,
              {{"N > 8192, 8800 GTX", 204, kRed, 8192, 65536},
               {"10.4 G pairs/s at N = 16 384", 208, kBlue, 16384, 16384}},
              "The N/p blocks must fill 132 multiprocessors instead of 16, so N must be eight times as large."),
        tiles("31-7", "Performance as block size varies", "Block size", kRateTile, {},
              "N/p must reach the number of multiprocessors: with p = 256 at N = 4096 on the 8800 GTX, 33 792 on an "
              "H200."),
        tiles("31-8", "Performance increase by using multiple threads per body", "Threads per body", kRateSplit,
              {{"N = 1024, q 1 to 2: 44 % more", 1.44, kRed, 1, 2}},
              "With p q = 256 there are q times as many blocks; an H200 runs 132 at a time, the 8800 GTX 16."),
        picture("003", "1", "The bounding box strategy", {"bb"}),
        picture("003", "2", "LTM uses the necessary number of blocks", {"lambda-grid"}),
        roots_003(),
        picture("003", "4", "The RB and REC strategies", {"rb", "rec"}),
        strategies_003(),
        table_31(),
        table_32(),
        programs("3.5", "CPU programs and the plain GPU program",
                 {{"cpu-direct", "", "O(n²), one core", kRed},
                  {"cpu-tree", "", "Barnes-Hut, one core", kGreen},
                  {"direct", "", "O(n²), backend", kBlue}},
                 {{"O(n²) on CPU, N = 100 000", 758.57, kRed, 1e5, 1e5},
                  {"Barnes-Hut on CPU", 77.15, kGreen, 1e5, 1e5},
                  {"O(n²) on GPU", 4.13, kBlue, 1e5, 1e5}}),
        programs("3.6", "GPU programs",
                 {{"direct", "", "O(n²), backend", kBlue},
                  {"direct-shared", "", "with shared memory", kOrange},
                  {"tree", "", "Barnes-Hut", kBrown}},
                 {{"O(n²) on GPU, N = 500 000", 103.09, kBlue, 5e5, 5e5},
                  {"with shared memory", 69.09, kOrange, 5e5, 5e5},
                  {"Barnes-Hut on GPU", 28.38, kBrown, 5e5, 5e5}})};
    return all;
}

void take(std::vector<std::string>& all, std::string_view id) {
    if (!id.empty() && std::ranges::find(all, id) == all.end()) all.emplace_back(id);
}

}  // namespace

std::string PaperFigure::id() const { return fmt::format("{}:{}", seeds.substr(seeds.rfind(' ') + 1), number); }

bool PaperFigure::is(std::string_view wanted) const {
    const std::size_t colon = wanted.find(':');
    return colon == 3 && wanted.substr(4) == number && seeds.find(wanted.substr(0, 3)) != std::string_view::npos;
}

std::span<const PaperFigure> paper_figures() { return list(); }

const PaperFigure& paper_figure(std::string_view id) {
    for (const PaperFigure& figure : list())
        if (figure.is(id)) return figure;
    std::vector<std::string> ids;
    for (const PaperFigure& figure : list()) ids.push_back(figure.id());
    usage_error(fmt::format("no figure '{}': there are {}", id, fmt::join(ids, ", ")));
}

std::map<std::string, LabConfig> paper_needs(std::span<const PaperFigure* const> figures, const LabConfig& base) {
    std::map<std::string, LabConfig> needs;
    const auto config = [&](std::string_view experiment) -> LabConfig& {
        return needs.try_emplace(std::string{experiment}, base).first->second;
    };
    for (const PaperFigure* figure : figures) {
        if (!figure->table.empty() && base.bodies.empty() && !base.quick)
            for (const std::uint32_t bodies : figure->bodies) config("programs").bodies.push_back(bodies);
        if (!figure->table.empty()) config("programs");
        for (const PaperPanel& panel : figure->panels) {
            if (panel.experiment.empty()) continue;
            LabConfig& its = config(panel.experiment);
            for (const PaperCurve& curve : panel.curves) {
                if (panel.axes == kSeconds) continue;
                take(its.maps, curve.id);
                take(its.roots, curve.root);
            }
            if (panel.experiment != "edm") continue;
            for (const int features : {1, 2, 3, 4})
                if ((panel.axes == kGainFeatures || features == panel.dimensions) &&
                    std::ranges::find(its.features, features) == its.features.end())
                    its.features.push_back(features);
        }
    }
    if (const auto found = needs.find("programs"); found != needs.end() && base.bodies.empty() && !base.quick) {
        std::vector<std::uint32_t>& sizes = found->second.bodies;
        const bool draws = std::ranges::any_of(figures, [](const PaperFigure* each) {
            return !each->panels.empty() && each->panels[0].experiment == "programs";
        });
        if (draws) std::ranges::copy(lab_sizes(base, "programs"), std::back_inserter(sizes));
        std::ranges::sort(sizes);
        sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
    }
    return needs;
}

}  // namespace orrery
