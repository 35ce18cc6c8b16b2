// SPDX-License-Identifier: MIT
#pragma once
// The functions that make up the kernels of `tree-locks`, run by host threads: for tests without a device, and for
// sanitizers, which cannot check device code.
#include <optional>
#include <thread>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/engines/cpu/tree_locks/host_tree.hpp"

namespace orrery::test {

/// Yields now and then between atomic operations, so that threads interleave even on few cores.
struct YieldingAtomic : cuda::HostAtomic {
    template <class T>
    static void store(T& place, T value) {
        sometimes_yield();
        HostAtomic::store(place, value);
    }
    template <class T>
    static bool exchange_if(T& place, T expected, T wanted) {
        const bool done = HostAtomic::exchange_if(place, expected, wanted);
        sometimes_yield();
        return done;
    }
    static void sometimes_yield() {
        thread_local unsigned calls = 0;
        if (++calls % 7 == 0) std::this_thread::yield();
    }
};

template <class Real>
class HostLocks {
public:
    /// Builds the tree with `threads` threads; `room` is the initial number of cells (default: that of the engine).
    /// `split` stores each position as a sum of two numbers, as in BodyView::low.
    HostLocks(const Bodies& bodies, const Gravity& gravity, double theta, unsigned threads,
              std::optional<std::uint64_t> room = std::nullopt, bool split = false)
        : gravity_{gravity} {
        for (const Vec4d& body : bodies.position_mass) {
            bodies_.push_back(convert<Real>(body));
            const Vec4d low{body.x - bodies_.back().x, body.y - bodies_.back().y, body.z - bodies_.back().z, 0};
            if (split) low_.push_back(convert<Real>(low));
        }
        const BodyView<Host, Real> view{bodies_.data(), nullptr, bodies_.size(), split ? low_.data() : nullptr};
        tree_.build(view, gravity.softening, {.theta = theta}, threads, room.value_or(cuda::first_room(bodies_.size())),
                    [&](const auto& work) {
                        std::vector<std::thread> all;
                        for (unsigned t = 0; t < threads; ++t) all.emplace_back([&work, t] { work(t); });
                        for (std::thread& thread : all) thread.join();
                    });
    }

    const cuda::LocksTree<Real>& tree() const { return tree_.tree(); }
    const cuda::LocksCounts& counts() const { return tree_.counts(); }
    const std::vector<std::uint32_t>& order() const { return tree_.order(); }
    int builds() const { return tree_.builds(); }

    /// The walk of kernel 5 with warps of `warp` bodies, in the order of the scene; w: the potential.
    std::vector<Vec4d> walk(std::uint32_t warp = 32) const {
        std::vector<Vec4d> all(bodies_.size());
        const auto count = static_cast<std::uint32_t>(bodies_.size());
        for (std::uint32_t begin = 0; begin < count; begin += warp) {
            const auto visited = tree_.walk(begin, std::min(begin + warp, count), [&](std::uint32_t i, const Vec4d& a) {
                const double G = gravity_.constant;
                all[i] = {G * a.x, G * a.y, G * a.z, G * a.w};
            });
            with_cells += visited.with_cells, with_bodies += visited.with_bodies;
            highest_stack = std::max(highest_stack, visited.highest_stack);
        }
        return all;
    }
    mutable std::uint64_t with_cells = 0, with_bodies = 0;  ///< totals of all walks, counted once per warp
    mutable std::size_t highest_stack = 0;

private:
    Gravity gravity_;
    std::vector<Vec4<Real>> bodies_, low_;
    cuda::HostTree<Real, YieldingAtomic> tree_;
};

}  // namespace orrery::test
