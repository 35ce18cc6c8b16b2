// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/resource.h>

#include "tests/app/window/window_fixture.hpp"
#ifdef ORRERY_TEST_VIDEO
#include "tests/app/window/video_frames.hpp"
#endif

namespace orrery::test {
namespace {

/// As long as it lives, processes that are started cannot write files larger than this: as on a disk that fills up.
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

TEST_F(WindowTest, PicturesAreRecordedOneByOne) {
    auto window = open({"plummer", "--bodies", "500", "--width", "640", "--height", "480"});
    window->key("Tab");  // keys only: this window is too low for the whole panel
    window->key("Tab");
    window->click("Record");
    window->type_into("Path", "frames/f%04d.png");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 10; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_EQ(window->state("recorded_frames"), pictures_in(window->folder() / "frames"));
    const int step = window->state("step");
    window->wait_for("the simulation goes on freely", [&](const Json& s) { return s["step"] > step + 3; });
}

TEST_F(WindowTest, EnginesAreDeterministicWhileRecorded) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "auto", "--backend", "cpu"});
    EXPECT_EQ(window->state("deterministic"), false);
    window->click("Record");
    window->type_into("Path", "frames/f%04d.png");
    window->click("Start recording");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 3 && s["deterministic"] == true; });
    window->key("r");
    window->wait_for("as it was", [](const Json& s) { return s["recording"] == false && s["deterministic"] == false; });
}

#ifdef ORRERY_TEST_VIDEO
TEST_F(WindowTest, VideoHoldsEveryFrame) {
    auto window = open({"plummer", "--bodies", "500", "--width", "641", "--height", "360"});
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 15; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    const Video video = decode(window->folder() / window->state("recording_path").get<std::string>());
    EXPECT_EQ(window->state("recorded_frames"), video.frames);
    EXPECT_EQ(video.width, 640);  // video wants even sizes
    EXPECT_EQ(video.height, 360);
}

TEST_F(WindowTest, ClosingTheWindowCompletesTheVideo) {
    auto window = open({"plummer", "--bodies", "500"});
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 5; });
    window->xdotool({"key", "Escape"});
    ASSERT_EQ(window->exit_code(Seconds{10 * slowness()}), 0);
    EXPECT_GE(decode(window->folder() / window->state("recording_path").get<std::string>()).frames, 5);
}
#endif

TEST_F(WindowTest, FullDiskEndsTheRecordingAndNothingElse) {
    std::unique_ptr<WindowDriver> window;
    {
        const FileSizeLimit limit{60'000};  // a map fits, a picture of 20 000 bodies does not
        window = open({"plummer", "--bodies", "20000"});
    }
    window->click("Record");
    window->type_into("Path", "frames/f%04d.png");
    window->click("Start recording");
    window->wait_for("the failure", [](const Json& s) { return s["message"] != "" && s["recording"] == false; });
    const std::string message = window->state("message");
    EXPECT_NE(message.find("frames"), std::string::npos) << message;
    EXPECT_EQ(pictures_in(window->folder() / "frames"), 0u);
    const int step = window->state("step");
    window->wait_for("the simulation goes on", [&](const Json& s) { return s["step"] > step + 1; });
}

TEST_F(WindowTest, RecordingThatCannotBeginSaysWhy) {
    auto window = open({"plummer", "--bodies", "500"});
    window->click("Record");
    window->type_into("Path", "film.docx");
    window->click("Start recording");
    window->wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("film.docx") != std::string::npos;
    });
    EXPECT_EQ(window->state("recording"), false);
}

}  // namespace
}  // namespace orrery::test
