// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/record/recorders.hpp"

namespace orrery {

/// Time spent in the stages of a recording, in seconds, in total or per frame. Stages overlap: `encode` runs on other
/// threads, `copy` on the device if a GPU draws.
struct StageTimes {
    double frame = 0;   ///< from one frame to the next
    double step = 0;    ///< taking steps
    double draw = 0;    ///< passing the bodies to OpenGL and drawing; if a GPU draws, issuing the commands
    double copy = 0;    ///< copying frames to the host
    double encode = 0;  ///< compressing and writing, on all threads together
    double wait = 0;    ///< for frames in flight, and for room in the encoder's queue

    StageTimes over(std::uint64_t pictures) const {
        const double n = pictures > 0 ? static_cast<double>(pictures) : 1;
        return {frame / n, step / n, draw / n, copy / n, encode / n, wait / n};
    }
};

/// Adds its lifetime to a stage.
class StageClock {
public:
    explicit StageClock(double& stage) : stage_{stage} {}
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;
    ~StageClock() { stage_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& stage_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Number of frames of `bytes` each that are encoded concurrently, and maximum number in memory.
struct EncodingLimits {
    unsigned threads = 1;
    std::size_t pictures = 4;
};
/// One thread per core, at most sixteen, and enough frames of this size to keep them busy, in at most a gibibyte.
EncodingLimits encoding_limits(const RecorderConfig& config);

/// Runs a recorder on separate threads, so that encoding does not block. Several frames are prepared concurrently and
/// added in order. None is dropped: the caller waits for room(). After the first failure no frame is added.
class BackgroundRecorder {
public:
    BackgroundRecorder(std::unique_ptr<Recorder> recorder, EncodingLimits limits);
    BackgroundRecorder(const BackgroundRecorder&) = delete;
    BackgroundRecorder& operator=(const BackgroundRecorder&) = delete;
    /// Without finish(), behaves like a recorder destroyed without it.
    ~BackgroundRecorder();

    bool room() const;
    /// Waits until there is room.
    void add(SharedImage image);
    /// No more frames: writes the pending ones, then completes the file. Does not wait.
    void finish();
    bool done() const;              ///< the file is complete, or the recorder has failed
    std::uint64_t written() const;  ///< number of frames passed to the recorder
    void wait();                    ///< until done
    void drain();                   ///< until all frames so far are written, or the recorder has failed
    /// Throws what the recorder threw, once.
    void rethrow();
    /// Total seconds that its threads have spent on frames.
    double encode_seconds() const;

private:
    struct Prepared {
        std::unique_ptr<PreparedPicture> picture;
        std::exception_ptr failure;  // instead of the picture
    };
    using Lock = std::unique_lock<std::mutex>;
    void work();
    bool next_is_prepared() const;
    bool over() const { return abandon_ || failure_ || done_; }
    bool complete() const { return finish_ && written_ == added_ && !adding_; }
    void prepare_one(Lock& lock);
    void add_one(Lock& lock);
    void complete_file(Lock& lock);

    std::unique_ptr<Recorder> recorder_;
    const EncodingLimits limits_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<SharedImage> waiting_;             // frames not yet started
    std::map<std::uint64_t, Prepared> prepared_;  // by number
    std::exception_ptr failure_;
    std::uint64_t added_ = 0, begun_ = 0, written_ = 0;
    double seconds_ = 0;
    unsigned working_ = 0;  // threads that are not idle
    bool adding_ = false, finish_ = false, abandon_ = false, thrown_ = false, done_ = false;
    std::vector<std::jthread> threads_;  // last: they use all members above
};

}  // namespace orrery
