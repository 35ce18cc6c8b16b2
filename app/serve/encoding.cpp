// SPDX-License-Identifier: MIT
#include "app/serve/encoding.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/record/video.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

using Time = Viewers::Clock::time_point;

constexpr std::size_t kHeaders = EncodedPicture::kRoom + PictureHeader::kBytes;
constexpr int kExpectedFps = 60;
constexpr double kMostBitsPerPixel = 0.15;       // of H.264, a picture; more is not seen
constexpr std::chrono::milliseconds kGlance{5};  // at what may be taken, while a picture waits for somebody

double most_bits(int width, int height) { return kMostBitsPerPixel * width * height * kExpectedFps; }

}  // namespace

std::string Encoding::why_no_h264() {
    const VideoLibrary* library = video_library();
    if (!library) return why_no_video_library();
    try {
        library->make_live({640, 360, kExpectedFps, most_bits(640, 360)});
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

Encoding::Encoding(Viewers& viewers) : viewers_{viewers}, thread_{[this] { run(); }} {}

Encoding::~Encoding() {
    {
        const std::lock_guard lock{mutex_};
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool Encoding::room() const {
    const std::lock_guard lock{mutex_};
    return !waiting_;
}

void Encoding::add(WindowPhoto photo) {
    {
        const std::lock_guard lock{mutex_};
        waiting_ = std::move(photo);
    }
    changed_.notify_all();
}

void Encoding::stir() {
    {
        const std::lock_guard lock{mutex_};
        stirred_ = true;
    }
    changed_.notify_all();
}

std::string Encoding::failure() const {
    const std::lock_guard lock{mutex_};
    return failure_;
}

void Encoding::run() {
    try {
        while (wait()) encode(viewers_.demand());
    } catch (const std::exception& error) {
        const std::lock_guard lock{mutex_};
        failure_ = error.what();
    }
}

bool Encoding::wait() {
    std::unique_lock lock{mutex_};
    const bool pending = (jpeg_due_ || h264_due_ || somebody_lacks_ || waiting_) && viewers_.count() > 0;
    const auto due = [&] { return stop_ || stirred_; };
    // With nothing to send there is nothing to look at by the clock.
    if (pending)
        changed_.wait_for(lock, kGlance, due);
    else
        changed_.wait(lock, [&] { return due() || (waiting_ && viewers_.count() > 0); });
    stirred_ = false;
    return !stop_;
}

void Encoding::encode(const Viewers::Demand& demand) {
    if (demand.jpeg || demand.h264) {
        const std::lock_guard lock{mutex_};
        if (waiting_) {
            photo_ = std::move(*waiting_);
            waiting_.reset();
            jpeg_due_ = demand.jpeg_rate > 0, h264_due_ = demand.h264_rate > 0;
        }
    }
    if (!photo_.image) return;
    somebody_lacks_ = demand.soon;
    if (demand.jpeg && (jpeg_due_ || demand.again)) encode_jpeg(demand.jpeg_rate);
    if (demand.h264 && (h264_due_ || demand.key)) encode_h264(demand.h264_rate, demand.key);
    scale_ = fidelity_.scale();
}

/// `bytes`: room for the headers, then what is encoded.
void Encoding::publish(PictureCodec codec, bool key, std::vector<std::uint8_t> bytes, Time start, Viewers::For whom) {
    auto picture = std::make_shared<EncodedPicture>();
    picture->header = {codec, key, ++serial_, photo_.driver, photo_.inputs, photo_.width, photo_.height};
    std::ranges::copy(header_bytes(picture->header), bytes.begin() + EncodedPicture::kRoom);
    picture->costs = photo_.costs;
    picture->drawn = photo_.drawn;
    picture->made = Viewers::Clock::now();
    picture->costs.encode = seconds_of(picture->made - start);
    picture->bytes = std::move(bytes);
    viewers_.publish(picture, whom);
}

void Encoding::encode_jpeg(double rate) {
    const auto start = Viewers::Clock::now();
    std::vector<std::uint8_t> bytes(kHeaders);
    jpeg_.encode(*photo_.image, fidelity_.quality(), bytes);
    fidelity_.made_jpeg(bytes.size(), rate);
    const auto whom = std::exchange(jpeg_due_, false) ? Viewers::For::kAll : Viewers::For::kWhoLacksIt;
    publish(PictureCodec::kJpeg, true, std::move(bytes), start, whom);
}

void Encoding::encode_h264(double rate, bool key) {
    const auto start = Viewers::Clock::now();
    const int width = photo_.image->width, height = photo_.image->height;
    const double bits = std::min(rate, most_bits(width, height));
    if (!h264_ || width != h264_width_ || height != h264_height_) {
        h264_ = video_library()->make_live({width, height, kExpectedFps, bits});
        h264_width_ = width, h264_height_ = height;
        key = true;
    }
    std::vector<std::uint8_t> bytes(kHeaders);
    const bool is_key = h264_->encode(*photo_.image, key, bits, bytes);
    fidelity_.take_rate(rate, width, height);
    h264_due_ = false;
    publish(PictureCodec::kH264, is_key, std::move(bytes), start, Viewers::For::kAll);
}

}  // namespace orrery
