// SPDX-License-Identifier: MIT
#pragma once
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace orrery {

/// The calling thread gives way to others from now on (nice 10), so that a window on the same cores stays smooth.
void give_way() noexcept;

/// A share of the machine's cores. In the background its threads give way to the window's.
class Pool {
public:
    /// `threads` 0: all cores.
    Pool(int threads, bool background);

    /// Calls body(i) for i in [first, last), in any order, on many threads; returns when all are done.
    template <class Body>
    void parallel_for(std::uint64_t first, std::uint64_t last, const Body& body) {
        arena_.execute([&] { tbb::parallel_for(first, last, body); });
    }
    int threads() const { return arena_.max_concurrency(); }

private:
    class GiveWay final : public tbb::task_scheduler_observer {
    public:
        explicit GiveWay(tbb::task_arena& arena) : task_scheduler_observer{arena} { observe(true); }
        ~GiveWay() override { observe(false); }
        void on_scheduler_entry(bool is_worker) override {
            if (is_worker) give_way();
        }
    };

    std::optional<tbb::global_control> more_than_cores_;  // only as long as somebody asks for more threads than cores
    mutable tbb::task_arena arena_;
    std::unique_ptr<GiveWay> observer_;
};

}  // namespace orrery
