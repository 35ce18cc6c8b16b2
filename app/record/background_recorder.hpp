// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/record/recorder.hpp"

namespace orrery {

/// A recorder on a thread of its own, so that encoding holds nobody up. Pictures wait in a short queue; none is
/// dropped: who records waits for room().
class BackgroundRecorder {
public:
    static constexpr std::size_t kMost = 4;  ///< pictures that wait

    explicit BackgroundRecorder(std::unique_ptr<Recorder> recorder);
    BackgroundRecorder(const BackgroundRecorder&) = delete;
    BackgroundRecorder& operator=(const BackgroundRecorder&) = delete;
    /// Without finish(): as a recorder that is destroyed without.
    ~BackgroundRecorder();

    bool room() const;
    /// Copies a picture into the queue. Waits for room.
    void add(const Image& image);
    /// No more pictures: writes what waits, then completes the file. Does not wait.
    void finish();
    bool done() const;              ///< the file is complete, or the recorder has failed
    std::uint64_t written() const;  ///< pictures that the recorder has taken
    void wait();                    ///< until done
    /// Throws what the recorder threw, once.
    void rethrow();

private:
    void work();

    std::unique_ptr<Recorder> recorder_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Image> waiting_;
    std::vector<Image> spare_;  // memory of pictures that were written
    std::exception_ptr failure_;
    std::uint64_t written_ = 0;
    bool finish_ = false, abandon_ = false, done_ = false;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace orrery
