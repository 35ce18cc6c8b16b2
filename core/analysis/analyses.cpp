// SPDX-License-Identifier: MIT
#include "core/analysis/analyses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 4> kOfProfiles{"bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 3> kOfDiscs{"bins", "from", "to"};
constexpr std::array<std::string_view, 7> kOfHistograms{"x", "x_field", "weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 9> kOfPlanes{"x",    "y",    "x_field", "y_field", "weight",
                                                    "bins", "from", "to",      "scale"};
constexpr std::array<std::string_view, 5> kOfPhases{"weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 3> kOfFields{"bins", "from", "to"};
constexpr std::array<std::string_view, 6> kOfProjections{"field", "weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 8> kOfSlices{"field", "weight", "arrows", "height",
                                                    "bins",  "from",   "to",     "scale"};
constexpr std::array<std::string_view, 9> kOfCorrelations{"weight", "bins",    "from",   "to",     "scale",
                                                          "period", "backend", "sample", "randoms"};
constexpr std::array<std::string_view, 8> kOfFourPoint{"weight", "bins",   "from",   "to",
                                                       "scale",  "period", "sample", "randoms"};
constexpr std::array<std::string_view, 5> kOfGroups{"link", "link_length", "period", "backend", "least"};

constexpr auto kAnalyses = std::to_array<AnalysisEntry>({
    {"rotation-curve", "Rotation curve",
     "circular velocity in the plane, and mean velocity about the axis, over radius",
     "v_c² = R ∂Φ/∂R at z = 0, averaged around the axis: Binney & Tremaine 2008, §2.6", rotation_curve,
     AnalysisAxis::kSpin, kOfDiscs},
    {"surface-density", "Surface density", "mass per area of rings about the axis", "mass of a ring over its area",
     surface_density_profile, AnalysisAxis::kSpin, kOfProfiles},
    {"density", "Density profile", "mass per volume of shells about the centre", "mass of a shell over its volume",
     density_profile, AnalysisAxis::kZ, kOfProfiles},
    {"dispersion", "Velocity dispersion", "dispersions along and across the radius, and anisotropy, over radius",
     "σ about the means of each shell; β = 1 − σ_t²/σ_r²: Binney & Tremaine 2008, eq. 4.61", dispersion_profile,
     AnalysisAxis::kSpin, kOfProfiles},
    {"disc-dispersion", "Dispersion of a disc", "dispersions along the radius, around and along the axis, over radius",
     "σ about the means of each ring", disc_dispersion_profile, AnalysisAxis::kSpin, kOfProfiles},
    {"toomre-q", "Toomre Q", "stability of a disc of stars over radius; unstable to rings where Q < 1",
     "Q = σ_R κ / (3.36 G Σ): Toomre 1964, ApJ 139, 1217; κ² = R dΩ²/dR + 4Ω²: Binney & Tremaine 2008, eq. 3.80",
     toomre_profile, AnalysisAxis::kSpin, kOfDiscs},
    {"phase-r-vr", "Phase space r, v_r", "bodies over radius and radial velocity", "number or mass in each cell",
     phase_space_radial, AnalysisAxis::kZ, kOfPhases},
    {"phase-r-v", "Phase space r, v", "bodies over radius and speed", "number or mass in each cell", phase_space_speed,
     AnalysisAxis::kZ, kOfPhases},
    {"phase-e-l", "Energy and angular momentum", "bodies over energy and angular momentum, both per mass",
     "E = v²/2 + Φ; L = |r × v|: Binney & Tremaine 2008, §3.1", energy_momentum, AnalysisAxis::kZ, kOfPhases},
    {"histogram", "Histogram", "bodies over any quantity", "number or mass in each interval", histogram,
     AnalysisAxis::kZ, kOfHistograms},
    {"histogram-2d", "Histogram of two", "bodies over any two quantities", "number or mass in each cell", histogram_2d,
     AnalysisAxis::kZ, kOfPlanes},
    {"profile", "Profile", "mean and dispersion of any quantity in intervals of another",
     "mean, by number or mass, and dispersion about it", profile_of_two, AnalysisAxis::kZ, kOfPlanes},
    {"potential", "Potential",
     "depth −Φ of the potential of all bodies, in the plane through the centre across the axis, with contours",
     "Φ = −G Σ m / √(r² + ε²), per mass", potential_in_plane, AnalysisAxis::kZ, kOfFields, true},
    {"projection", "Projection of a field", "density or a field along the axis, by the kernels of gas",
     "cubic spline: Monaghan & Lattanzio 1985, A&A 149, 135", projection, AnalysisAxis::kZ, kOfProjections},
    {"slice", "Slice of a field",
     "density or a field in a plane across the axis, by the kernels of gas, with vectors as arrows",
     "cubic spline: Monaghan & Lattanzio 1985, A&A 149, 135", slice, AnalysisAxis::kZ, kOfSlices},
    {"groups", "Groups", "friends of friends: bodies linked by short distances, with a table of the groups",
     "Davis, Efstathiou, Frenk & White 1985, ApJ 292, 371", groups_of_friends, AnalysisAxis::kZ, kOfGroups},
    {"two-point", "Two-point correlation", "excess of pairs over a random catalogue, over their separation",
     "Landy & Szalay 1993, ApJ 412, 64", two_point, AnalysisAxis::kZ, kOfCorrelations},
    {"three-point", "Three-point correlation", "excess of triangles over a random catalogue, by their sides",
     "Szapudi & Szalay 1998, ApJ 494, L41", three_point, AnalysisAxis::kZ, kOfCorrelations},
    {"four-point", "Four-point correlation", "excess of regular tetrahedra over a random catalogue, by their side",
     "Szapudi & Szalay 1998, ApJ 494, L41", four_point, AnalysisAxis::kZ, kOfFourPoint},
});

}  // namespace

std::span<const AnalysisEntry> analyses() { return kAnalyses; }

const AnalysisEntry& analysis_of(std::string_view id) { return find_in_menu(analyses(), "plot", id); }

AnalysisResult analyse(Pool& pool, const Scene& scene, const AnalysisSettings& settings, const std::stop_token& stop) {
    const AnalysisEntry& entry = analysis_of(settings.kind);
    const bool projects = settings.kind == "projection" || settings.kind == "slice";
    if (!projects && (settings.weight == AnalysisWeight::kVolume || settings.weight == AnalysisWeight::kMaximum))
        usage_error(fmt::format("{}: weight volume and maximum are for projections and slices", settings.kind));
    const Subject subject{pool, scene, settings, entry.axis};
    AnalysisResult result = entry.run(subject, settings, stop);
    result.bodies = subject.size();
    if (result.title.empty()) result.title = entry.label;
    if (result.note.empty()) result.note = entry.source;
    return result;
}

namespace {

using S = AnalysisSettings;

constexpr unsigned kOfPlots = place::kCommandLine | place::kPanel;

template <class Value>
struct NamedValue {
    std::string_view id, label, doc;
    Value value;
};

constexpr auto kCentres = std::to_array<NamedValue<AnalysisCentre>>({
    {"density", "Density centre", "the densest point, moving with the nearest tenth of the mass",
     AnalysisCentre::kDensity},
    {"mass", "Centre of mass", "and its velocity", AnalysisCentre::kMass},
    {"origin", "Origin", "of the scene, at rest", AnalysisCentre::kOrigin},
});
constexpr auto kAxes = std::to_array<NamedValue<AnalysisAxis>>({
    {"auto", "auto", "spin for plots of discs, z otherwise", AnalysisAxis::kAuto},
    {"spin", "Spin", "angular momentum of the inner half of the mass", AnalysisAxis::kSpin},
    {"x", "x", "axis of the scene", AnalysisAxis::kX},
    {"y", "y", "axis of the scene", AnalysisAxis::kY},
    {"z", "z", "axis of the scene", AnalysisAxis::kZ},
});
constexpr auto kScales = std::to_array<NamedValue<AnalysisScale>>({
    {"auto", "auto", "default of the kind", AnalysisScale::kAuto},
    {"linear", "Linear", "intervals of equal width", AnalysisScale::kLinear},
    {"log", "Logarithmic", "intervals of equal ratio", AnalysisScale::kLogarithmic},
});
constexpr auto kWeights = std::to_array<NamedValue<AnalysisWeight>>({
    {"auto", "auto", "mass for projections and slices, number otherwise", AnalysisWeight::kAuto},
    {"number", "Number", "bodies are counted", AnalysisWeight::kNumber},
    {"mass", "Mass", "masses are added", AnalysisWeight::kMass},
    {"volume", "Volume", "mass over density, for projections and slices of a field", AnalysisWeight::kVolume},
    {"maximum", "Maximum", "the largest value along the line of sight, for projections of a field",
     AnalysisWeight::kMaximum},
});

constexpr auto kBackends = std::to_array<NamedValue<Backend>>({
    {"cpu", "CPU", "on all cores", Backend::kCpu},
    {"cuda", "CUDA", "on the first device", Backend::kCuda},
});

std::function<bool(const S&)> read_by_kind(std::string_view id) {
    return [id](const S& settings) { return reads(settings, id); };
}

std::vector<Setting<S>> analysis_table() {
    SettingTable<S> add;
    add({.id = "x",
         .label = "Quantity",
         .doc = "quantity along x of histograms",
         .kind = choices_of(quantities()),
         .places = kOfPlots},
        member<&S::x>(), read_by_kind("x"));
    add({.id = "y",
         .label = "Over it",
         .doc = "quantity along y of two-dimensional histograms",
         .kind = choices_of(quantities()),
         .places = kOfPlots},
        member<&S::y>(), read_by_kind("y"));
    add({.id = "x_field",
         .label = "Field",
         .doc = "field of the file in place of the quantity along x; empty: none",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::x_field>(), read_by_kind("x_field"));
    add({.id = "y_field",
         .label = "Field over it",
         .doc = "field of the file in place of the quantity along y; empty: none",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::y_field>(), read_by_kind("y_field"));
    add({.id = "field",
         .label = "Shown field",
         .doc = "field of the file that a projection or slice shows; empty: density",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::field>(), read_by_kind("field"));
    add({.id = "arrows",
         .label = "Arrows",
         .doc = "vectors in a slice: v for velocities, or a field of three components; empty: none",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::arrows>(), read_by_kind("arrows"));
    add({.id = "height",
         .label = "Height",
         .doc = "position of a slice along the axis, from the centre",
         .kind = RealKind{-kUnlimited, kUnlimited},
         .places = place::kCommandLine},
        member<&S::height>(), read_by_kind("height"));
    add({.id = "of",
         .label = "Bodies",
         .doc = "only these bodies: species and ranges such as 0-99, separated by commas; "
                "empty: all",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::of>());
    add({.id = "centre",
         .label = "Centre",
         .doc = "reference point of radii and velocities",
         .kind = choices_of(kCentres),
         .places = kOfPlots},
        member<&S::centre>(kCentres, &NamedValue<AnalysisCentre>::value));
    add({.id = "axis",
         .label = "Axis",
         .doc = "axis of cylindrical radii, heights and tangential velocities",
         .kind = choices_of(kAxes),
         .places = kOfPlots},
        member<&S::axis>(kAxes, &NamedValue<AnalysisAxis>::value));
    add({.id = "weight",
         .label = "Weight",
         .doc = "quantity summed by histograms, and weight of means along the line of sight",
         .kind = choices_of(kWeights),
         .places = kOfPlots},
        member<&S::weight>(kWeights, &NamedValue<AnalysisWeight>::value), read_by_kind("weight"));
    add({.id = "scale",
         .label = "Scale",
         .doc = "scale of the x axis; of the colours of a projection or slice",
         .kind = choices_of(kScales),
         .places = kOfPlots},
        member<&S::scale>(kScales, &NamedValue<AnalysisScale>::value), read_by_kind("scale"));
    add({.id = "bins",
         .label = "Bins",
         .doc = "intervals of an axis; 0: chosen by kind and number of bodies",
         .kind = WholeKind{0, 1000, 1, {0, 200, "%.0f"}},
         .places = kOfPlots},
        member<&S::bins>(), read_by_kind("bins"));
    add({.id = "from",
         .label = "From",
         .doc = "lower end of the x axis; default: from the bodies",
         .kind = RealKind{-kUnlimited, kUnlimited},
         .places = place::kCommandLine},
        member<&S::from>(), read_by_kind("from"));
    add({.id = "to",
         .label = "To",
         .doc = "upper end of the x axis; default: from the bodies",
         .kind = RealKind{-kUnlimited, kUnlimited},
         .places = place::kCommandLine},
        member<&S::to>(), read_by_kind("to"));
    add({.id = "link",
         .label = "Link",
         .doc = "linking length of groups in mean separations; see also --link-length",
         .kind = RealKind{0, kUnlimited, {0.01, 2, "%.2f", true}, true},
         .places = kOfPlots},
        member<&S::link>(), read_by_kind("link"));
    add({.id = "link_length",
         .label = "Link length",
         .doc = "linking length of groups as a length, in place of --link",
         .kind = RealKind{0, kUnlimited, {}, true},
         .places = place::kCommandLine},
        member<&S::link_length>(), read_by_kind("link_length"));
    add({.id = "period",
         .label = "Period",
         .doc = "edge of the periodic box of groups and correlations, from the origin on; 0: not periodic",
         .kind = RealKind{0, kUnlimited},
         .places = place::kCommandLine},
        member<&S::period>(), read_by_kind("period"));
    add({.id = "backend",
         .label = "Backend",
         .doc = "device that finds groups, or counts pairs and triangles",
         .kind = choices_of(kBackends),
         .places = place::kCommandLine},
        member<&S::backend>(kBackends, &NamedValue<Backend>::value), read_by_kind("backend"));
    add({.id = "least",
         .label = "Least",
         .doc = "minimum number of bodies of a listed group",
         .kind = WholeKind{1, 1'000'000'000, 1, {2, 1000, "%.0f", true}},
         .places = kOfPlots},
        member<&S::least>(), read_by_kind("least"));
    add({.id = "sample",
         .label = "Sample",
         .doc = "bodies of a correlation function, evenly from all; 0: 4000 for pairs, 400 for triangles, 160 for "
                "tetrahedra",
         .kind = WholeKind{0, 100'000, 1, {0, 10000, "%.0f"}},
         .places = kOfPlots},
        member<&S::sample>(), read_by_kind("sample"));
    add({.id = "randoms",
         .label = "Random catalogue",
         .doc = "random catalogue of correlations: species and ranges of bodies; empty: points uniform in the box of "
                "the bodies",
         .kind = TextKind{},
         .places = kOfPlots},
        member<&S::randoms>(), read_by_kind("randoms"));
    return std::move(add).all();
}

}  // namespace

std::span<const Setting<AnalysisSettings>> analysis_settings() {
    static const std::vector<Setting<S>> all = analysis_table();
    return all;
}

bool reads(const AnalysisSettings& settings, std::string_view id) {
    for (const AnalysisEntry& entry : analyses())
        if (entry.id == settings.kind) return std::ranges::find(entry.reads, id) != entry.reads.end();
    return false;
}

}  // namespace orrery
