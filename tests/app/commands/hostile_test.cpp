// SPDX-License-Identifier: MIT
// HDF5 files that crash the library: every command that reads them reports it in one line.
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class HostileFile : public CommandTest {
protected:
    void refuses(const std::vector<std::string>& arguments, const std::string& file) const {
        const Finished finished = orrery(arguments);
        EXPECT_EQ(finished.code, 2) << finished.err;
        EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
        EXPECT_THAT(finished.err, testing::StartsWith("orrery: " + file + ": "));
        EXPECT_THAT(finished.out, testing::IsEmpty());
    }
    std::vector<std::string> copied(const std::string& format, const std::string& extension) const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{ORRERY_CORPUS} / format}) {
            const std::string name = entry.path().filename().string();
            if (!name.starts_with("crash-")) continue;
            names.push_back(name + extension);
            std::filesystem::copy_file(entry.path(), path(names.back()));
        }
        EXPECT_GE(names.size(), 6u);
        return names;
    }
};

TEST_F(HostileFile, SnapshotsAreRefusedByEveryCommand) {
    for (const std::string& file : copied("gadget-hdf5", ".hdf5")) {
        SCOPED_TRACE(file);
        refuses({"convert", file, "out.csv"}, file);
        refuses({"record", file, "-o", "a.png", "--steps", "1"}, file);
        refuses({"run", file, "--steps", "1"}, file);
    }
    EXPECT_FALSE(std::filesystem::exists(path("out.csv")) || std::filesystem::exists(path("a.png")));
}

TEST_F(HostileFile, CheckpointsAreRefused) {
    for (const std::string& file : copied("checkpoint", ".orrery")) {
        SCOPED_TRACE(file);
        refuses({"run", "--resume", file, "--steps", "1"}, file);
    }
}

class LimitedAddressSpace : public CommandTest {};

/// Mesa and the font library crash when an allocation fails.
TEST_F(LimitedAddressSpace, FailsDrawingInOneLine) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer reserves more than any of these limits";
#endif
    for (const int megabytes : {450, 550, 650}) {
        const std::string command = "ulimit -v " + std::to_string(1000 * megabytes) + "; exec " + ORRERY_BINARY +
                                    " record plummer --bodies 100 -o a.png --steps 0 --width 64 --height 64";
        const Finished done = orrery({"-c", command}, {.program = "/bin/bash"});
        EXPECT_EQ(done.code, 3) << megabytes << done.err;
        EXPECT_EQ(done.error_lines(), 1u) << done.err;
        EXPECT_FALSE(std::filesystem::exists(path("a.png")));
    }
}

TEST_F(LimitedAddressSpace, EndsTheWindowBeforeItOpens) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer reserves more than any limit";
#endif
    const std::string command =
        std::string{"ulimit -v 550000; exec "} + ORRERY_BINARY + " plummer --bodies 100 --fresh";
    const Finished done = orrery({"-c", command}, {.program = "/bin/bash"});
    EXPECT_EQ(done.code, 3) << done.err;
    EXPECT_EQ(done.error_lines(), 1u) << done.err;
    EXPECT_THAT(done.err, testing::HasSubstr("MB of address space"));
}

}  // namespace
}  // namespace orrery::test
