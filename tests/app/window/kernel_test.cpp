// SPDX-License-Identifier: MIT
// The page Kernel, by real keys.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "app/window/kernel/kernel_control.hpp"
#include "app/window/kernel/kernel_trials.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/examples.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

/// A map in C++ that assigns the tiles of column 2 to column 1 if `wrong` holds.
std::string box_map(const std::string& wrong) {
    return "//! title = My box\n//! kind = map\n//! language = c++\n#include <orrery/kernel.h>\n"
           "orrery::Grid grid(std::uint32_t rows, const Parameters<double>&) { return {rows, rows}; }\n"
           "orrery::Tile tile(std::uint64_t x, std::uint64_t y, std::uint32_t rows, const Parameters<double>&) {\n"
           "return {std::uint32_t(y), std::uint32_t(" +
           wrong + " && x == 2 ? 1 : x)};\n}\n";
}

/// Newton's force times a factor, which has a parameter of this value.
std::string scaled_force(const std::string& title, double factor) {
    return "//! title = " + title +
           "\n//! kind = pair\n//! language = c++\n//! law = own\n//! parameter factor = " + std::to_string(factor) +
           " [0.5, 2] of the force\n#include <orrery/kernel.h>\ntemplate <class Real>\n"
           "orrery::Pair<Real> pair(Real r2, Real own, Real other, const Parameters<Real>& p) {\n"
           "    const Real y = 1 / std::sqrt(r2);\n    return {p.factor * other * y * y * y, p.factor * other * "
           "y};\n}\n";
}

TEST(FileWatch, ReportsNewContentsAlone) {
    const std::filesystem::path folder = new_folder(), path = folder / "watched";
    // Without truncation: under load, an empty file may last until the watch reads it.
    const auto append = [&](const std::string& text) { std::ofstream{path, std::ios::app} << text; };
    const auto replace = [&](const std::string& text) {
        std::ofstream{folder / "new"} << text;
        std::filesystem::rename(folder / "new", path);
    };
    const auto changed = [&](FileWatch& watch) {
        while (!watch.changed()) std::this_thread::sleep_for(FileWatch::kPeriod / 10);
        return watch.take()->text;
    };
    replace("first");
    FileWatch watch;
    watch.set(path, "first");
    append(" and second");
    EXPECT_EQ(changed(watch), "first and second");
    std::filesystem::remove(path);
    replace("third");
    EXPECT_EQ(changed(watch), "third") << "after it was removed";
    replace("third");  // saved without a change
    replace("fourth");
    EXPECT_EQ(changed(watch), "fourth");
    watch.set(folder / "none", "");
    EXPECT_FALSE(watch.take()) << "of the file before";
    std::filesystem::remove_all(folder);
}

KernelTried result_of(KernelTrials& trials, KernelTrial trial) {
    trials.start(std::move(trial));
    for (;;) {
        if (auto tried = trials.take()) return *tried;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

/// The tests share compiled kernels: each kernel takes the compiler a second.
class KernelWindow : public WindowTest {
protected:
    static void SetUpTestSuite() {
        WindowTest::SetUpTestSuite();
        ::setenv("ORRERY_KERNELS", cache().c_str(), 1);
    }
    static void TearDownTestSuite() {
        ::unsetenv("ORRERY_KERNELS");
        std::filesystem::remove_all(cache());
    }
    void SetUp() override {
        if (const std::string why = why_no_kernel_compiler(); !why.empty()) GTEST_SKIP() << why;
    }
    static const std::filesystem::path& cache() {
        static const std::filesystem::path folder = new_folder();
        return folder;
    }

    std::filesystem::path write(const std::string& name, const std::string& text) {
        const auto path = scratch() / name;
        std::ofstream{path} << text;
        return path;
    }
    /// As editors do: writes a new file, then renames it.
    void replace(const std::filesystem::path& path, const std::string& text) {
        std::ofstream{scratch() / "new"} << text;
        std::filesystem::rename(scratch() / "new", path);
    }
    static Json kernel(const WindowDriver& window) { return window.state("kernel"); }
    static void wait_for(const WindowDriver& window, const std::string& what,
                         const std::function<bool(const Json& kernel)>& wanted) {
        window.wait_for(what, [&](const Json& s) { return s.contains("kernel") && wanted(s["kernel"]); });
    }
    static std::unique_ptr<WindowDriver> open_page(std::vector<std::string> arguments) {
        auto window = open(std::move(arguments));
        window->key("shift+k");
        window->wait_for("the page",
                         [&](const Json& s) { return s["panel"] == "kernel" && s["kernel"]["text"] != ""; });
        return window;
    }
    /// Replaces the text in the editor, which has the keyboard afterwards.
    static void type_text(WindowDriver& window, const std::string& text) {
        window.click("Kernel text");
        window.wait_for_typing();
        window.key("ctrl+a");
        window.key("Delete");
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);) {
            if (!line.empty()) window.type(line);
            window.key("Return");
        }
        wait_for(window, "the text", [&](const Json& k) { return k["text"] == text; });
    }
    static void expect_steps(const WindowDriver& window) {
        const int step = window.state("step");
        window.wait_for("steps", [&](const Json& s) { return s["step"] > step + 3; });
    }
};

TEST_F(KernelWindow, WrongMapOfTheCommandLineOpensThePageWithItsVerdict) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu", "--kernel",
                        write("wrong.cpp", box_map("rows == 5")).string()});
    window->wait_for("the verdict",
                     [](const Json& s) { return s["panel"] == "kernel" && s["kernel"]["map"].is_object(); });
    const Json page = kernel(*window);
    EXPECT_EQ(page["name"], "wrong.cpp");
    EXPECT_EQ(page["map"]["exact"], false);
    EXPECT_EQ(page["map"]["rows"], 5);
    EXPECT_EQ(page["in_use"], false);
    expect_steps(*window);
}

TEST_F(KernelWindow, WrongMapIsReportedWithItsRowsAndTheCorrectedOneIsUsed) {
    auto window = open_page({"plummer", "--bodies", "500", "--backend", "cpu", "--engine", "direct"});
    type_text(*window, box_map("rows == 5"));
    window->key("ctrl+Return");
    wait_for(*window, "a verdict", [](const Json& k) { return k["map"].is_object(); });
    const Json wrong = kernel(*window);
    EXPECT_EQ(wrong["map"]["exact"], false);
    EXPECT_EQ(wrong["map"]["rows"], 5);
    EXPECT_EQ(wrong["map"]["missing"], 3) << "(2, 2), (3, 2), (4, 2)";
    EXPECT_EQ(wrong["map"]["twice"], 4) << "(1, 1) to (4, 1)";
    EXPECT_EQ(wrong["map"]["outside"], 9);
    EXPECT_EQ(wrong["map"]["drawn"], 5);
    EXPECT_EQ(wrong["in_use"], false);
    EXPECT_EQ(window->state("engine"), "direct");
    window->wait_for("its picture", [&](const Json&) { return window->shows("Triangle"); });
    expect_steps(*window);

    type_text(*window, box_map("false"));
    window->key("ctrl+Return");
    wait_for(*window, "its use", [](const Json& k) { return k["in_use"] == true; });
    EXPECT_EQ(window->state("engine"), "half");
    expect_steps(*window);
    wait_for(*window, "all rows and the times", [](const Json& k) {
        return k["map"]["tested"] == 4096 && k["map"]["times"].is_object() && k["exchange"].is_number();
    });
    EXPECT_EQ(kernel(*window)["map"]["exact"], true);
    EXPECT_EQ(kernel(*window)["fault"], "");
    window->wait_for("its picture", [&](const Json&) { return window->shows("Launch grid"); });

    window->scroll_to("To the laboratory");
    window->click("To the laboratory");
    window->wait_for("the laboratory", [](const Json& s) { return s["panel"] == "lab"; });
    window->scroll_to("My box");
    EXPECT_TRUE(window->shows("My box"));
    EXPECT_EQ(window->state()["lab"]["chosen"]["experiment"], "dummy");
    EXPECT_EQ(window->state()["lab"]["chosen"]["backend"], "cpu");
}

TEST_F(KernelWindow, TextSavedByAnotherProgramIsRunAndJudged) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    ASSERT_EQ(kernel(*window)["path"], file.string());
    ASSERT_EQ(window->state("engine"), "kernel");
    replace(file, scaled_force("Second", 1.5));
    wait_for(*window, "its use", [](const Json& k) { return k["bodies_move_by"] == "Second" && k["in_use"] == true; });
    wait_for(*window, "its verdict", [](const Json& k) { return k["force"].is_object() && k["exchange"].is_number(); });
    const Json found = kernel(*window);
    EXPECT_EQ(found["modified"], false);
    EXPECT_EQ(found["force"]["right"], true);
    EXPECT_EQ(found["force"]["compared"], 500);
    RecordProperty("exchange", std::to_string(found["exchange"].get<double>()));
    expect_steps(*window);
}

/// On software OpenGL this takes less than half a second too.
TEST_F(KernelWindow, GlslSavedByAnotherProgramIsRun) {
    const std::string text{example_kernel("newton.glsl")};
    const auto file = write("mine.glsl", text);
    auto window = open_page({"plummer", "--bodies", "200", "--backend", "cpu"});
    window->type_into("Kernel file", file.string());
    wait_for(*window, "the file", [&](const Json& k) { return k["path"] == file.string(); });
    replace(file, text + "// changed\n");
    wait_for(*window, "its use or a reason", [](const Json& k) { return k["in_use"] == true || k["fault"] != ""; });
    const Json found = kernel(*window);
    if (found["in_use"] == false) GTEST_SKIP() << found["fault"];
    EXPECT_EQ(window->state("backend"), "gl");
    wait_for(*window, "its verdict", [](const Json& k) { return k["force"].is_object() && k["exchange"].is_number(); });
    EXPECT_EQ(kernel(*window)["force"]["right"], true);
    RecordProperty("exchange", std::to_string(kernel(*window)["exchange"].get<double>()));
    expect_steps(*window);
}

TEST_F(KernelWindow, LineWithAnErrorIsMarkedAndThePreviousKernelStays) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    std::string broken = scaled_force("Broken", 1);
    broken.replace(broken.find("std::sqrt"), 9, "std::sqrd");
    replace(file, broken);
    wait_for(*window, "the error", [](const Json& k) { return k["fault_line"] == 9; });
    EXPECT_NE(kernel(*window)["fault"].get<std::string>().find("sqrd"), std::string::npos);
    EXPECT_EQ(kernel(*window)["bodies_move_by"], "First");
    expect_steps(*window);
    replace(file, scaled_force("Second", 1.5));
    wait_for(*window, "the mended one", [](const Json& k) { return k["bodies_move_by"] == "Second"; });
    EXPECT_EQ(kernel(*window)["fault"], "");
}

TEST_F(KernelWindow, CrashingKernelIsRefused) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    std::string hostile = scaled_force("Hostile", 1);
    hostile.replace(hostile.find("const Real y"), 0, "*reinterpret_cast<int*>(8) = 1;\n");
    replace(file, hostile);
    wait_for(*window, "the reason", [](const Json& k) { return k["fault"] != ""; });
    EXPECT_NE(kernel(*window)["fault"].get<std::string>().find("signal 11"), std::string::npos)
        << kernel(*window)["fault"];
    EXPECT_EQ(kernel(*window)["bodies_move_by"], "First");
    expect_steps(*window);
}

TEST_F(KernelWindow, ParametersAreSlidersThatRunTheKernel) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    window->point_at("factor", 0.9);
    window->xdotool({"click", "1"});
    wait_for(*window, "another value", [](const Json& k) { return k["in_use"] == true && k["modified"] == true; });
    EXPECT_NE(kernel(*window)["text"].get<std::string>().find("//! parameter factor = 1."), std::string::npos)
        << kernel(*window)["text"];
    EXPECT_EQ(bytes_of(file), scaled_force("First", 1)) << "only Save writes the file";
    // A verdict that arrives meanwhile may move the slider from under the mouse.
    const auto reset = [&] {
        return kernel(*window)["text"].get<std::string>().find("//! parameter factor = 1 [") != std::string::npos;
    };
    for (int i = 0; i < 50 && !reset(); ++i) {
        window->point_at("factor", 0.5);
        window->xdotool({"click", "3"});
        window->wait_frames(5);
    }
    EXPECT_TRUE(reset()) << kernel(*window)["text"];
}

TEST_F(KernelWindow, UnsavedTextIsKeptUntilItIsSavedOrReverted) {
    const std::string first = scaled_force("First", 1);
    const auto file = write("mine.cpp", first), other = write("other.cpp", scaled_force("Other", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    const std::string typed = "//! kind = pair\n";
    type_text(*window, typed);
    window->key("Escape");
    window->wait_for("the end of typing", [](const Json& s) { return s["typing"] == false; });
    EXPECT_EQ(kernel(*window)["text"], typed) << "Esc leaves the editor and keeps its text";
    EXPECT_TRUE(drop_file(window->display(), other, 700, 300));
    window->wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("unsaved changes") != std::string::npos;
    });
    EXPECT_EQ(kernel(*window)["text"], typed);
    window->click("Revert");
    wait_for(*window, "the text of the file", [&](const Json& k) { return k["text"] == first; });
    EXPECT_TRUE(drop_file(window->display(), other, 700, 300));
    wait_for(*window, "the other file", [&](const Json& k) { return k["path"] == other.string(); });
}

TEST_F(KernelWindow, CtrlSSavesTheKernelFromTheEditor) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    const std::string text = scaled_force("Second", 1.5);
    type_text(*window, text);
    window->key("ctrl+s");
    wait_for(*window, "its use", [](const Json& k) { return k["bodies_move_by"] == "Second"; });
    EXPECT_EQ(bytes_of(file), text);
    EXPECT_EQ(kernel(*window)["modified"], false);
    EXPECT_EQ(window->state("last_scene"), "") << "Ctrl + S saves the scene only outside of the editor";
}

TEST_F(KernelWindow, DroppedKernelFileOpensOnThePage) {
    auto window = open({"plummer", "--bodies", "500"});
    const auto file = write("dropped.cpp", scaled_force("First", 1));
    EXPECT_TRUE(drop_file(window->display(), file, 640, 320));
    window->wait_for("the page", [](const Json& s) { return s["panel"] == "kernel"; });
    wait_for(*window, "the file", [&](const Json& k) { return k["path"] == file.string(); });
    EXPECT_EQ(kernel(*window)["in_use"], false) << "it has not been run";
    window->key("F9");
    wait_for(*window, "its use", [](const Json& k) { return k["bodies_move_by"] == "First"; });
}

TEST_F(KernelWindow, IsComparedWithABuiltInEngine) {
    const auto file = write("mine.cpp", scaled_force("Second", 1.5));
    auto window = open({"plummer", "--bodies", "500", "--kernel", file.string()});
    window->key("x");
    window->wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    window->click("Compare");
    window->wait_for("the page", [](const Json& s) { return s["panel"] == "compare"; });
    window->scroll_to("Engine");
    window->choose("Engine", "Direct (all pairs)");
    window->wait_for("a difference",
                     [](const Json& s) { return s["compare"]["engine"] == "direct" && s["compare"]["rms"] > 0; });
    EXPECT_EQ(kernel(*window)["bodies_move_by"], "Second");
}

TEST_F(KernelWindow, WorstBodyIsPicked) {
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open_page({"plummer", "--bodies", "500", "--kernel", file.string()});
    window->key("F9");
    wait_for(*window, "its verdict", [](const Json& k) { return k["force"].is_object(); });
    window->click("Show worst body");
    window->wait_for("its mark", [](const Json& s) { return s["hand"]["markers"].size() == 1; });
}

/// As in a window served to a browser.
TEST_F(KernelWindow, UntrustedTextIsNotCompiled) {
    KernelTrials trials;
    const std::string text = scaled_force("Foreign", 1);
    const KernelTried foreign = result_of(trials, {text, "foreign.cpp", false, {}});
    EXPECT_NE(foreign.fault.text.find("--allow-kernels"), std::string::npos) << foreign.fault.text;
    EXPECT_EQ(result_of(trials, {text, "own.cpp", true, {}}).fault.text, "");
    const std::string example{example_kernel("newton.cpp")};
    EXPECT_EQ(result_of(trials, {example, "newton.cpp", false, {}}).fault.text, "");
}

/// A session contains the text of each kernel, so its replay moves the bodies by them.
TEST_F(KernelWindow, ExchangeWhileRecordingIsReplayed) {
    const auto scene = write("scene.toml",
                             "[scene]\npreset = \"plummer\"\nbodies = 200\n[engine]\nengine = \"direct\"\nbackend = "
                             "\"cpu\"\n[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = "
                             "true\n");
    const auto file = write("mine.cpp", scaled_force("First", 1));
    auto window = open({scene.string()});
    EXPECT_TRUE(drop_file(window->display(), file, 640, 320));
    wait_for(*window, "the file", [&](const Json& k) { return k["path"] == file.string(); });
    window->key("r");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [=](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    recorded(2);
    window->key("F9");
    wait_for(*window, "the first", [](const Json& k) { return k["bodies_move_by"] == "First"; });
    recorded(2);
    replace(file, scaled_force("Second", 1.5));
    wait_for(*window, "the second", [](const Json& k) { return k["bodies_move_by"] == "Second"; });
    recorded(3);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_NE(bytes_of(window->folder() / window->state("session_path").get<std::string>()).find("title = Second"),
              std::string::npos);
    expect_session_replays(*window);
}

}  // namespace
}  // namespace orrery::test
