// SPDX-License-Identifier: MIT
#include "app/record/background_recorder.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <set>

#include "app/record/recorders.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/recording.hpp"
#include "tests/support/read_png.hpp"

namespace orrery::test {
namespace {

/// Calls received by a recorder.
struct Diary {
    std::mutex mutex;
    std::vector<int> added;
    std::set<std::thread::id> preparing;
    int prepared = 0;
    bool finished = false;
};

struct Numbered final : PreparedPicture {
    explicit Numbered(int of) : number{of} {}
    int number;
};

/// A recorder that identifies images by their width. Fails at one of them, either while preparing or while adding.
class Scribe : public Recorder {
public:
    enum class Fails { kNever, kPreparing, kAdding };
    Scribe(Diary& diary, Fails fails, int bad) : diary_{diary}, fails_{fails}, bad_{bad} {}
    std::unique_ptr<PreparedPicture> prepare(const Image& image) const override {
        if (image.width % 3 == 0) std::this_thread::yield();  // let other threads overtake
        const std::lock_guard lock{diary_.mutex};
        diary_.preparing.insert(std::this_thread::get_id());
        ++diary_.prepared;
        if (fails_ == Fails::kPreparing && image.width == bad_) environment_error("there is no memory");
        return std::make_unique<Numbered>(image.width);
    }
    void add(std::unique_ptr<PreparedPicture> picture) override {
        const int number = dynamic_cast<const Numbered&>(*picture).number;
        if (fails_ == Fails::kAdding && number == bad_) environment_error("the disk is full");
        const std::lock_guard lock{diary_.mutex};
        diary_.added.push_back(number);
    }
    void finish() override { diary_.finished = true; }
    std::string description() const override { return "scribe"; }

private:
    Diary& diary_;
    Fails fails_;
    int bad_;
};

SharedImage numbered_image(int number) { return std::make_shared<const Image>(Image{number, 1, {}}); }

std::vector<int> up_to(int end) {
    std::vector<int> numbers;
    for (int i = 0; i < end; ++i) numbers.push_back(i);
    return numbers;
}

class BackgroundRecorderTest : public testing::TestWithParam<unsigned> {
protected:
    EncodingLimits limits() const { return {GetParam(), GetParam() + 3}; }
    Diary diary_;
};

TEST_P(BackgroundRecorderTest, WritesEveryFrameInOrder) {
    BackgroundRecorder recorder{std::make_unique<Scribe>(diary_, Scribe::Fails::kNever, 0), limits()};
    for (int i = 0; i < 500; ++i) recorder.add(numbered_image(i));
    recorder.finish();
    recorder.wait();
    EXPECT_NO_THROW(recorder.rethrow());
    EXPECT_EQ(diary_.added, up_to(500));
    EXPECT_EQ(recorder.written(), 500u);
    EXPECT_TRUE(diary_.finished);
    EXPECT_LE(diary_.preparing.size(), GetParam());
}

TEST_P(BackgroundRecorderTest, FirstFailureEndsTheRecordingWithoutBlocking) {
    for (const auto fails : {Scribe::Fails::kPreparing, Scribe::Fails::kAdding}) {
        Diary diary;
        BackgroundRecorder recorder{std::make_unique<Scribe>(diary, fails, 7), limits()};
        for (int i = 0; i < 200; ++i) recorder.add(numbered_image(i));
        recorder.wait();
        EXPECT_THROW(recorder.rethrow(), Error);
        EXPECT_NO_THROW(recorder.rethrow()) << "reported once";
        EXPECT_EQ(diary.added, up_to(7)) << "exactly the frames before the failure";
        EXPECT_LE(diary.prepared, 7 + static_cast<int>(limits().pictures)) << "too much work after the failure";
        EXPECT_FALSE(diary.finished);
        EXPECT_TRUE(recorder.room());
    }
}

TEST_P(BackgroundRecorderTest, DestructionWithoutFinishLeavesTheFileIncomplete) {
    { BackgroundRecorder{std::make_unique<Scribe>(diary_, Scribe::Fails::kNever, 0), limits()}.add(numbered_image(0)); }
    EXPECT_FALSE(diary_.finished);
}

TEST_P(BackgroundRecorderTest, AcceptsMoreFramesAfterDraining) {
    BackgroundRecorder recorder{std::make_unique<Scribe>(diary_, Scribe::Fails::kNever, 0), limits()};
    for (int i = 0; i < 20; ++i) recorder.add(numbered_image(i));
    recorder.drain();
    EXPECT_EQ(recorder.written(), 20u);
    EXPECT_FALSE(recorder.done());
    recorder.add(numbered_image(20));
    recorder.finish();
    recorder.wait();
    EXPECT_EQ(diary_.added, up_to(21));
}

TEST_P(BackgroundRecorderTest, SequenceEndsBeforeTheFailedFrame) {
    const Folder folder;
    RecorderConfig config;
    config.path = folder / "frames";
    config.width = 64, config.height = 48;
    std::filesystem::create_directories(folder / "frames" / "frame_00005.png");  // a folder in place of a frame
    BackgroundRecorder recorder{make_recorder(config), limits()};
    for (int i = 0; i < 40; ++i) recorder.add(std::make_shared<const Image>(picture(64, 48, i)));
    recorder.wait();
    EXPECT_THAT([&] { recorder.rethrow(); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("frame_00005.png: is a folder")));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder / "frames"}, {}), 6);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(read_png(folder / "frames" / ("frame_0000" + std::to_string(i) + ".png")).rgba,
                  picture(64, 48, i).rgba);
}

INSTANTIATE_TEST_SUITE_P(Threads, BackgroundRecorderTest, testing::Values(1u, 2u, 7u),
                         [](const auto& line) { return std::to_string(line.param); });

TEST(EncodingLimits, KeepThreadsBusyWithinOneGibibyte) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {3840, 2160}, {16384, 16384}}) {
        RecorderConfig config;
        config.width = width, config.height = height;
        const EncodingLimits limits = encoding_limits(config);
        const std::size_t bytes = std::size_t{4} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        EXPECT_GE(limits.threads, 1u);
        EXPECT_GE(limits.pictures, 3u) << "one being drawn, one being encoded and one in between";
        EXPECT_TRUE(limits.pictures == 3 || limits.pictures * bytes <= (std::size_t{1} << 30));
    }
}

}  // namespace
}  // namespace orrery::test
