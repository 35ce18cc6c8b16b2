// SPDX-License-Identifier: MIT
#include <csignal>
#include <filesystem>

#include "app/scene/session.hpp"
#include "core/engines/menu.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class SessionCommand : public CommandTest {
protected:
    SceneFile start() const {
        SceneFile scene;
        scene.scene.source = "plummer";
        scene.scene.bodies = 500;
        scene.engine.engine = "direct";
        scene.backend = Backend::kCpu;
        scene.engine_given = true;
        scene.record.width = 160, scene.record.height = 90, scene.record.steps_per_frame = 2;
        return scene;
    }
    static EngineConfig engine(const std::string& id, const std::string& map = "lambda") {
        EngineConfig config;
        config.engine = id, config.map = map, config.backend = Backend::kCpu;
        config.tree.keep_accuracy = true;  // for engines with a tree, so that their measurements are repeated too
        return config;
    }
    /// Five switches of engine and map, a camera movement, and another view.
    std::vector<SessionEvent> events() const {
        ViewSettings view;
        view.color_map = "aurora", view.exposure = 0.3f;
        CameraPose pose{{0.1, 0.2, 0.3}, 4.123456789012345, 0.7, 0.25, 0.8};
        return {
            {.picture = 0, .step = 0, .pose = pose},
            {.picture = 1, .step = 2, .actions = {SetEngine{engine("half")}}},
            {.picture = 2, .step = 4, .actions = {SetEngine{engine("half", "rb")}}},
            {.picture = 3, .step = 6, .view = view},
            {.picture = 3, .step = 6, .actions = {SetEngine{engine("tree")}}},
            {.picture = 4, .step = 8, .actions = {SetDt{0.003}, SetIntegrator{"forest-ruth", 0}, SetSoftening{0.01}}},
            {.picture = 5, .step = 10, .actions = {SetEngine{engine("half", "hadouken")}}},
            {.picture = 6, .step = 12, .actions = {SetEngine{engine("reference")}}},
            {.picture = 7, .step = 14, .actions = {SetLaw{PairLaw::kSpline, 0.25, 2.5}}},
            {.picture = 7, .step = 14, .actions = {SetLaw{PairLaw::kGravity, 0, 0}}},
            {.picture = 7,
             .step = 14,
             .actions = {EditBodies{{.kind = EditKind::kAddCluster,
                                     .add = {.count = 40, .mass = 0.3, .radius = 0.1, .position = {1, 0.5, 0}}}}}},
            {.picture = 7,
             .step = 14,
             .actions = {EditBodies{{.kind = EditKind::kThrow, .bodies = {3, 500}, .by = {0, 0, 1}}}}},
            {.picture = 7,
             .step = 14,
             .actions = {EditBodies{{.kind = EditKind::kStir,
                                     .factor = 0.5,
                                     .add = {.radius = 0.5, .position = {0, 0.25, 0}},
                                     .stroke = 3}}}},
            {.picture = 8, .step = 16, .actions = {Undo{}}},
            {.picture = 8, .step = 16, .actions = {Redo{}}},
            {.picture = 8,
             .step = 16,
             .actions = {SetEncounters{{.kind = EncounterKind::kMerge, .density = 20, .restitution = 0.5}}}},
            {.picture = 10, .step = 20, .end = true}};
    }
    void write(const std::string& name) const {
        SessionWriter writer{path(name), start()};
        for (const SessionEvent& event : events()) writer.add(event);
    }
};

TEST_F(SessionCommand, RoundTrips) {
    write("s.toml");
    const Session session = read_session(path("s.toml"));
    EXPECT_EQ(session.start.scene.bodies, 500u);
    EXPECT_EQ(session.pictures(), 10u);
    EXPECT_EQ(session.events, events()) << content(path("s.toml"));
}

TEST_F(SessionCommand, UnreadableSceneIsAnError) {
    SceneRequest bad;
    bad.source = save("bad.csv", "It was a dark and stormy night\n").string();
    SessionWriter writer{path("s.toml"), start()};
    writer.add({.picture = 1, .step = 2, .actions = {LoadScene{bad, {}, {}}}});
    writer.add({.picture = 3, .step = 6, .end = true});
    const Finished finished = orrery({"record", "--session", "s.toml", "-o", "frames/"});
    EXPECT_EQ(finished.code, 2) << finished.err;
    EXPECT_THAT(finished.err, testing::AllOf(testing::HasSubstr("frame 1"), testing::HasSubstr("bad.csv")));
}

TEST_F(SessionCommand, TwoReplaysProduceTheSameFrames) {
    write("s.toml");
    for (const char* pattern : {"a%d.png", "b%d.png"}) {
        const Finished finished = orrery({"record", "--session", "s.toml", "-o", pattern});
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    for (int i = 0; i < 10; ++i) {
        const std::string name = std::to_string(i) + ".png";
        EXPECT_THAT(content(path("a" + name)), testing::StartsWith("\x89PNG")) << i;
        EXPECT_EQ(content(path("a" + name)), content(path("b" + name))) << i;
    }
    EXPECT_FALSE(std::filesystem::exists(path("a10.png")));
}

/// Twenty edits of all kinds, some of them undone and redone, three engines, and mergers.
TEST_F(SessionCommand, ReplaysEditsEnginesAndMergers) {
    std::vector<SessionEvent> events;
    const auto at = [&](std::uint64_t picture, ComputedAction action) {
        events.push_back({.picture = picture, .step = static_cast<std::int64_t>(2 * picture), .actions = {action}});
    };
    std::uint64_t picture = 0;
    for (std::uint32_t i = 0; i < 20; ++i) {
        const EditEntry& entry = edit_kinds()[i % edit_kinds().size()];
        Edit edit{.kind = entry.kind, .factor = 0.5};
        if (entry.adds || entry.brushes)
            edit.add = {.count = 20, .mass = 0.01, .radius = 0.3, .position = {1, 0.1 * i, 0}};
        else
            edit.bodies = {3 * i};
        if (entry.shifts) edit.by = {0, 0.1, 0};
        at(picture, EditBodies{edit});
        if (i % 6 == 5) at(picture, Undo{});
        if (i % 12 == 5) at(picture, Redo{});
        if (i == 7) at(picture, SetEngine{engine("tree")});
        if (i == 14) at(picture, SetEngine{engine("half")});
        if (i % 4 == 3) ++picture;
    }
    at(picture, SetEncounters{{.kind = EncounterKind::kMerge, .density = 5}});
    events.push_back({.picture = picture + 3, .step = static_cast<std::int64_t>(2 * picture + 6), .end = true});
    SessionWriter writer{path("hands.toml"), start()};
    for (const SessionEvent& event : events) writer.add(event);
    for (const char* pattern : {"a%d.png", "b%d.png"}) {
        const Finished finished = orrery({"record", "--session", "hands.toml", "-o", pattern});
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    for (std::uint64_t i = 0; i < picture + 3; ++i) {
        const std::string name = std::to_string(i) + ".png";
        EXPECT_THAT(content(path("a" + name)), testing::StartsWith("\x89PNG")) << i;
        EXPECT_EQ(content(path("a" + name)), content(path("b" + name))) << i;
        if (i > 0) {
            EXPECT_NE(content(path("a" + name)), content(path("a" + std::to_string(i - 1) + ".png"))) << i;
        }
    }
}

/// A comparison from the first frame on: settings, views, a restart, another scene, its end and a second comparison.
TEST_F(SessionCommand, ReplaysAComparisonAndItsSettings) {
    SceneFile begin = start();
    begin.compare = CompareScene{.engine = engine("tree"), .backend = Backend::kCpu, .dt_power = -1};
    begin.compare->engine.backend = EngineConfig{}.backend;
    begin.record.legend = true;
    SceneRequest other;
    other.source = "cold-sphere", other.bodies = 300;
    ViewSettings potential;
    potential.color_mode = "potential";
    const std::vector<SessionEvent> events{
        {.picture = 0, .step = 0, .seen = CompareView{.mode = CompareMode::kWipe, .divider = 0.25f}},
        {.picture = 1, .step = 2, .actions = {SetCompare{CompareSettings{engine("half", "rb"), 0.05, 1}}}},
        {.picture = 2, .step = 4, .actions = {SetEngine{engine("tree")}, SetColorBy{ColorBy::kPotential}}},
        {.picture = 3, .step = 6, .view = potential, .seen = CompareView{.mode = CompareMode::kDifference}},
        {.picture = 3, .step = 6, .actions = {RestartCompare{}}},
        {.picture = 5, .step = 10, .seen = CompareView{.mode = CompareMode::kFlip, .show_b = true}},
        {.picture = 6, .step = 12, .actions = {LoadScene{other}}},
        {.picture = 7, .step = 2, .seen = CompareView{}, .actions = {StopCompare{}}},
        {.picture = 8, .step = 4, .actions = {SetCompare{CompareSettings{engine("reference"), 0, 0}}}},
        {.picture = 10, .step = 8, .end = true}};
    {
        SessionWriter writer{path("s.toml"), begin};
        for (const SessionEvent& event : events) writer.add(event);
    }
    const Session session = read_session(path("s.toml"));
    EXPECT_EQ(session.start.compare, begin.compare) << content(path("s.toml"));
    EXPECT_EQ(session.events, events) << content(path("s.toml"));
    // The same with another softening of B from frame 1 on, and without the comparison.
    std::string text = content(path("s.toml"));
    const std::size_t at = text.find("softening = 0.05");
    ASSERT_NE(at, std::string::npos) << text;
    save("softer.toml", text.substr(0, at) + "softening = 0.5" + text.substr(at + 16));
    begin.compare.reset();
    SessionWriter{path("alone.toml"), begin}.add({.picture = 2, .step = 4, .end = true});
    for (const auto& [file, pattern] : {std::pair{"s.toml", "a%d.png"},
                                        {"s.toml", "b%d.png"},
                                        {"softer.toml", "c%d.png"},
                                        {"alone.toml", "d%d.png"}}) {
        const Finished finished = orrery({"record", "--session", file, "-o", pattern});
        ASSERT_EQ(finished.code, 0) << finished.err;
        EXPECT_EQ(finished.err, "") << file;
    }
    const auto picture = [&](const char* of, int i) { return content(path(of + std::to_string(i) + ".png")); };
    for (int i = 0; i < 10; ++i) {
        EXPECT_THAT(picture("a", i), testing::StartsWith("\x89PNG")) << i;
        EXPECT_EQ(picture("a", i), picture("b", i)) << i;
    }
    EXPECT_EQ(picture("a", 1), picture("c", 1));
    EXPECT_NE(picture("a", 3), picture("c", 3)) << "B's softening makes no difference";
    EXPECT_NE(picture("a", 0), picture("d", 0)) << "B is not in the first frame";
    EXPECT_NE(picture("a", 7), picture("a", 8));
}

TEST_F(SessionCommand, RecordsASceneFileWithAComparison) {
    const std::string scene =
        "[scene]\npreset = \"plummer\"\nbodies = 300\n[engine]\nengine = \"direct\"\nbackend = \"cpu\"\n"
        "[record]\nwidth = 160\nheight = 90\n";
    save("alone.toml", scene);
    save("both.toml",
         scene + "[compare]\nengine = \"tree\"\nbackend = \"cpu\"\ntheta = 1.5\nmode = \"flip\"\nshow_b = true\n");
    save("same.toml", scene + "[compare]\nengine = \"direct\"\nbackend = \"cpu\"\nmode = \"flip\"\nshow_b = true\n");
    for (const char* name : {"alone", "both", "same"}) {
        const std::string file = std::string{name} + ".toml", pattern = std::string{name} + "%d.png";
        const Finished finished = orrery({"record", file, "-o", pattern, "--frames", "3"});
        ASSERT_EQ(finished.code, 0) << finished.err;
    }
    EXPECT_NE(content(path("both2.png")), content(path("same2.png"))) << "B's engine makes no difference";
    EXPECT_NE(content(path("alone2.png")), content(path("same2.png"))) << "B has no caption in the frame";
    save("bad.toml", scene + "[compare]\nmode = \"sideways\"\n");
    expect_error([&] { read_scene_file(path("bad.toml")); }, Blame::kUsage, "bad.toml:11:8", "split, wipe");
}

TEST_F(SessionCommand, TruncatedSessionReplaysUpToItsEnd) {
    write("s.toml");
    const std::string whole = content(path("s.toml"));
    save("cut.toml", whole.substr(0, whole.find("picture = 4") - std::string{"\n[[event]]\n"}.size()));
    const Finished finished = orrery({"record", "--session", "cut.toml", "-o", "c%d.png"});
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_TRUE(std::filesystem::exists(path("c3.png")));
    EXPECT_FALSE(std::filesystem::exists(path("c4.png")));
}

TEST_F(SessionCommand, ErrorsNameTheirPosition) {
    write("s.toml");
    save("bad.toml", content(path("s.toml")) + "\n[[event]]\npicture = 9\n");
    expect_error([&] { read_session(path("bad.toml")); }, Blame::kUsage, "bad.toml:", "nothing after the end");
    save("bad.toml", "[scene]\npreset = \"plummer\"\n[[event]]\npicture = 0\nangle = 3\n");
    expect_error([&] { read_session(path("bad.toml")); }, Blame::kUsage, "bad.toml:5:1", "angle");
    save("bad.toml", "[scene]\npreset = \"plummer\"\n");
    expect_error([&] { read_session(path("bad.toml")); }, Blame::kUsage, "no session");
    EXPECT_EQ(orrery({"record", "-o", "a.png"}).code, 2);
}

TEST_F(SessionCommand, CommandLineOverridesTheSceneFile) {
    save("scene.toml",
         "[scene]\npreset = \"plummer\"\nbodies = 300\n[engine]\nengine = \"half\"\nmap = \"rb\"\n"
         "[record]\nwidth = 96\nheight = 64\nsupersampling = 2\nduration = 0.1\nfps = 30\n");
    const Finished finished = orrery({"record", "scene.toml", "-o", "s%d.png"});
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.out, testing::HasSubstr("3 frames (0.1 s at 30 per second) of 96 × 64"));
    EXPECT_THAT(finished.out, testing::HasSubstr("300 bodies"));
    EXPECT_THAT(finished.out, testing::HasSubstr("by half on"));
    EXPECT_EQ(finished.err.find("panels"), std::string::npos) << finished.err;
    const Finished other =
        orrery({"record", "scene.toml", "--bodies", "200", "--engine", "tree", "--width", "64", "-o", "t%d.png"});
    ASSERT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.out, testing::HasSubstr("of 64 × 64"));
    EXPECT_THAT(other.out, testing::HasSubstr("200 bodies"));
    EXPECT_THAT(other.out, testing::HasSubstr("by tree on"));
}

TEST_F(SessionCommand, NotesThatPanelsAreNotRecorded) {
    save("scene.toml",
         "[scene]\npreset = \"plummer\"\nbodies = 50\n[record]\nwidth = 64\nheight = 64\nduration = 0.02\nui = true\n");
    const Finished finished = orrery({"record", "scene.toml", "-o", "s%d.png"});
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, testing::HasSubstr("record.ui of the scene file: only the window has panels"));
}

TEST_F(SessionCommand, EveryCommandAcceptsSceneFiles) {
    save("scene.toml", "[scene]\npreset = \"plummer\"\nbodies = 300\nseed = 4\n[engine]\nengine = \"tree\"\n");
    EXPECT_EQ(json({"run", "scene.toml", "--steps", "1", "--json"})["bodies"], 300);
    EXPECT_EQ(json({"run", "scene.toml", "--steps", "1", "--json"})["engine"], "tree");
    EXPECT_EQ(json({"run", "scene.toml", "--steps", "1", "--bodies", "50", "--json"})["bodies"], 50);
    EXPECT_EQ(json({"run", "three-bodies", "--steps", "1", "--json"})["bodies"], 3);
    EXPECT_EQ(json({"bench", "scene.toml", "--engines", "direct", "--backend", "cpu", "--json"})[0]["bodies"], 300);
    EXPECT_EQ(json({"check", "scene.toml", "--engines", "direct", "--backend", "cpu", "--json"})[0]["bodies"], 300);
    const Finished wrong = orrery({"run", "nowhere", "--steps", "1"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.error_lines(), 1u);
    EXPECT_THAT(wrong.err, testing::HasSubstr("`orrery list presets`"));
    EXPECT_THAT(orrery({"run", "three-body", "--steps", "1"}).err, testing::HasSubstr("did you mean \"three-bodies\""));
}

}  // namespace
}  // namespace orrery::test
