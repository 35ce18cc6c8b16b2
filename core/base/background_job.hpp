// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "core/base/pool.hpp"

namespace orrery {

/// Runs one job at a time on its own low-priority thread and accumulates results in `News`, a value that the job
/// changes and others read. No call waits for the work.
template <class Job, class News>
class BackgroundJob {
public:
    /// The current job's view of itself.
    class Task {
    public:
        const Job& job() const { return job_; }
        const std::stop_token& stop() const { return stop_; }
        /// Calls change(News&) unless the job has been discarded.
        template <class Change>
        void publish(const Change& change) const {
            const std::lock_guard lock{owner_.mutex_};
            if (serial_ != owner_.serial_) return;
            change(owner_.news_);
            owner_.changed_ = true;
        }

    private:
        friend BackgroundJob;
        Task(BackgroundJob& owner, Job job, std::uint64_t serial, std::stop_token stop)
            : owner_{owner}, job_{std::move(job)}, serial_{serial}, stop_{std::move(stop)} {}
        BackgroundJob& owner_;
        Job job_;
        std::uint64_t serial_;
        std::stop_token stop_;
    };
    using Work = std::function<void(const Task&)>;
    /// Called at the end of each job; `failure` is the message of the exception that ended it, or empty.
    using Over = std::function<void(News&, const std::string& failure)>;

    BackgroundJob(Work work, Over over)
        : work_{std::move(work)}, over_{std::move(over)}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;
    ~BackgroundJob() {
        forget([](News&) {});
    }  ///< waits until the work has stopped

    /// Starts a job and discards the current one, if any. Applies `change` to the news first.
    template <class Change>
    void start(Job job, const Change& change) {
        {
            const std::lock_guard lock{mutex_};
            replace(change);
            next_.emplace(std::move(job));
        }
        wake_.notify_one();
    }
    /// Same as start() if no job is in progress; otherwise does nothing and returns false.
    template <class Change>
    bool start_if_idle(Job job, const Change& change) {
        {
            const std::lock_guard lock{mutex_};
            if (working_ || next_) return false;
            replace(change);
            next_.emplace(std::move(job));
        }
        wake_.notify_one();
        return true;
    }
    /// Requests the job to stop and keeps its results so far. change(News&) returns whether it has changed anything.
    template <class Change>
    void stop(const Change& change) {
        const std::lock_guard lock{mutex_};
        current_.request_stop();
        if (change(news_)) changed_ = true;
    }
    /// Stops the job and discards its results.
    template <class Change>
    void forget(const Change& change) {
        const std::lock_guard lock{mutex_};
        next_.reset();
        replace(change);
    }
    /// Calls look(News&, changed) and returns its result; `changed` is true if the news has changed since the last
    /// take().
    template <class Look>
    auto take(const Look& look) {
        const std::lock_guard lock{mutex_};
        return look(news_, std::exchange(changed_, false));
    }
    /// True while a job is in progress or a stopped one has not ended yet.
    bool busy() const {
        const std::lock_guard lock{mutex_};
        return working_ || next_;
    }

private:
    template <class Change>
    void replace(const Change& change) {
        current_.request_stop();
        current_ = std::stop_source{};
        ++serial_;
        change(news_);
        changed_ = true;
    }

    void run(const std::stop_token& stop) {
        lower_thread_priority();
        for (;;) {
            std::unique_lock lock{mutex_};
            working_ = false;
            if (!wake_.wait(lock, stop, [this] { return next_.has_value(); })) return;
            const Task task{*this, std::move(*next_), serial_, current_.get_token()};
            next_.reset();
            working_ = true;
            lock.unlock();
            std::string failure;
            try {
                work_(task);
            } catch (const std::exception& error) {  // no device, no memory, an invalid setting
                failure = error.what();
            }
            task.publish([&](News& news) { over_(news, failure); });
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    Work work_;
    Over over_;
    std::optional<Job> next_;   // submitted, not yet started
    std::stop_source current_;  // of the last submitted job
    std::uint64_t serial_ = 0;  // number of the last submitted job; incremented by forget()
    News news_;
    bool working_ = false, changed_ = false;
    std::jthread thread_;  // last member: it uses all of the above
};

/// Lock-free, one writer and one reader: the writer always has a slot to fill, and the reader keeps the newest complete
/// one for as long as it needs.
template <class T>
class TripleBuffer {
public:
    T& back() { return slots_[back_]; }  ///< writer: the slot to fill
    void publish() { back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex; }  ///< writer

    /// Writer: true if the reader has taken the last published slot.
    bool taken() const { return !(middle_.load(std::memory_order_relaxed) & kFresh); }

    /// Reader: takes the newest slot if it is new. Returns whether it was.
    bool update() {
        if (!(middle_.load(std::memory_order_relaxed) & kFresh)) return false;
        front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
        return true;
    }
    const T& front() const { return slots_[front_]; }  ///< reader: the current slot

private:
    static constexpr unsigned kFresh = 4, kIndex = 3;
    std::array<T, 3> slots_;
    unsigned back_ = 0, front_ = 1;
    std::atomic<unsigned> middle_ = 2;
};

}  // namespace orrery
