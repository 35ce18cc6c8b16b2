// SPDX-License-Identifier: MIT
#include "app/serve/viewers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <vector>

namespace orrery {
namespace {

const Hello kJpeg{kServeVersion, false, {800, 600, 1}}, kH264{kServeVersion, true, {800, 600, 1}};

SharedPicture picture(PictureCodec codec, bool key, std::uint32_t serial) {
    auto made = std::make_shared<EncodedPicture>();
    made->header = {codec, key, serial, 0, 0, 800, 600};
    made->bytes.resize(EncodedPicture::kRoom + 100);
    return made;
}

/// Serial of the next frame for this viewer, skipping messages; 0 if there is none.
std::uint32_t next_picture(Viewers& viewers, std::uint32_t id) {
    while (const auto next = viewers.next(id))
        if (const auto* found = std::get_if<SharedPicture>(&*next)) return (*found)->header.serial;
    return 0;
}

TEST(Viewers, FirstIsControllerUntilAnotherTakesOver) {
    Inbox inbox;
    Viewers viewers{{}, inbox};
    const auto a = viewers.join(kJpeg).value(), b = viewers.join(kJpeg).value();
    EXPECT_TRUE(viewers.is_controller(a));
    inbox.take();
    viewers.input(b, Typed{"b"});
    EXPECT_TRUE(inbox.take().empty());
    viewers.take_over(b);
    viewers.input(a, Typed{"a"});
    viewers.input(b, Typed{"b"});
    const auto inputs = inbox.take();
    ASSERT_EQ(inputs.size(), 3u);
    EXPECT_TRUE(std::holds_alternative<LetGo>(inputs[0].event));
    EXPECT_TRUE(std::holds_alternative<ViewerSize>(inputs[1].event));
    EXPECT_EQ(std::get<Typed>(inputs[2].event).text, "b");
    EXPECT_EQ(inputs[2].count, 2u);
    viewers.leave(b);
    EXPECT_FALSE(viewers.is_controller(a));
    EXPECT_TRUE(viewers.is_controller(viewers.join(kJpeg).value()));
}

TEST(Viewers, AreNotifiedWhenThereIsNoController) {
    Inbox inbox;
    Viewers viewers{{}, inbox};
    const auto a = viewers.join(kJpeg).value(), b = viewers.join(kJpeg).value();
    viewers.leave(a);
    std::string last;
    while (const auto next = viewers.next(b)) last = std::get<std::string>(*next);
    EXPECT_EQ(last, role_message(false, 1, false));
    EXPECT_NE(last, role_message(false, 1, true));
}

TEST(Viewers, RespectTheirMaximumNumber) {
    Inbox inbox;
    Viewers viewers{{.viewers = 1}, inbox};
    ASSERT_TRUE(viewers.join(kJpeg));
    EXPECT_FALSE(viewers.join(kJpeg));
}

/// The encoder's thread may call count() while a viewer joins, so count() must not wait for the change callback.
TEST(Viewers, CanBeCountedInTheChangeCallback) {
    Inbox inbox;
    Viewers viewers{{}, inbox};
    std::vector<std::size_t> counts;
    const auto ask = [&] {
        auto count = std::async(std::launch::async, [&] { return viewers.count(); });
        EXPECT_EQ(count.wait_for(std::chrono::minutes{1}), std::future_status::ready) << "a deadlock";
        counts.push_back(count.get());
    };
    viewers.when_changed([] {}, ask);
    const auto first = viewers.join(kJpeg).value();
    viewers.join(kJpeg);
    viewers.shown(first, 0);
    viewers.leave(first);
    EXPECT_EQ(viewers.count(), 1u);
    EXPECT_EQ(counts, (std::vector<std::size_t>{1, 2, 2}));
}

TEST(Viewers, OfH264StartWithAKeyFrameAlsoAfterAGap) {
    Inbox inbox;
    Viewers viewers{{}, inbox};
    const auto controller = viewers.join(kH264).value(), other = viewers.join(kH264).value();
    EXPECT_TRUE(viewers.demand().key);
    viewers.publish(picture(PictureCodec::kH264, false, 1), Viewers::For::kAll);
    EXPECT_EQ(next_picture(viewers, controller), 0u);
    viewers.publish(picture(PictureCodec::kH264, true, 2), Viewers::For::kAll);
    EXPECT_EQ(next_picture(viewers, controller), 2u);
    viewers.publish(picture(PictureCodec::kH264, false, 3),
                    Viewers::For::kAll);  // `other` missed the last
    EXPECT_EQ(next_picture(viewers, controller), 3u);
    EXPECT_EQ(next_picture(viewers, other), 2u);
    viewers.publish(picture(PictureCodec::kH264, false, 4), Viewers::For::kAll);
    EXPECT_EQ(next_picture(viewers, other), 0u);
    viewers.publish(picture(PictureCodec::kH264, true, 5), Viewers::For::kAll);
    EXPECT_EQ(next_picture(viewers, other), 5u);
}

TEST(Viewers, OfJpegGetTheLatestMissedFrame) {
    Inbox inbox;
    Viewers viewers{{.h264 = false}, inbox};
    const auto a = viewers.join(kH264).value();  // cannot be encoded
    EXPECT_TRUE(viewers.demand().jpeg);
    EXPECT_TRUE(viewers.demand().again);
    viewers.publish(picture(PictureCodec::kJpeg, true, 1), Viewers::For::kAll);
    EXPECT_EQ(next_picture(viewers, a), 1u);
    EXPECT_FALSE(viewers.demand().again);
    const auto b = viewers.join(kJpeg).value();
    EXPECT_TRUE(viewers.demand().again);
    viewers.publish(picture(PictureCodec::kJpeg, true, 2), Viewers::For::kBehind);
    EXPECT_EQ(next_picture(viewers, a), 0u);
    EXPECT_EQ(next_picture(viewers, b), 2u);
}

TEST(Viewers, StallWithTooManyUnreadMessages) {
    Inbox inbox;
    Viewers viewers{{}, inbox};
    const auto id = viewers.join(kJpeg).value();
    EXPECT_FALSE(viewers.stalled(id, 10));
    for (int i = 0; i < 100; ++i) viewers.send_to_all(notice_message("word"));
    EXPECT_TRUE(viewers.stalled(id, 10));
}

TEST(Inbox, KeepsOnlyTheLatestMousePosition) {
    Inbox inbox;
    for (int x = 0; x < 10; ++x) inbox.add({PointerMoved{x, 0}});
    inbox.add({PointerButton{0, true, 9, 0}});
    inbox.add({PointerMoved{20, 0}});
    const auto inputs = inbox.take();
    ASSERT_EQ(inputs.size(), 3u);
    EXPECT_EQ(std::get<PointerMoved>(inputs[0].event).x, 9);
    for (std::size_t i = 0; i < 2 * Inbox::kMost; ++i) inbox.add({Typed{"x"}});
    inbox.add({LetGo{}});
    EXPECT_EQ(inbox.take().size(), Inbox::kMost + 1);
}

}  // namespace
}  // namespace orrery
