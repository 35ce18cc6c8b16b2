// SPDX-License-Identifier: MIT
#pragma once
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

#include "app/record/recorder.hpp"

namespace orrery {

/// How many pictures of `bytes` each are encoded at once, and how many there are in memory at most.
struct EncodingLimits {
    unsigned threads = 1;
    std::size_t pictures = 4;
};
/// A thread for each core, sixteen at most, and so many pictures of this size that all of them have work: a gibibyte at
/// most.
EncodingLimits encoding_limits(const RecorderConfig& config);

/// A recorder on threads of its own, so that encoding holds nobody up. Several pictures are prepared at once; they are
/// added in their order. None is dropped: who records waits for room(). The first one that fails ends it: no later
/// picture is added.
class BackgroundRecorder {
public:
    BackgroundRecorder(std::unique_ptr<Recorder> recorder, EncodingLimits limits);
    BackgroundRecorder(const BackgroundRecorder&) = delete;
    BackgroundRecorder& operator=(const BackgroundRecorder&) = delete;
    /// Without finish(): as a recorder that is destroyed without.
    ~BackgroundRecorder();

    bool room() const;
    /// Waits for room.
    void add(SharedImage image);
    /// No more pictures: writes what waits, then completes the file. Does not wait.
    void finish();
    bool done() const;              ///< the file is complete, or the recorder has failed
    std::uint64_t written() const;  ///< pictures that the recorder has taken
    void wait();                    ///< until done
    void drain();                   ///< until all pictures so far are written, or the recorder has failed
    /// Throws what the recorder threw, once.
    void rethrow();
    /// Seconds that its threads have spent on pictures, all together.
    double encode_seconds() const;

private:
    struct Prepared {
        std::unique_ptr<PreparedPicture> picture;
        std::exception_ptr failure;  // in its place
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
    std::deque<SharedImage> waiting_;             // those after the ones that were begun
    std::map<std::uint64_t, Prepared> prepared_;  // by number
    std::exception_ptr failure_;
    std::uint64_t added_ = 0, begun_ = 0, written_ = 0;
    double seconds_ = 0;
    unsigned working_ = 0;  // threads that are not at rest
    bool adding_ = false, finish_ = false, abandon_ = false, told_ = false, done_ = false;
    std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace orrery
