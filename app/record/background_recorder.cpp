// SPDX-License-Identifier: MIT
#include "app/record/background_recorder.hpp"

#include <utility>

namespace orrery {

BackgroundRecorder::BackgroundRecorder(std::unique_ptr<Recorder> recorder)
    : recorder_{std::move(recorder)}, thread_{[this] { work(); }} {}

BackgroundRecorder::~BackgroundRecorder() {
    {
        const std::lock_guard lock{mutex_};
        abandon_ = true;
    }
    changed_.notify_all();
}

bool BackgroundRecorder::room() const {
    const std::lock_guard lock{mutex_};
    return waiting_.size() < kMost || done_;
}

void BackgroundRecorder::add(const Image& image) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return waiting_.size() < kMost || done_; });
    if (done_) return;  // it has failed: rethrow() says how
    Image copy;
    if (!spare_.empty()) {
        copy = std::move(spare_.back());
        spare_.pop_back();
    }
    copy = image;
    waiting_.push_back(std::move(copy));
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

void BackgroundRecorder::wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return done_; });
}

void BackgroundRecorder::rethrow() {
    std::exception_ptr failure;
    {
        const std::lock_guard lock{mutex_};
        failure = std::exchange(failure_, nullptr);
    }
    if (failure) std::rethrow_exception(failure);
}

void BackgroundRecorder::work() {
    std::exception_ptr failure;
    try {
        while (true) {
            Image image;
            {
                std::unique_lock lock{mutex_};
                changed_.wait(lock, [&] { return !waiting_.empty() || finish_ || abandon_; });
                if (abandon_) break;
                if (waiting_.empty()) {
                    lock.unlock();
                    recorder_->finish();
                    break;
                }
                image = std::move(waiting_.front());
                waiting_.pop_front();
            }
            recorder_->add(image);
            const std::lock_guard lock{mutex_};
            ++written_;
            spare_.push_back(std::move(image));
            changed_.notify_all();
        }
    } catch (...) {
        failure = std::current_exception();
    }
    recorder_.reset();  // closes the file before anybody is told
    const std::lock_guard lock{mutex_};
    failure_ = failure;
    done_ = true;
    changed_.notify_all();
}

}  // namespace orrery
