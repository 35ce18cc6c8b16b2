// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/output_file.hpp"
#include "core/base/triple_buffer.hpp"

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
    fs::path folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenItIsWhole) {
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

TEST_F(OutputFileTest, NamesThePathThatCannotBeWritten) {
    const fs::path path = folder_ / "missing" / "out.txt";
    try {
        OutputFile file{path};
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kEnvironment);
        EXPECT_NE(std::string{error.what()}.find(path.string()), std::string::npos) << error.what();
    }
}

TEST(TripleBuffer, GivesTheNewestAndNeverTornValues) {
    struct Pair {
        long a = 0, b = 0;
    };
    TripleBuffer<Pair> buffer;
    constexpr long last = 200'000;
    std::jthread writer{[&] {
        for (long i = 1; i <= last; ++i) {
            buffer.back() = {i, -i};
            buffer.publish();
        }
    }};
    long seen = 0;
    while (seen < last) {
        if (!buffer.update()) continue;
        const Pair pair = buffer.front();
        ASSERT_EQ(pair.a, -pair.b);
        ASSERT_GT(pair.a, seen);
        seen = pair.a;
    }
    EXPECT_FALSE(buffer.update());
}

}  // namespace
}  // namespace orrery::test
