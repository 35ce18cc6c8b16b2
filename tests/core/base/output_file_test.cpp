// SPDX-License-Identifier: MIT
#include "core/base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path{testing::TempDir()} / testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    static std::string content(const fs::path& path) {
        std::ostringstream text;
        text << std::ifstream{path}.rdbuf();
        return text.str();
    }
    static void put(const fs::path& path, std::string_view text) {
        OutputFile file{path};
        file.write(text);
        file.commit();
    }
    fs::path folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenComplete) {
    const fs::path path = folder_ / "out.txt";
    {
        OutputFile file{path};
        file.write("half");
        EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_TRUE(fs::is_empty(folder_)) << "an abandoned file leaves nothing behind";
    OutputFile file{path};
    file.write("whole");
    file.commit();
    std::string text;
    std::ifstream{path} >> text;
    EXPECT_EQ(text, "whole");
    EXPECT_EQ(std::distance(fs::directory_iterator{folder_}, {}), 1);
}

TEST_F(OutputFileTest, RemovesTemporaryFilesOfDeadProcesses) {
    const fs::path path = folder_ / "out.txt";
    const pid_t dead = fork();
    if (dead == 0) _exit(0);
    ASSERT_EQ(waitpid(dead, nullptr, 0), dead);
    const auto partial = [&](pid_t process) { return folder_ / (".out." + std::to_string(process) + ".partial.txt"); };
    const fs::path others = folder_ / (".other." + std::to_string(dead) + ".partial.txt");
    for (const fs::path& file : {partial(dead), partial(getppid()), others}) std::ofstream{file} << "half";
    Destination{path}.require_writable();
    EXPECT_FALSE(fs::exists(partial(dead)));
    EXPECT_TRUE(fs::exists(partial(getppid()))) << "its process is alive";
    EXPECT_TRUE(fs::exists(others)) << "it belongs to another output";
}

TEST_F(OutputFileTest, ErrorNamesTheUnwritablePath) {
    const fs::path path = folder_ / "missing" / "out.txt";
    try {
        OutputFile file{path};
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kEnvironment);
        EXPECT_NE(std::string{error.what()}.find(path.string()), std::string::npos) << error.what();
    }
}

/// Links are followed to their target, even one that does not exist yet, and are kept.
TEST_F(OutputFileTest, FollowsLinks) {
    fs::create_directories(folder_ / "far");
    fs::create_symlink("far/there.txt", folder_ / "link");
    fs::create_symlink("link", folder_ / "link-to-link");
    for (const char* text : {"first", "second"}) {
        put(folder_ / "link-to-link", text);
        EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
        EXPECT_TRUE(fs::is_symlink(folder_ / "link-to-link"));
        EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "far/there.txt")));
        EXPECT_EQ(content(folder_ / "far/there.txt"), text);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator{folder_ / "far"}, {}), 1) << "a temporary file was left";
}

TEST_F(OutputFileTest, WritesThroughAFifo) {
    const fs::path path = folder_ / "fifo";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    Destination{path}.require_writable();  // must not wait for the reader
    std::string read;
    std::thread reader{[&] { read = content(path); }};
    put(path, "through");
    reader.join();
    EXPECT_EQ(read, "through");
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(OutputFileTest, DoesNotReplaceADevice) {
    put("/dev/null", "nothing");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    fs::create_symlink("/dev/null", folder_ / "link");
    put(folder_ / "link", "nothing");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_THROW(put("/dev/full", "more than fits"), Error);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, KeepsModeOfReplacedFile) {
    const fs::path path = folder_ / "out.txt";
    const mode_t mask = umask(022);
    put(path, "new");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms{0644});
    for (const fs::perms mode : {fs::perms{0600}, fs::perms{0664}}) {
        fs::permissions(path, mode);
        put(path, "again");
        EXPECT_EQ(fs::status(path).permissions(), mode);
    }
    umask(mask);
}

/// A symbolic link planted by another user under the temporary name must not be followed.
TEST_F(OutputFileTest, DoesNotFollowAPlantedSymlink) {
    put(folder_ / "treasure", "gold");
    const fs::path path = folder_ / "out.txt";
    fs::create_symlink("treasure", Destination{path}.temporary());
    put(path, "mine");
    EXPECT_EQ(content(folder_ / "treasure"), "gold");
    EXPECT_EQ(content(path), "mine");
    EXPECT_FALSE(fs::is_symlink(path));
}

TEST_F(OutputFileTest, WritesMoreThanItsBuffer) {
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i) + (i % 1000 == 0 ? "\n" : " ");
    OutputFile file{folder_ / "out.txt", Durable::kYes};
    for (std::size_t at = 0, size = 1; at < text.size(); at += size, size = size * 3 % 700'001)
        file.write(std::string_view{text}.substr(at, size));
    file.commit();
    EXPECT_EQ(content(folder_ / "out.txt"), text);
}

TEST_F(OutputFileTest, IsLockedWhileBeingWritten) {
    const fs::path path = folder_ / "table.csv";
    {
        const Descriptor mine = lock_output(path);
        EXPECT_THROW(lock_output(path), Error);
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_TRUE(lock_output(path));
    EXPECT_TRUE(lock_output("/dev/null")) << "devices are not locked";
    EXPECT_TRUE(lock_output("/dev/null"));
}

TEST_F(OutputFileTest, ReadAtStopsAtEndOfFile) {
    put(folder_ / "ten", "0123456789");
    const Descriptor file{::open((folder_ / "ten").c_str(), O_RDONLY | O_CLOEXEC)};
    std::string into(4, ' ');
    const auto bytes = std::as_writable_bytes(std::span{into});
    EXPECT_EQ(read_at(file.get(), 3, bytes), 4u);
    EXPECT_EQ(into, "3456");
    EXPECT_EQ(read_at(file.get(), 8, bytes), 2u);
    EXPECT_EQ(into, "8956");
    EXPECT_EQ(read_at(file.get(), 10, bytes), 0u);
    EXPECT_EQ(read_at(file.get(), 0, {}), 0u);
    EXPECT_EQ(read_at(-1, 0, bytes), std::nullopt);
    EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace orrery::test
