// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/record/background_recorder.hpp"
#include "app/record/picture_maker.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/recording.hpp"

namespace orrery::test {
namespace {

TEST(Supersampling, IsTheMeanOfEachSquare) {
    const Image large{4, 2, {10, 0, 0, 255, 20, 0, 0, 255, 100, 0, 0, 255, 101, 0, 0, 255,    // upper row
                             30, 0, 0, 255, 40, 0, 0, 255, 102, 0, 0, 255, 103, 0, 0, 255}};  // lower row
    Image small;
    shrink(large, 2, small);
    EXPECT_EQ(small.width, 2);
    EXPECT_EQ(small.height, 1);
    EXPECT_EQ(small.rgba, (std::vector<std::uint8_t>{25, 0, 0, 255, 102, 0, 0, 255}));
}

/// Takes pictures slowly, and fails at one of them.
class Slow : public Recorder {
public:
    Slow(int& taken, bool& finished, int bad) : taken_{taken}, finished_{finished}, bad_{bad} {}
    void add(const Image& image) override {
        EXPECT_EQ(image.width, taken_) << "pictures come in their order";
        if (taken_ == bad_) environment_error("the disk is full");
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
        ++taken_;
    }
    void finish() override { finished_ = true; }
    std::string description() const override { return "slow"; }

private:
    int& taken_;
    bool& finished_;
    int bad_;
};

TEST(BackgroundRecorder, DropsNothingAndKeepsTheOrder) {
    int taken = 0;
    bool finished = false;
    BackgroundRecorder recorder{std::make_unique<Slow>(taken, finished, -1)};
    for (int i = 0; i < 50; ++i) recorder.add({i, 1, {}});
    recorder.finish();
    recorder.wait();
    EXPECT_NO_THROW(recorder.rethrow());
    EXPECT_EQ(taken, 50);
    EXPECT_EQ(recorder.written(), 50u);
    EXPECT_TRUE(finished);
}

TEST(BackgroundRecorder, HandsOnWhatWentWrongAndHoldsNobodyUpAfterwards) {
    int taken = 0;
    bool finished = false;
    BackgroundRecorder recorder{std::make_unique<Slow>(taken, finished, 3)};
    for (int i = 0; i < 50; ++i) recorder.add({i, 1, {}});
    recorder.wait();
    EXPECT_THROW(recorder.rethrow(), Error);
    EXPECT_NO_THROW(recorder.rethrow()) << "told once";
    EXPECT_EQ(taken, 3);
    EXPECT_FALSE(finished);
    EXPECT_TRUE(recorder.room());
}

TEST(BackgroundRecorder, WithoutAnEndTheFileIsNotCompleted) {
    int taken = 0;
    bool finished = false;
    { BackgroundRecorder{std::make_unique<Slow>(taken, finished, -1)}.add({0, 1, {}}); }
    EXPECT_FALSE(finished);
}

}  // namespace
}  // namespace orrery::test
