// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace orrery::test {

/// Ranks as threads of one process.
class ThreadRanks {
    using Message = std::vector<std::byte>;

    struct Post {
        std::mutex mutex;
        std::condition_variable arrived;
        std::map<std::pair<int, int>, std::deque<Message>> boxes;  // from, to
        bool broken = false;                                       // a rank has thrown
        int arrivals = 0;
    };

    class One final : public Ranks {
    public:
        One(Post& post, int rank, int count) : post_{post}, rank_{rank}, count_{count} {}
        int rank() const override { return rank_; }
        int count() const override { return count_; }

        void send(std::span<const std::byte> bytes, int to) override {
            const std::lock_guard lock{post_.mutex};
            post_.boxes[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
            post_.arrived.notify_all();
        }
        void receive(std::span<std::byte> bytes, int from) override {
            std::unique_lock lock{post_.mutex};
            auto& box = post_.boxes[{from, rank_}];
            post_.arrived.wait(lock, [&] { return !box.empty() || post_.broken; });
            if (box.empty()) throw std::runtime_error{"another rank has failed"};
            const Message message = std::move(box.front());
            box.pop_front();
            if (message.size() != bytes.size()) throw std::logic_error{"ranks disagree about the size of a message"};
            if (!message.empty()) std::memcpy(bytes.data(), message.data(), bytes.size());
        }
        void broadcast(std::span<std::byte> bytes, int from) override {
            if (rank_ != from) return receive(bytes, from);
            for (int to = 0; to < count_; ++to)
                if (to != rank_) send(bytes, to);
        }
        void gather(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
            std::size_t begin = 0;
            for (int from = 0; from < count_; ++from) {
                const std::size_t end = ends[static_cast<std::size_t>(from)];
                broadcast(whole.subspan(begin, end - begin), from);
                begin = end;
            }
        }
        bool all_arrive(double seconds) override {
            std::unique_lock lock{post_.mutex};
            ++post_.arrivals;
            post_.arrived.notify_all();
            const int all = ++rounds_ * count_;
            return post_.arrived.wait_for(lock, std::chrono::duration<double>{seconds}, [&] {
                return post_.arrivals >= all || post_.broken;
            }) && post_.arrivals >= all;
        }
        void end_all(int, const std::string& why) override { throw std::runtime_error{why}; }

    private:
        Post& post_;
        int rank_, count_;
        int rounds_ = 0;  // of all_arrive()
    };

public:
    /// Calls work(ranks) on `count` threads; rethrows the first exception.
    template <class Work>
    static void run(int count, const Work& work) {
        Post post;
        std::exception_ptr thrown;
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < count; ++rank)
            threads.emplace_back([&, rank] {
                One one{post, rank, count};
                try {
                    work(one);
                } catch (...) {
                    const std::lock_guard lock{post.mutex};
                    if (!post.broken) thrown = std::current_exception();
                    post.broken = true;
                    post.arrived.notify_all();
                }
            });
        threads.clear();
        if (thrown) std::rethrow_exception(thrown);
    }
};

}  // namespace orrery::test
