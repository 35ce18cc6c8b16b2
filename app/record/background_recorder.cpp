// SPDX-License-Identifier: MIT
#include "app/record/background_recorder.hpp"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

constexpr unsigned kMostThreads = 16;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

}  // namespace

EncodingLimits encoding_limits(const RecorderConfig& config) {
    const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
    const std::size_t fit =
        kMostBytes / (4 * static_cast<std::size_t>(config.width) * static_cast<std::size_t>(config.height));
    return {threads, std::clamp<std::size_t>(fit, 3, threads + 3)};
}

BackgroundRecorder::BackgroundRecorder(std::unique_ptr<Recorder> recorder, EncodingLimits limits)
    : recorder_{std::move(recorder)}, limits_{limits} {
    for (unsigned i = 0; i < limits_.threads; ++i) threads_.emplace_back([this] { work(); });
}

BackgroundRecorder::~BackgroundRecorder() {
    {
        const std::lock_guard lock{mutex_};
        abandon_ = true;
    }
    changed_.notify_all();
}

bool BackgroundRecorder::room() const {
    const std::lock_guard lock{mutex_};
    return added_ - written_ < limits_.pictures || done_;
}

void BackgroundRecorder::add(SharedImage image) {
    Lock lock{mutex_};
    changed_.wait(lock, [&] { return added_ - written_ < limits_.pictures || done_; });
    if (done_) return;  // it has failed: rethrow() throws the error
    waiting_.push_back(std::move(image));
    ++added_;
    changed_.notify_all();
}

void BackgroundRecorder::finish() {
    {
        const std::lock_guard lock{mutex_};
        finish_ = true;
    }
    changed_.notify_all();
}

bool BackgroundRecorder::done() const {
    const std::lock_guard lock{mutex_};
    return done_;
}

std::uint64_t BackgroundRecorder::written() const {
    const std::lock_guard lock{mutex_};
    return written_;
}

double BackgroundRecorder::encode_seconds() const {
    const std::lock_guard lock{mutex_};
    return seconds_;
}

void BackgroundRecorder::wait() {
    Lock lock{mutex_};
    changed_.wait(lock, [&] { return done_; });
}

void BackgroundRecorder::drain() {
    Lock lock{mutex_};
    changed_.wait(lock, [&] { return done_ || written_ == added_; });
}

void BackgroundRecorder::rethrow() {
    std::exception_ptr failure;
    {
        const std::lock_guard lock{mutex_};
        if (done_ && !std::exchange(thrown_, true)) failure = failure_;
    }
    if (failure) std::rethrow_exception(failure);
}

bool BackgroundRecorder::next_is_prepared() const { return !adding_ && prepared_.contains(written_); }

/// Frames that can be written next come first, so that few wait in memory.
void BackgroundRecorder::work() {
    Lock lock{mutex_};
    while (true) {
        changed_.wait(lock, [&] { return over() || next_is_prepared() || !waiting_.empty() || complete(); });
        if (over()) break;
        ++working_;
        if (next_is_prepared())
            add_one(lock);
        else if (!waiting_.empty())
            prepare_one(lock);
        else
            complete_file(lock);
        --working_;
        changed_.notify_all();
    }
    if (working_ > 0 || done_) return;
    ++working_;  // the last thread closes the file before done_ is visible
    waiting_.clear(), prepared_.clear();
    lock.unlock();
    recorder_.reset();
    lock.lock();
    --working_;
    done_ = true;
    changed_.notify_all();
}

void BackgroundRecorder::prepare_one(Lock& lock) {
    const std::uint64_t number = begun_++;
    SharedImage image = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    double spent = 0;
    Prepared prepared;
    {
        const StageClock clock{spent};
        try {
            prepared.picture = recorder_->prepare(*image);
        } catch (...) {
            prepared.failure = std::current_exception();
        }
        image.reset();
    }
    lock.lock();
    seconds_ += spent;
    prepared_.emplace(number, std::move(prepared));
}

void BackgroundRecorder::add_one(Lock& lock) {
    adding_ = true;
    Prepared next = std::move(prepared_.extract(written_).mapped());
    lock.unlock();
    double spent = 0;
    std::exception_ptr failure = next.failure;
    {
        const StageClock clock{spent};
        try {
            if (!failure) recorder_->add(std::move(next.picture));
        } catch (...) {
            failure = std::current_exception();
        }
    }
    lock.lock();
    seconds_ += spent;
    adding_ = false;
    if (failure)
        failure_ = failure;
    else
        ++written_;
}

void BackgroundRecorder::complete_file(Lock& lock) {
    adding_ = true;  // keeps other threads from completing it as well
    lock.unlock();
    std::exception_ptr failure;
    try {
        recorder_->finish();
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    abandon_ = true;  // no work is left
}

}  // namespace orrery
