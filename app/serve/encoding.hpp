// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/record/video.hpp"
#include "app/render/image.hpp"
#include "app/serve/viewers.hpp"

namespace orrery {

/// JPEG by libjpeg-turbo, with chroma at half the resolution. Its memory is reused.
class JpegEncoder {
public:
    JpegEncoder();
    ~JpegEncoder();
    /// Appends the frame. `quality` from 1 to 100. Throws Error{kEnvironment} if the library fails.
    void encode(const Image& image, int quality, std::vector<std::uint8_t>& into);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A finished frame of the window and its metadata.
struct CapturedFrame {
    SharedImage image;
    int width = 0, height = 0;  ///< of the window
    std::uint32_t controller = 0, inputs = 0;
    PictureCosts costs;
    Viewers::Clock::time_point drawn;
};

/// Encodes the newest frame on a separate thread, for each codec in use, as soon as a viewer can receive it. A newer
/// frame replaces one that waits.
class Encoding {
public:
    explicit Encoding(Viewers& viewers);
    Encoding(const Encoding&) = delete;
    Encoding& operator=(const Encoding&) = delete;
    ~Encoding();

    bool room() const;  ///< no frame waits
    void add(CapturedFrame frame);
    void wake();                                    ///< a viewer may be able to receive a frame
    double scale() const { return scale_.load(); }  ///< size of sent frames relative to the window
    /// The error that stopped the thread, in one line; empty while it runs.
    std::string failure() const;

    /// The reason why H.264 cannot be encoded here, in one line; empty if it can.
    static std::string why_no_h264();

private:
    void run();
    bool wait();  ///< false: stop
    void encode(const Viewers::Demand& demand);
    void publish(PictureCodec codec, bool key, std::vector<std::uint8_t> bytes, Viewers::Clock::time_point start,
                 Viewers::For whom);
    void encode_jpeg(double rate);
    void encode_h264(double rate, bool key);

    Viewers& viewers_;
    JpegEncoder jpeg_;
    std::unique_ptr<LiveEncoder> h264_;
    int h264_width_ = 0, h264_height_ = 0;
    Fidelity fidelity_;
    std::atomic<double> scale_{1};
    CapturedFrame frame_;  // the frame being encoded, or the last one
    bool jpeg_due_ = false, h264_due_ = false, lacking_ = false;
    std::uint32_t serial_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<CapturedFrame> waiting_;
    bool stop_ = false, needs_redraw_ = false;
    std::string failure_;
    std::thread thread_;  // last: it uses all members
};

}  // namespace orrery
