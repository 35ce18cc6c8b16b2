// SPDX-License-Identifier: MIT
#include "app/serve/encoding.hpp"

#include <fmt/format.h>
#include <turbojpeg.h>

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
constexpr double kMostBitsPerPixel = 0.15;             // of H.264, per frame; more makes no visible difference
constexpr std::chrono::milliseconds kPollInterval{5};  // polling interval while a frame waits for a viewer

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

void Encoding::add(CapturedFrame frame) {
    {
        const std::lock_guard lock{mutex_};
        waiting_ = std::move(frame);
    }
    changed_.notify_all();
}

void Encoding::wake() {
    {
        const std::lock_guard lock{mutex_};
        needs_redraw_ = true;
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
    const bool pending = (jpeg_due_ || h264_due_ || lacking_ || waiting_) && viewers_.count() > 0;
    const auto due = [&] { return stop_ || needs_redraw_; };
    // With nothing to send, polling is pointless.
    if (pending)
        changed_.wait_for(lock, kPollInterval, due);
    else
        changed_.wait(lock, [&] { return due() || (waiting_ && viewers_.count() > 0); });
    needs_redraw_ = false;
    return !stop_;
}

void Encoding::encode(const Viewers::Demand& demand) {
    if (demand.jpeg || demand.h264) {
        const std::lock_guard lock{mutex_};
        if (waiting_) {
            frame_ = std::move(*waiting_);
            waiting_.reset();
            jpeg_due_ = demand.jpeg_rate > 0, h264_due_ = demand.h264_rate > 0;
        }
    }
    if (!frame_.image) return;
    lacking_ = demand.soon;
    if (demand.jpeg && (jpeg_due_ || demand.again)) encode_jpeg(demand.jpeg_rate);
    if (demand.h264 && (h264_due_ || demand.key)) encode_h264(demand.h264_rate, demand.key);
    scale_ = fidelity_.scale();
}

/// `bytes`: reserved room for the headers, then the encoded frame.
void Encoding::publish(PictureCodec codec, bool key, std::vector<std::uint8_t> bytes, Time start, Viewers::For whom) {
    auto picture = std::make_shared<EncodedPicture>();
    picture->header = {codec, key, ++serial_, frame_.controller, frame_.inputs, frame_.width, frame_.height};
    std::ranges::copy(header_bytes(picture->header), bytes.begin() + EncodedPicture::kRoom);
    picture->costs = frame_.costs;
    picture->drawn = frame_.drawn;
    picture->made = Viewers::Clock::now();
    picture->costs.encode = seconds_of(picture->made - start);
    picture->bytes = std::move(bytes);
    viewers_.publish(picture, whom);
}

void Encoding::encode_jpeg(double rate) {
    const auto start = Viewers::Clock::now();
    std::vector<std::uint8_t> bytes(kHeaders);
    jpeg_.encode(*frame_.image, fidelity_.quality(), bytes);
    fidelity_.made_jpeg(bytes.size(), rate);
    const auto whom = std::exchange(jpeg_due_, false) ? Viewers::For::kAll : Viewers::For::kBehind;
    publish(PictureCodec::kJpeg, true, std::move(bytes), start, whom);
}

void Encoding::encode_h264(double rate, bool key) {
    const auto start = Viewers::Clock::now();
    const int width = frame_.image->width, height = frame_.image->height;
    const double bits = std::min(rate, most_bits(width, height));
    if (!h264_ || width != h264_width_ || height != h264_height_) {
        h264_ = video_library()->make_live({width, height, kExpectedFps, bits});
        h264_width_ = width, h264_height_ = height;
        key = true;
    }
    std::vector<std::uint8_t> bytes(kHeaders);
    const bool is_key = h264_->encode(*frame_.image, key, bits, bytes);
    fidelity_.take_rate(rate, width, height);
    h264_due_ = false;
    publish(PictureCodec::kH264, is_key, std::move(bytes), start, Viewers::For::kAll);
}

struct JpegEncoder::State {
    tjhandle handle = tjInitCompress();
    unsigned char* bytes = nullptr;  // allocated by libjpeg-turbo, which resizes it
    unsigned long size = 0;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        tjFree(bytes);
        if (handle) tjDestroy(handle);
    }
};

JpegEncoder::JpegEncoder() : state_{std::make_unique<State>()} {
    if (!state_->handle) environment_error(fmt::format("JPEG: {}", tjGetErrorStr2(nullptr)));
}

JpegEncoder::~JpegEncoder() = default;

void JpegEncoder::encode(const Image& image, int quality, std::vector<std::uint8_t>& into) {
    State& s = *state_;
    if (tjCompress2(s.handle, image.rgba.data(), image.width, 0, image.height, TJPF_RGBA, &s.bytes, &s.size, TJSAMP_420,
                    quality, TJFLAG_FASTDCT) != 0)
        environment_error(fmt::format("JPEG: {}", tjGetErrorStr2(s.handle)));
    into.insert(into.end(), s.bytes, s.bytes + s.size);
}

}  // namespace orrery
