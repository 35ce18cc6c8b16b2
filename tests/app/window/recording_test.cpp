// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "core/formats/formats.hpp"
#include "core/series/series_index.hpp"
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/read_png.hpp"
#ifdef ORRERY_TEST_VIDEO
#include "tests/app/window/video_frames.hpp"
#endif

namespace orrery::test {
namespace {

/// During its lifetime, processes started by the test cannot write files larger than this, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_{signal(SIGXFSZ, SIG_IGN)} {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, handler_);
    }

private:
    sighandler_t handler_;
    rlimit before_{};
};

std::size_t pictures_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) count += entry.path().extension() == ".png";
    return count;
}

/// Records some frames with the controls of the Recording page, calling `under_way` meanwhile. Returns the second
/// frame.
Image recorded(WindowDriver& window, const std::string& folder, const std::function<void()>& under_way) {
    window.type_into("Path", folder + "/f%04d.png");
    window.click("Start recording");
    window.wait_for("frames",
                    [](const WindowDriver::Json& s) { return s["recording"] == true && s["recorded_frames"] >= 4; });
    under_way();
    window.click("Stop recording");
    window.wait_for("the end", [](const WindowDriver::Json& s) { return s["recording"] == false; });
    return read_png(window.folder() / folder / "f0001.png");
}

int brightness_at(const Image& image, int x, int y) {
    const std::uint8_t* pixel = image.row(y) + 4 * x;
    return std::max({pixel[0], pixel[1], pixel[2]});
}

/// Fraction of the pixels in [x0, x1) × [y0, y1) that differ visibly between two images.
double differing(const Image& a, const Image& b, const std::array<int, 4>& part) {
    int differ = 0;
    for (int y = part[1]; y < part[3]; ++y)
        for (int x = part[0]; x < part[2]; ++x) differ += std::abs(brightness_at(a, x, y) - brightness_at(b, x, y)) > 8;
    return static_cast<double>(differ) / ((part[2] - part[0]) * (part[3] - part[1]));
}

double lit(const Image& image, const std::array<int, 4>& part) {
    int count = 0;
    for (int y = part[1]; y < part[3]; ++y)
        for (int x = part[0]; x < part[2]; ++x) count += brightness_at(image, x, y) > 60;
    return count;
}

/// True if there is text on a uniform background: most pixels have its brightness, and some are much brighter.
testing::AssertionResult has_letters(const Image& image, const std::array<int, 4>& part) {
    std::vector<int> values;
    for (int y = part[1]; y < part[3]; ++y)
        for (int x = part[0]; x < part[2]; ++x) {
            const std::uint8_t* pixel = image.row(y) + 4 * x;  // the mean, because red buttons have white text
            values.push_back((pixel[0] + pixel[1] + pixel[2]) / 3);
        }
    std::ranges::sort(values);
    const int ground = values[values.size() / 2];
    const auto bright = std::ranges::count_if(values, [&](int value) { return value > ground + 80; });
    const double share = static_cast<double>(bright) / static_cast<double>(values.size());
    if (share > 0.003 && share < 0.4) return testing::AssertionSuccess();
    return testing::AssertionFailure() << share << " of the pixels are brighter than the background " << ground;
}

class RecordingWindow : public WindowTest {};

/// Ten frames a second over a path of two seconds: 21 pictures with one at each keyframe, also of bodies at rest.
TEST_F(RecordingWindow, CameraPathIsFilmedFromItsFirstKeyToItsLast) {
    const auto scene = scratch() / "scene.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 200\n[record]\npath = \"path/f%04d.png\"\n"
                            "width = 64\nheight = 48\nfps = 10\n[view]\nglow = 0\n";
    auto window = open_paused({scene.string(), "--backend", "cpu"});
    window->click("Camera");
    window->wait_for("no path", [&](const Json&) { return window->greyed("Film this path"); });
    window->key("k");
    window->wait_for("a key", [](const Json& s) { return s["camera"]["keys"].size() == 1; });
    EXPECT_TRUE(window->greyed("Film this path")) << "one keyframe is no path";
    drag_from(*window, 640, 240, 80, 24, [] {});
    window->wait_for_camera();
    window->key("k");
    window->wait_for("two keys", [](const Json& s) { return s["camera"]["keys"].size() == 2; });
    const double last = window->state("camera_yaw");
    window->click("Film this path");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false && s["recorded_frames"] == 21; });
    EXPECT_EQ(pictures_in(window->folder() / "path"), 21u);
    EXPECT_NEAR(window->state("camera_yaw"), last, 1e-6);
    EXPECT_EQ(window->state("paused"), true);
    EXPECT_EQ(window->state("camera")["playing"], false);
}

/// The scene file comes from elsewhere and names the path; one key starts the recording.
TEST_F(RecordingWindow, RecordingDoesNotOverwriteExistingFiles) {
    const auto scene = scratch() / "scene.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 200\n[record]\npath = \"mine/f%04d.png\"\n"
                            "width = 64\nheight = 48\n[view]\nglow = 0\n";
    auto window = open({scene.string()});
    std::filesystem::create_directory(window->folder() / "mine");
    std::ofstream{window->folder() / "mine" / "f0000.png"} << "mine";
    for (int i = 0; i < 2; ++i) {  // the second time over the first recording, which is the window's own
        window->key("r");
        window->wait_for("frames", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 2; });
        window->key("r");
        window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
        EXPECT_EQ(bytes_of(window->folder() / "mine" / "f0000.png"), "mine");
        EXPECT_FALSE(std::filesystem::exists(window->folder() / "mine" / "f0001.png"));
        EXPECT_TRUE(std::filesystem::exists(window->folder() / "mine" / "f-2-0001.png"));
        EXPECT_FALSE(std::filesystem::exists(window->folder() / "mine" / "f-3-0001.png"));
    }
}

TEST_F(RecordingWindow, PanelsAreRecordedOnRequest) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->click("Recording");
    const Image without = recorded(*window, "without", [] {});
    window->click("Include panels");
    std::map<std::string, std::array<int, 4>> places;
    const Image with = recorded(*window, "with", [&] {
        const Json widgets = window->map()["widgets"];
        for (const auto& [label, place] : widgets.items())
            for (int i = 0; i < 4; ++i) places[label][static_cast<std::size_t>(i)] = place[i];
    });
    ASSERT_EQ(with.width, without.width);
    ASSERT_EQ(with.height, without.height);
    ASSERT_TRUE(places.contains("Stop recording") && places.contains("Screenshot"));
    const auto [left, top, edge, bottom] = places["Screenshot"];  // the sidebar's lowest control
    EXPECT_GT(differing(with, without, {left, 16, edge, bottom}), 0.9) << "the sidebar is missing";
    // With panels, the bodies are centred in the free area; the large figures are on the right.
    const int moved = edge / 2;
    const std::array<int, 4> beside{edge + 40, 16, 3 * with.width / 4, with.height - 120};
    const std::array<int, 4> there{beside[0] - moved, 16, beside[2] - moved, with.height - 120};
    EXPECT_NEAR(lit(with, beside) / lit(without, there), 1, 0.3) << "the bodies are missing";
    int letters_without = 0;
    for (const char* label : {"Look", "View", "Recording", "Stop recording", "Cancel"}) {
        EXPECT_TRUE(has_letters(with, places[label])) << label;
        letters_without += has_letters(without, places[label]);
    }
    EXPECT_LT(letters_without, 4) << "bodies are mistaken for text: the test is not conclusive";
    // Every frame shows the panels of its time: the frame number above the button increases.
    const auto [x0, y0, x1, y1] = places["Stop recording"];
    const std::array<int, 4> number{(x0 + x1) / 3, y0 - (y1 - y0), x1, y0 - 2};
    const Image next = read_png(window->folder() / "with" / "f0002.png");
    EXPECT_TRUE(has_letters(with, number));
    EXPECT_GT(differing(with, next, number), 0);
    EXPECT_LT(differing(with, next, places["Stop recording"]), 0.03)
        << "bodies shine through, but the button must not move";
}

TEST_F(RecordingWindow, FramesAreWrittenOneByOne) {
    auto window = open({"plummer", "--bodies", "500", "--width", "640", "--height", "480"});
    window->key("Tab");  // toggle by keys: this window is too low for the whole panel
    window->key("Tab");
    window->click("Recording");
    window->type_into("Path", "frames/f%04d.png");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 10; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_EQ(window->state("recorded_frames"), pictures_in(window->folder() / "frames"));
    const int step = window->state("step");
    window->wait_for("the simulation to run freely", [&](const Json& s) { return s["step"] > step + 3; });
}

TEST_F(RecordingWindow, CameraMovesAreRecordedWhilePaused) {
    auto window = open_paused({"plummer", "--bodies", "500", "--width", "320", "--height", "240"});
    window->click("Recording");
    window->type_into("Path", "frames/f%04d.png");
    window->key("r");
    window->wait_for("a message", [](const Json& s) {
        return s["recorded_frames"] == 1 && s["message"].get<std::string>().starts_with("The recording waits");
    });
    window->wait_frames(20);
    EXPECT_EQ(window->state("recorded_frames"), 1) << "nothing moves";
    window->xdotool({"mousemove", "270", "100"});
    window->wait_frames(2);
    window->xdotool({"click", "4"});
    window->wait_for("frames of the camera movement", [](const Json& s) { return s["recorded_frames"] >= 5; });
    window->wait_for_camera();
    window->wait_frames(4);
    const int frames = window->state("recorded_frames");
    window->wait_frames(20);
    EXPECT_EQ(window->state("recorded_frames"), frames);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_EQ(frames, pictures_in(window->folder() / "frames"));
}

TEST_F(RecordingWindow, EnginesAreDeterministicWhileRecording) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "auto", "--backend", "cpu"});
    EXPECT_EQ(window->state("deterministic"), false);
    window->click("Recording");
    window->type_into("Path", "frames/f%04d.png");
    window->click("Start recording");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 3 && s["deterministic"] == true; });
    window->key("r");
    window->wait_for("as before", [](const Json& s) { return s["recording"] == false && s["deterministic"] == false; });
}

#ifdef ORRERY_TEST_VIDEO
TEST_F(RecordingWindow, VideoContainsEveryFrame) {
    auto window = open({"plummer", "--bodies", "500", "--width", "641", "--height", "360"});
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 15; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    const Video video = decode(window->folder() / window->state("recording_path").get<std::string>());
    EXPECT_EQ(window->state("recorded_frames"), video.frames);
    EXPECT_EQ(video.width, 640);  // video encoding needs even sizes
    EXPECT_EQ(video.height, 360);
}

TEST_F(RecordingWindow, ClosingTheWindowCompletesTheVideo) {
    auto window = open({"plummer", "--bodies", "500"});
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 5; });
    window->key("Escape");
    const auto asked = [](const Json& s) {
        return s["leave"].get<std::string>().starts_with("A recording is under way");
    };
    window->wait_for("a question", asked);
    window->key("Escape");
    window->wait_for("the window to stay open",
                     [](const Json& s) { return s["leave"] == "" && s["recording"] == true; });
    window->key("Escape");
    window->wait_for("the question again", asked);
    window->xdotool({"key", "Return"});
    ASSERT_EQ(window->exit_code(patience()), 0);
    EXPECT_GE(decode(window->folder() / window->state("recording_path").get<std::string>()).frames, 5);
}
#endif

TEST_F(RecordingWindow, FullDiskEndsOnlyTheRecording) {
    std::unique_ptr<WindowDriver> window;
    {
        const FileSizeLimit limit{60'000};  // a UI map fits, a frame of 20 000 bodies does not
        window = open({"plummer", "--bodies", "20000"});
    }
    window->click("Recording");
    window->type_into("Path", "frames/f%04d.png");
    window->click("Start recording");
    window->wait_for("the failure", [](const Json& s) { return s["message"] != "" && s["recording"] == false; });
    const std::string message = window->state("message");
    EXPECT_NE(message.find("frames"), std::string::npos) << message;
    EXPECT_EQ(pictures_in(window->folder() / "frames"), 0u);
    const int step = window->state("step");
    window->wait_for("the simulation to continue", [&](const Json& s) { return s["step"] > step + 1; });
}

TEST_F(RecordingWindow, RecordingThatCannotStartReportsWhy) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->click("Recording");
    window->type_into("Path", "film.docx");
    window->click("Start recording");
    window->wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("film.docx") != std::string::npos;
    });
    EXPECT_EQ(window->state("recording"), false);
}

/// Same files as from `orrery run --snapshots`.
TEST_F(RecordingWindow, SnapshotSeriesIsWrittenWhileRunning) {
    auto window = open({"plummer", "--bodies", "200", "--backend", "cpu"});
    window->click("Recording");
    window->type_into("Snapshot files", "snap_%02d.csv");
    window->type_into("Steps between", "7");
    window->click("Start snapshots");
    window->wait_for("three files",
                     [](const Json& s) { return s["snapshots"]["on"] == true && s["snapshots"]["written"] >= 3; });
    window->click("Stop snapshots");
    const auto ended = [](const Json& s) { return s["snapshots"]["on"] == false && s["snapshots"]["ending"] == false; };
    window->wait_for("the end", ended);
    const Json snapshots = window->state("snapshots");
    const SeriesIndex index{{window->folder() / "snap_*.csv"}};
    ASSERT_EQ(index.members().size(), snapshots["written"]);
    EXPECT_TRUE(index.notes().empty()) << index.notes().front();
    EXPECT_EQ(index.members().back().path, snapshots["last"].get<std::string>());
    EXPECT_EQ(index.members().front().bodies, 200u);
    const double dt = window->state("dt"), first = index.members().front().time;
    for (std::size_t i = 0; i < index.members().size(); ++i) {
        EXPECT_EQ(index.members()[i].path.filename(), fmt::format("snap_{:02}.csv", i));
        EXPECT_NEAR(index.members()[i].time - first, 7 * static_cast<double>(i) * dt, 1e-9);
    }

    window->click("Start snapshots");  // existing files stay
    window->wait_for("another series", [](const Json& s) { return s["snapshots"]["on"] == true; });
    window->key("bracketright");  // the next preset
    window->wait_for("the end with the scene", ended);
    EXPECT_TRUE(std::filesystem::exists(window->folder() / "snap_-2-00.csv"));
    EXPECT_EQ(SeriesIndex{{window->folder() / "snap_??.csv"}}.members(), index.members());
}

TEST_F(RecordingWindow, FullDiskEndsOnlyTheSnapshotSeries) {
    std::unique_ptr<WindowDriver> window;
    {
        const FileSizeLimit limit{60'000};  // a UI map fits, 20 000 bodies do not
        window = open({"plummer", "--bodies", "20000"});
    }
    window->click("Recording");
    window->type_into("Snapshot files", "snap_%02d.tipsy");
    window->click("Start snapshots");
    window->wait_for("the failure", [](const Json& s) {
        return s["snapshots"]["on"] == false && s["message"].get<std::string>().find("snap_00") != std::string::npos;
    });
    const int step = window->state("step");
    window->wait_for("the simulation to continue", [&](const Json& s) { return s["step"] > step + 20; });
    EXPECT_EQ(window->state("snapshots")["written"], 0);
    EXPECT_FALSE(std::filesystem::exists(window->folder() / "snap_00.tipsy"));
    const std::string told = window->errors(), what = "The series of snapshots has ended";
    EXPECT_NE(told.find(what), std::string::npos) << told;
    EXPECT_EQ(told.find(what), told.rfind(what)) << told;
}

TEST_F(RecordingWindow, VanishedFolderKeepsTheLastCompleteSnapshot) {
    auto window = open({"plummer", "--bodies", "200", "--backend", "cpu"});
    std::filesystem::create_directory(window->folder() / "out");
    window->click("Recording");
    window->type_into("Snapshot files", "out/snap_%d.tipsy");
    window->click("Start snapshots");
    window->wait_for("two files", [](const Json& s) { return s["snapshots"]["written"] >= 2; });
    std::filesystem::rename(window->folder() / "out", window->folder() / "gone");
    window->wait_for("the failure",
                     [](const Json& s) { return s["snapshots"]["on"] == false && s["snapshots"]["ending"] == false; });
    EXPECT_NE(window->state("message").get<std::string>().find("The series of snapshots has ended"), std::string::npos)
        << window->state("message");
    const std::filesystem::path last = window->state("snapshots")["last"].get<std::string>();
    EXPECT_EQ(read_snapshot(window->folder() / "gone" / last.filename()).bodies.size(), 200u);
}

}  // namespace
}  // namespace orrery::test
