// SPDX-License-Identifier: MIT
// Nothing is lost by one key: confirmation before leaving, autosave and recovery after a crash; and access to written
// files.
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/window/leave/leave_control.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;
using Json = WindowDriver::Json;

TEST(LeaveQuestion, IsAskedIfSomethingIsLostAndEnterIsSafe) {
    EXPECT_FALSE(leave_question({.run_seconds = 10, .steps = 500}).asked());
    EXPECT_FALSE(leave_question({.run_seconds = 7200, .steps = 0}).asked()) << "no step was computed";
    const LeaveQuestion recording = leave_question({.recording = true, .run_seconds = 10, .steps = 500});
    EXPECT_TRUE(recording.asked() && !recording.may_save);
    EXPECT_EQ(recording.enter, LeaveAnswer::kLeave) << "the video is kept anyway";
    for (const AtStake& stake : {AtStake{.run_seconds = 3601, .steps = 500}, AtStake{.edits = true},
                                 AtStake{.recording = true, .edits = true}, AtStake{.lab = true, .edits = true}}) {
        const LeaveQuestion question = leave_question(stake);
        EXPECT_TRUE(question.asked() && question.may_save);
        EXPECT_EQ(question.enter, LeaveAnswer::kSaveAndLeave);
    }
    EXPECT_EQ(leave_question({.lab = true}).enter, LeaveAnswer::kStay);
    EXPECT_TRUE(leave_question({.snapshots = true}).asked());
    const std::string all = leave_question({.recording = true, .run_seconds = 3601, .steps = 1}).text;
    EXPECT_EQ(std::ranges::count(all, '\n'), 1) << "both reasons must be listed: " << all;
}

/// Sets an environment variable that the program inherits, and restores it.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_{name} {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

constexpr double kSecond = 1.0 / 60;  // in minutes; with the clock in steps, 30 frames

class AutosaveTest : public WindowTest {
protected:
    /// Starts a small window with settings that autosave after `minutes`.
    std::unique_ptr<WindowDriver> start(std::vector<std::string> arguments, double minutes, bool gallery = false) {
        fs::create_directories(settings() / "orrery");
        std::ofstream{settings() / "orrery" / "settings.toml"}
            << "[window]\nwidth = 768\nheight = 432\ntext_scale = 0.6\nautosave = " << minutes
            << "\ngallery = " << (gallery ? "true" : "false") << "\n\n[view]\nglow = 0\n";
        auto window = std::make_unique<WindowDriver>(*display(), std::move(arguments), settings());
        window->wait_for_bodies();
        return window;
    }
    fs::path settings() { return scratch() / "settings"; }
    /// The complete checkpoints. The name of one that is being written begins with a dot.
    std::vector<fs::path> complete() {
        std::error_code none;
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator{saves(), none})
            if (entry.is_regular_file() && entry.path().extension() == ".orrery" &&
                !entry.path().filename().string().starts_with('.'))
                files.push_back(entry.path());
        return files;
    }
    std::size_t kept() { return complete().size(); }
    fs::path saves() { return settings() / "orrery" / "autosave"; }
    /// Starts a window with this many bodies and kills it after an autosave.
    void leave_behind(int bodies) {
        auto window = start({"plummer", "--bodies", std::to_string(bodies)}, kSecond);
        window->wait_for("a checkpoint", [](const Json& s) { return s["kept_serial"] >= 1; });
        kill(window->process(), SIGKILL);
        window->exit_code(patience());
    }
    /// Writes an xdg-open that stores its argument in opened(). Returns its folder.
    fs::path write_opener() {
        const fs::path tools = scratch() / "tools";
        fs::create_directories(tools);
        std::ofstream{tools / "xdg-open"} << "#!/bin/sh\nprintf %s \"$1\" > '" << opened().string() << ".new'\nmv '"
                                          << opened().string() << ".new' '" << opened().string() << "'\n";
        fs::permissions(tools / "xdg-open", fs::perms::owner_all);
        return tools;
    }
    fs::path opened() { return scratch() / "seen"; }
    static void close(WindowDriver& window) {
        window.key("Escape");
        ASSERT_EQ(window.exit_code(patience()), 0);
    }
};

TEST_F(AutosaveTest, OffersBodiesOfAKilledWindow) {
    {
        auto window = start({"plummer", "--bodies", "300"}, kSecond);
        window->wait_for("a checkpoint", [](const Json& s) { return s["kept_serial"] >= 1; });
        EXPECT_EQ(kept(), 1u);
        kill(window->process(), SIGKILL);
        window->exit_code(patience());
    }
    ASSERT_EQ(kept(), 1u);
    {
        auto other = start({"plummer", "--bodies", "40"}, 0);
        EXPECT_EQ(other->state("kept"), "") << "an offer despite a given scene";
        close(*other);
    }
    auto window = start({}, 0);
    window->wait_for("an offer", [](const Json& s) { return s["kept"] != ""; });
    window->click("Continue with them");
    window->wait_for("its bodies", [](const Json& s) { return s["bodies"] == 300 && s["kept"] == ""; });
    close(*window);
    EXPECT_EQ(kept(), 0u) << "the run ended normally";
}

TEST_F(AutosaveTest, DiscardedOfferAndCleanExitLeaveNoFiles) {
    {
        auto window = start({"plummer", "--bodies", "300"}, kSecond);
        window->wait_for("two checkpoints", [](const Json& s) { return s["kept_serial"] >= 2; });
        EXPECT_EQ(kept(), 1u) << "one per process";
        window->key("space");
        window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
        // Motion before the pause is saved once more; after that there is nothing to save.
        int before = -1;
        for (int i = 0; i < 20 && window->state("kept_serial") != before; ++i) {
            before = window->state("kept_serial");
            window->wait_frames(140);
        }
        EXPECT_EQ(window->state("kept_serial"), before) << "nothing has changed";
        kill(window->process(), SIGKILL);
        window->exit_code(patience());
    }
    auto window = start({}, kSecond, true);
    window->wait_for("an offer over the gallery",
                     [](const Json& s) { return s["kept"] != "" && s["gallery"]["on"] == true; });
    window->click("Discard them");
    window->wait_for("no offer", [](const Json& s) { return s["kept"] == ""; });
    EXPECT_EQ(kept(), 0u);
    window->key("Escape");
    window->wait_for("a checkpoint of this one", [](const Json& s) { return s["kept_serial"] >= 1; });
    EXPECT_EQ(kept(), 1u);
    close(*window);
    EXPECT_EQ(kept(), 0u);
}

TEST_F(AutosaveTest, OffersOfTwoKilledWindowsStayUntilAnswered) {
    {
        auto one = start({"plummer", "--bodies", "300"}, kSecond),
             other = start({"plummer", "--bodies", "777"}, kSecond);
        for (WindowDriver* window : {one.get(), other.get()}) {
            window->wait_for("a checkpoint", [](const Json& s) { return s["kept_serial"] >= 1; });
            kill(window->process(), SIGKILL);
            window->exit_code(patience());
        }
    }
    {
        auto looks = start({}, 0);
        looks->wait_for("two", [](const Json& s) { return s["kept_files"] == 2; });
        close(*looks);
    }
    EXPECT_EQ(kept(), 2u) << "no offer was answered";
    auto window = start({}, 0);
    window->wait_for("two again", [](const Json& s) { return s["kept_files"] == 2; });
    window->click("Discard them");
    window->wait_for("one", [](const Json& s) { return s["kept_files"] == 1 && s["kept"] != ""; });
    EXPECT_EQ(kept(), 1u);
    window->click("Continue with them");
    window->wait_for("the other", [](const Json& s) {
        return s["kept_files"] == 0 && (s["bodies"] == 300 || s["bodies"] == 777) && s["loading"] == false;
    });
}

TEST_F(AutosaveTest, DamagedFileIsReportedAfterIntactOnes) {
    leave_behind(300);
    const fs::path sound = complete().at(0).filename();
    const fs::path damaged = saves() / "autosave-1-0.orrery";
    fs::copy_file(saves() / sound, damaged);
    std::fstream{damaged, std::ios::in | std::ios::out | std::ios::binary}.seekp(900).write("damage", 6);
    fs::last_write_time(damaged, fs::file_time_type::clock::now() + std::chrono::hours{1});
    auto window = start({}, 0);
    window->wait_for("both", [&](const Json& s) {
        return s["kept_files"] == 2 && fs::path{s["kept"].get<std::string>()}.filename() == sound;
    });
    window->click("Discard this file");
    window->wait_for("one", [](const Json& s) { return s["kept_files"] == 1; });
    EXPECT_FALSE(fs::exists(damaged));
    EXPECT_EQ(kept(), 1u);
}

TEST_F(AutosaveTest, FifoAmongAutosavesDoesNotBlock) {
    leave_behind(300);
    for (const char* name : {"autosave-7-0.orrery.lock", "autosave-7-0.orrery", "autosave-8-0.orrery.lock"})
        ASSERT_EQ(mkfifo((saves() / name).c_str(), 0600), 0);
    fs::copy_file(complete().at(0), saves() / "autosave-8-0.orrery");
    auto window = start({}, 0);
    window->wait_for("the two regular files", [](const Json& s) { return s["kept_files"] == 2; });
}

TEST_F(AutosaveTest, IntervalChangeTakesEffectAtOnce) {
    auto window = start({"plummer", "--bodies", "300"}, 10);
    window->click("Info");
    window->scroll_to("Autosave");
    window->type_into("Autosave", "0.02");
    window->wait_for("a checkpoint", [](const Json& s) { return s["kept_serial"] >= 1; });
}

TEST_F(AutosaveTest, GalleryContinuesTheLastRun) {
    {
        auto window = start({"plummer", "--bodies", "300"}, 10);
        window->wait_for("steps", [](const Json& s) { return s["step"] > 5; });
        close(*window);
    }
    EXPECT_EQ(kept(), 0u);
    auto window = start({}, 10, true);
    window->wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    window->click("Continue the last run");
    window->wait_for("its bodies", [](const Json& s) { return s["bodies"] == 300 && s["gallery"]["on"] == false; });
}

TEST_F(AutosaveTest, FolderOfAWrittenFileOpensWithOneClick) {
    const fs::path tools = write_opener();
    const Environment path{"PATH", tools.string() + ":" + std::getenv("PATH")};
    auto window = open_paused({"plummer", "--bodies", "40"});
    window->key("s");
    window->wait_for("a screenshot", [](const Json& s) { return s["last_screenshot"] != ""; });
    window->click("Open folder");
    window->wait_for("the file manager", [&](const Json&) { return fs::exists(opened()); });
    EXPECT_EQ(bytes_of(opened()), fs::path{window->state("last_screenshot").get<std::string>()}.parent_path().string());
}

TEST_F(AutosaveTest, FinishedVideoPlaysWithOneClick) {
    const fs::path tools = write_opener();
    const Environment path{"PATH", tools.string() + ":" + std::getenv("PATH")};
    auto window = open({"plummer", "--bodies", "40"});
    window->click("Recording");
    window->type_into("Path", "clip.gif");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 2; });
    window->key("r");
    window->click("Play");
    window->wait_for("the player", [&](const Json&) { return fs::exists(opened()); });
    EXPECT_EQ(bytes_of(opened()), (window->folder() / "clip.gif").string());
}

TEST_F(AutosaveTest, VideoHasNoPlayButtonWithoutAPlayer) {
    const Environment path{"PATH", scratch().string()};
    auto window = open({"plummer", "--bodies", "40"});
    window->click("Recording");
    window->type_into("Path", "clip.gif");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 2; });
    window->key("r");
    window->wait_for("the message", [&](const Json&) { return window->shows("Open folder"); });
    EXPECT_FALSE(window->shows("Play"));
}

TEST_F(AutosaveTest, TildeInPathsIsExpanded) {
    const Environment home{"HOME", scratch().string()};
    auto window = open_paused({"plummer", "--bodies", "40"});
    window->click("Setup");
    window->type_into("Save as", "~/mine.toml");
    window->click("Save scene");
    window->wait_for("saved", [](const Json& s) { return s["last_scene"] != ""; });
    EXPECT_TRUE(fs::exists(scratch() / "mine.toml"));
    window->type_into("File", "~/mine.toml");
    window->wait_for("opened", [](const Json& s) {
        return s["scene_file"].get<std::string>().ends_with("mine.toml") && s["bodies"] == 40;
    });
    window->type_into("File", "~/pluto");
    window->wait_for("a refusal in one line",
                     [&](const Json& s) { return s["message"] == (scratch() / "pluto").string() + ": no such file"; });
}

}  // namespace
}  // namespace orrery::test
