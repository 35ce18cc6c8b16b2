// SPDX-License-Identifier: MIT
#include "core/base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

namespace orrery {
namespace {

void fill(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "1" / "2");
    std::ofstream{folder / ".hidden"} << "a";
    for (int i = 0; i < 300; ++i) std::ofstream{folder / "1" / "2" / ("long name of file " + std::to_string(i))} << "b";
    std::filesystem::create_directory_symlink("/", folder / "1" / "link");
}

TEST(TemporaryFolder, IsPrivateAndRemovedWithTheObject) {
    std::filesystem::path path;
    {
        const TemporaryFolder folder, other;
        path = folder.path();
        EXPECT_NE(path, other.path());
        struct stat status {};
        ASSERT_EQ(stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700u);
        fill(path);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, RemovalDeletesOnlyItsContents) {
    const TemporaryFolder folder, other;
    fill(folder.path());
    remove_temporary_folders();
    EXPECT_FALSE(std::filesystem::exists(folder.path()));
    EXPECT_FALSE(std::filesystem::exists(other.path()));
    EXPECT_TRUE(std::filesystem::exists("/tmp"));
}

TEST(TemporaryFolder, RemainsWhenAForkedProcessEnds) {
    const TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        remove_temporary_folders();
        raise(SIGTERM);
        _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(TemporaryFolder, IsRemovedWhenASignalEndsTheProcess) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        int ends[2] = {};
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            for (const int each : {SIGINT, SIGTERM, SIGHUP}) std::signal(each, SIG_DFL);
            const TemporaryFolder folder;
            fill(folder.path());
            const std::string path = folder.path();
            if (write(ends[1], path.data(), path.size()) != static_cast<ssize_t>(path.size())) _exit(2);
            raise(signal);
            _exit(1);
        }
        close(ends[1]);
        char path[512] = {};
        EXPECT_GT(read(ends[0], path, sizeof path - 1), 0);
        close(ends[0]);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
        EXPECT_FALSE(std::filesystem::exists(path)) << path;
    }
}

TEST(TemporaryFolder, KeepsExistingSignalHandlers) {
    const auto before = std::signal(SIGHUP, SIG_IGN);
    {
        const TemporaryFolder folder;
        raise(SIGHUP);
        EXPECT_TRUE(std::filesystem::exists(folder.path()));
    }
    std::signal(SIGHUP, before);
}

}  // namespace
}  // namespace orrery
