// SPDX-License-Identifier: MIT
#include <array>
#include <map>

#include "app/scene/scene_keys.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/menu.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/scene_request.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/members.hpp"

namespace orrery::test {
namespace {

/// A non-default value for each key: EveryKeyRoundTrips fails for a key without one.
const std::map<std::string, std::string>& examples() {
    static const std::map<std::string, std::string> table{
        {"scene.title", R"("A \"quoted\" title")"},
        {"scene.watch", R"("Where π is, and a \\")"},
        {"scene.preset", R"("cold-sphere")"},
        {"scene.file", R"("bodies.csv")"},
        {"scene.bodies", "321"},
        {"scene.seed", "9223372036854775807"},
        {"scene.sites", R"("glass")"},
        {"scene.displacements", R"("2lpt")"},
        {"scene.softening", "0.0125"},
        {"scene.law", R"("lennard-jones")"},
        {"scene.sigma", "1.25"},
        {"scene.cut_off", "2.5"},
        {"scene.dt", "0.1"},
        {"scene.integrator", R"("yoshida4")"},
        {"scene.adaptive", "0.125"},
        {"scene.body_density", "3.5"},
        {"scene.body_radius", "0.25"},
        {"scene.restitution", "0.75"},
        {"scene.fields", R"("u,|B|")"},
        {"scene.filter", R"("T > 1e5 & species == gas")"},
        {"scene.speed", "0.5"},
        {"window.panel", R"("maps")"},
        {"window.figures", "false"},
        {"engine.engine", R"("half")"},
        {"engine.backend", R"("cpu")"},
        {"engine.precision", R"("double")"},
        {"engine.threads", "3"},
        {"engine.deterministic", "true"},
        {"engine.compensated", "true"},
        {"engine.map", R"("rb")"},
        {"engine.map3", R"("cube")"},
        {"engine.kernel", R"("//! kind = map\u000A//! language = c++\u000A")"},
        {"engine.root", R"("newton")"},
        {"engine.rows", "128"},
        {"engine.equal_masses", "false"},
        {"engine.tile_p", "64"},
        {"engine.tile_u", "4"},
        {"engine.tile_q", "2"},
        {"engine.tile_k", "8"},
        {"engine.tile_s", "4"},
        {"engine.strip", "8"},
        {"engine.accuracy", "0.0003"},
        {"engine.keep_accuracy", "true"},
        {"engine.alpha", "0.001"},
        {"engine.theta", "0.7"},
        {"engine.cutoff", "0.25"},
        {"engine.order", "2"},
        {"engine.leaf", "32"},
        {"engine.group", "64"},
        {"compare.softening", "0.125"},
        {"compare.dt_power", "-2"},
        {"compare.divider", "0.25"},
        {"compare.show_b", "true"},
        {"compare.plots", "false"},
        {"view.mode", R"("splat")"},
        {"view.size", "1.7"},
        {"view.exposure", "-1.25"},
        {"view.smoothing_lengths", "false"},
        {"view.dust", "1.5"},
        {"view.scale_physical", "true"},
        {"view.stretch", "3.3"},
        {"view.exposure_by", R"("bodies")"},
        {"view.neighbours", "48"},
        {"view.local_contrast", "0.4"},
        {"view.contours", "3"},
        {"view.cloud_bodies", "2.5"},
        {"view.cloud_spacing", "0.5"},
        {"view.glow", "0.1"},
        {"view.tone_map", R"("reinhard")"},
        {"view.color_map", R"("aurora")"},
        {"view.mass_size", "0.3"},
        {"view.white", "12.5"},
        {"view.color_bar", "false"},
        {"view.trails", "true"},
        {"view.trail_points", "200"},
        {"view.trail_every", "7"},
        {"view.trail_opacity", "0.25"},
        {"view.stars", "true"},
        {"view.star_seed", "7"},
        {"view.star_light", "1.5"},
        {"view.grid", "true"},
        {"view.axes", "true"},
        {"view.scale_bar", "false"},
        {"view.time_stamp", "true"},
        {"view.labels", "false"},
        {"view.scalar_range", "[0.5, 2.0]"},
        {"view.octree", "true"},
        {"view.octree_first", "2"},
        {"view.octree_last", "9"},
        {"view.octree_leaves", "true"},
        {"view.octree_opacity", "0.3"},
        {"view.spheres", "true"},
        {"view.dispersion", "true"},
        {"view.color_field", R"("|MagneticField|")"},
        {"view.show_gas", "false"},
        {"view.show_halo", "false"},
        {"view.show_disk", "false"},
        {"view.show_bulge", "false"},
        {"view.show_stars", "false"},
        {"view.show_boundary", "false"},
        {"view.slice", "0.25"},
        {"view.wrap", "true"},
        {"view.recentre", R"("1.5, -2, 0.25")"},
        {"view.tiles", "2"},
        {"view.box", "62.5"},
        {"camera.target", "[1.0, -2.5, 1e-07]"},
        {"camera.distance", "7.25"},
        {"camera.yaw", "12.5"},
        {"camera.pitch", "-33.3"},
        {"camera.zoom", "2.5"},
        {"camera.turn", "-4.0"},
        {"camera.fov", "60.0"},
        {"camera.follow", "true"},
        {"camera.bookmarks",
         "[\n    { place = 2, target = [0.0, 0.0, 1.0], distance = 3.0, yaw = 34.3, pitch = 10.1, fov = 45.0 },\n]"},
        {"camera.path",
         "[\n    { time = 0.0, target = [0.0, 0.0, 1.0], distance = 3.0, yaw = 34.3, pitch = 10.1, fov = 45.0 },\n"
         "    { time = 2.5, target = [0.0, 0.0, 2.0], distance = 4.0, yaw = 380.0, pitch = -10.1, fov = 30.0 },\n]"},
        {"camera.path_loop", "true"},
        {"camera.path_closing", "1.5"},
        {"record.path", R"("a film.webm")"},
        {"record.width", "3840"},
        {"record.height", "2160"},
        {"record.fps", "30"},
        {"record.steps_per_frame", "3"},
        {"record.quality", "60"},
        {"record.supersampling", "2"},
        {"record.lens", R"("dome")"},
        {"record.bits", "16"},
        {"record.ui", "true"},
        {"record.legend", "true"},
        {"record.session", "true"},
        {"record.duration", "12.5"},
        {"run.snapshots", R"("snap_%04d.csv")"},
        {"run.snapshots_every", "7"},
        {"run.snapshots_interval", R"("2 Myr")"},
        {"run.snapshots_compress", "4"},
        {"run.snapshots_single", "true"},
        {"run.snapshots_accelerations", "true"},
        {"run.snapshots_potentials", "true"},
    };
    return table;
}

/// The example for this key; for a menu without an example, its last choice.
std::string example(const SceneKey& key) {
    auto found = examples().find(std::string{key.section} + "." + std::string{key.name});
    if (found == examples().end() && key.section == "compare")  // B has all settings of A
        found = examples().find("engine." + std::string{key.name});
    if (found != examples().end()) return found->second;
    const std::size_t comma = key.takes.rfind(", ");
    return comma == std::string::npos ? "" : '"' + key.takes.substr(comma + 2) + '"';
}

class SceneFiles : public Scratch {
protected:
    SceneFile parsed(const std::string& text) const { return parse_scene(text, "test.toml", path("")); }
};

/// For every key, the written file reads back as the same scene, and the key's line is unchanged.
TEST_F(SceneFiles, EveryKeyRoundTrips) {
    save("bodies.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n");
    for (const SceneKey& key : scene_keys()) {
        const std::string name = std::string{key.section} + "." + std::string{key.name};
        if (key.takes == "speed") continue;  // a menu with one entry has no second choice
        ASSERT_NE(example(key), "") << name << " has no example in this test";
        const std::string line = std::string{key.name} + " = " + example(key) + "\n";
        std::string text = key.section == "scene" ? "[scene]\n" : "[scene]\npreset = \"plummer\"\n";
        if (key.section == "scene" && key.name != "preset" && key.name != "file") text += "preset = \"plummer\"\n";
        text += key.section == "scene" ? line : "\n[" + std::string{key.section} + "]\n" + line;
        const SceneFile scene = parsed(text);
        EXPECT_NE(scene, parsed("[scene]\npreset = \"plummer\"\n")) << name << " changes nothing";
        const std::string written = scene_text(scene, path(""));
        EXPECT_THAT(written, testing::HasSubstr("\n" + line)) << name;
        EXPECT_EQ(parsed(written), scene) << name << "\n" << written;
    }
}

/// A member added to one of these structs without a key would be lost in files.
TEST_F(SceneFiles, EveryMemberHasAKey) {
    const auto keys = [](std::string_view section) {
        return static_cast<std::size_t>(std::ranges::count(scene_keys(), section, &SceneKey::section));
    };
    const std::string how =
        ": describe the new member in the table of its struct's settings (a list: in app/scene/scene_keys.cpp), and "
        "give an example here";
    // The source is a preset or a file, which may be a list; the label is the title; `watch` and `speed` belong to the
    // file.
    EXPECT_EQ(members<SceneRequest>() + 2, keys("scene")) << "SceneRequest" << how;
    // Thread priority depends on the command, not on the scene.
    EXPECT_EQ(members<EngineConfig>() - 3 + members<TileConfig>() + members<TreeConfig>(), keys("engine"))
        << "EngineConfig, TileConfig, TreeConfig" << how;
    // B has all settings of A, which include the engine and its backend, and its own.
    EXPECT_EQ(keys("engine") + members<CompareScene>() - 3 + members<CompareView>(), keys("compare"))
        << "CompareScene, CompareView" << how;
    EXPECT_EQ(members<ViewSettings>() - 6 + members<ShownSpecies>() + members<TrailView>() + members<StarView>() +
                  members<GuideView>() + members<OctreeView>() + members<SpaceView>(),
              keys("view"))
        << "ViewSettings, ShownSpecies, TrailView, StarView, GuideView, OctreeView, SpaceView" << how;
    EXPECT_EQ(members<CameraSettings>() - 1 + members<CameraPath>(), keys("camera"))
        << "CameraSettings, CameraPath" << how;
    EXPECT_EQ(members<RecordSettings>(), keys("record")) << "RecordSettings" << how;
    EXPECT_EQ(members<SeriesSettings>(), keys("run")) << "SeriesSettings" << how;
}

TEST_F(SceneFiles, OfAnEarlierVersionOpenUnchanged) {
    const SceneFile scene = read_scene_file(ORRERY_EARLIER "/scene.toml");
    const std::string text = content(ORRERY_EARLIER "/scene.toml");
    for (const SceneKey& key : scene_keys()) {
        constexpr std::array<std::string_view, 45> kLater{"tile_s",        "cutoff",         "keep_accuracy",
                                                          "law",           "sigma",          "cut_off",
                                                          "encounters",    "body_density",   "body_radius",
                                                          "restitution",   "spheres",        "exposure_by",
                                                          "neighbours",    "local_contrast", "contours",
                                                          "lens",          "bits",           "cloud_bodies",
                                                          "cloud_spacing", "sites",          "displacements",
                                                          "dispersion",    "slice",          "slice_across",
                                                          "show_gas",      "show_halo",      "show_disk",
                                                          "show_bulge",    "show_stars",     "show_boundary",
                                                          "kernel",        "fields",         "filter",
                                                          "color_field",   "color_scale",    "filter_as",
                                                          "selection_as",  "strip",          "smoothing_lengths",
                                                          "dust",          "scale_physical", "wrap",
                                                          "recentre",      "tiles",          "box"};
        const bool later = std::ranges::find(kLater, key.name) != kLater.end();  // added since
        if (key.name == "file" || key.section == "compare" || key.section == "run" || later) continue;
        EXPECT_THAT(text, testing::HasSubstr("\n" + std::string{key.name} + " = ")) << key.section;
    }
    // Nothing in the file is lost.
    EXPECT_EQ(parsed(scene_text(scene, path(""))), scene);
    EXPECT_EQ(scene.engine.tree, (TreeConfig{0.0003, 0.001, 0.7, 2, 32, 64}));
    EXPECT_FALSE(scene.engine.tree.keep_accuracy) << "the bodies move as in that version";
    EXPECT_EQ(open_scene(scene.scene).gravity.law, PairLaw::kGravity);
    EXPECT_EQ(scene.engine.tile, (TileConfig{64, 4, 2, 8}));
    ASSERT_TRUE(scene.compare);
    EXPECT_EQ(scene.compare->engine.tree.theta, 0.6);
    EXPECT_EQ(scene.view.exposure, -1.25f);
    EXPECT_EQ(scene.view.white, 12.5);
    EXPECT_EQ(scene.camera.path.keys.size(), 2u);
    EXPECT_EQ(scene.record.duration, 12.5);
}

TEST_F(SceneFiles, PathsAreRelativeToTheFile) {
    std::filesystem::create_directories(path("data"));
    std::filesystem::create_directories(path("scenes"));
    save("data/two.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n");
    const auto file = save("scenes/two.toml", "[scene]\nfile = \"../data/two.csv\"\ndt = 0.25\n");
    const SceneFile scene = read_scene_file(file);
    EXPECT_EQ(open_scene(scene.scene).bodies.size(), 2u);
    EXPECT_EQ(open_scene(scene.scene).dt, 0.25);
    write_scene_file(scene, path("again.toml"));
    EXPECT_THAT(content(path("again.toml")), testing::HasSubstr("\"data/two.csv\""));
    EXPECT_EQ(open_scene(read_scene_file(path("again.toml")).scene).bodies.size(), 2u);
}

TEST_F(SceneFiles, ASeriesIsAFolderAPatternOrAList) {
    std::filesystem::create_directories(path("data"));
    for (const char* time : {"1", "2"})
        save(std::string{"data/s"} + time + ".csv",
             std::string{"# orrery: time="} + time + "\nm,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n");
    for (const char* source : {"\"data\"", "\"data/s*.csv\"", "[\"data/s2.csv\", \"data/s1.csv\"]"}) {
        const SceneFile scene = read_scene_file(save("series.toml", std::string{"[scene]\nfile = "} + source + "\n"));
        const OpenedScene opened = open_scene_or_series(scene.scene);
        ASSERT_TRUE(opened.series) << source;
        EXPECT_EQ(opened.series->times()->size(), 2u) << source;
        write_scene_file(scene, path("again.toml"));
        EXPECT_EQ(read_scene_file(path("again.toml")), scene) << source;
        EXPECT_THAT(content(path("again.toml")), testing::HasSubstr(source));
    }
    expect_error([&] { read_scene_file(save("none.toml", "[scene]\nfile = []\n")); }, Blame::kUsage, "at least one");
}

TEST_F(SceneFiles, SnapshotSettingsRoundTrip) {
    const SceneFile scene =
        parsed("[scene]\npreset = \"plummer\"\n[run]\nsnapshots = [\"s%d.h5\", \"s%d.csv\"]\nsnapshots_every = 5\n");
    EXPECT_EQ(scene.series.patterns.size(), 2u);
    EXPECT_EQ(scene.series.every, 5u);
    EXPECT_EQ(parsed(scene_text(scene, path(""))), scene);
}

TEST_F(SceneFiles, TimesAcceptTheUnitsOfTheScene) {
    const SceneFile scene = parsed("[scene]\npreset = \"solar-system\"\ndt = \"1day\"\n");
    ASSERT_TRUE(scene.scene.dt);
    EXPECT_NEAR(*scene.scene.dt * make_preset("solar-system").days_per_time, 1, 1e-12);
}

TEST_F(SceneFiles, EngineIsGivenOnlyByItsSection) {
    EXPECT_FALSE(parsed("[scene]\npreset = \"plummer\"\n").engine_given);
    EXPECT_TRUE(parsed("[scene]\npreset = \"plummer\"\n[engine]\n").engine_given);
}

TEST_F(SceneFiles, ShippedScenesAreComplete) {
    EXPECT_GE(shipped_scenes().size(), 12u);
    for (const ShippedScene& entry : shipped_scenes()) {
        const SceneFile scene = entry.read();
        EXPECT_FALSE(scene.title.empty()) << entry.id;
        EXPECT_GT(scene.watch.size(), 40u) << entry.id << " does not describe what to watch for";
        EXPECT_EQ(std::ranges::count(presets(), entry.id, &PresetEntry::id), 0) << entry.id << " is a preset's name";
        EXPECT_GT(open_scene(scene.scene).bodies.size(), 0u) << entry.id;
        const EngineConfig config = scene.engine_here();
        EXPECT_NO_THROW(engine(config.engine, config.backend)) << entry.id;
    }
}

}  // namespace
}  // namespace orrery::test
