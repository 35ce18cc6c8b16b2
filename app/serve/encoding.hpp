// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/record/live_encoder.hpp"
#include "app/render/image.hpp"
#include "app/serve/fidelity.hpp"
#include "app/serve/jpeg.hpp"
#include "app/serve/viewers.hpp"

namespace orrery {

/// A finished picture of the window and what is known of it.
struct WindowPhoto {
    SharedImage image;
    int width = 0, height = 0;  ///< of the window
    std::uint32_t driver = 0, inputs = 0;
    PictureCosts costs;
    Viewers::Clock::time_point drawn;
};

/// Encodes the newest picture on a thread of its own, for each codec that somebody takes, as soon as somebody can take
/// it. A picture that comes meanwhile replaces one that waits.
class Encoding {
public:
    explicit Encoding(Viewers& viewers);
    Encoding(const Encoding&) = delete;
    Encoding& operator=(const Encoding&) = delete;
    ~Encoding();

    bool room() const;  ///< no picture waits
    void add(WindowPhoto photo);
    void stir();                                    ///< somebody may be able to take a picture
    double scale() const { return scale_.load(); }  ///< of what is sent, to the window
    /// What ended it, one line; empty while it works.
    std::string failure() const;

    /// Why H.264 cannot be encoded here, one line; empty if it can.
    static std::string why_no_h264();

private:
    void run();
    bool wait();  ///< false: it is to stop
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
    WindowPhoto photo_;  // being encoded, or the last one
    bool jpeg_due_ = false, h264_due_ = false, somebody_lacks_ = false;
    std::uint32_t serial_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<WindowPhoto> waiting_;
    bool stop_ = false, stirred_ = false;
    std::string failure_;
    std::thread thread_;  // last: it uses all of them
};

}  // namespace orrery
