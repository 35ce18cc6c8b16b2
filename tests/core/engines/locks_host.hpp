// SPDX-License-Identifier: MIT
#pragma once
// The functions that the kernels of `tree-locks` are made of, run by threads of the host: for tests where there is no
// device, and for sanitizers, which see no device.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::test {

/// Gives way now and then in the middle of things, so that threads meet even on few cores.
struct HostAtomic {
    template <class T>
    static T load(T& place) {
        return std::atomic_ref<T>{place}.load(std::memory_order_acquire);
    }
    template <class T>
    static void store(T& place, T value) {
        sometimes_yield();
        std::atomic_ref<T>{place}.store(value, std::memory_order_release);
    }
    template <class T>
    static bool exchange_if(T& place, T expected, T wanted) {
        const bool done = std::atomic_ref<T>{place}.compare_exchange_strong(expected, wanted, std::memory_order_acquire,
                                                                            std::memory_order_relaxed);
        sometimes_yield();
        return done;
    }
    template <class T>
    static T add(T& place, T more) {
        return std::atomic_ref<T>{place}.fetch_add(more, std::memory_order_relaxed);
    }
    static void sometimes_yield() {
        thread_local unsigned calls = 0;
        if (++calls % 7 == 0) std::this_thread::yield();
    }
};

template <class Real>
class HostLocks {
public:
    /// Threads insert and weigh; `room` for cells at first, as the engine begins where it is empty. `split`: positions
    /// are the sums of two, as BodyView::low has it.
    HostLocks(const Bodies& bodies, const Gravity& gravity, double theta, unsigned threads,
              std::optional<std::uint64_t> room = std::nullopt, bool split = false)
        : threads_{threads}, gravity_{gravity} {
        auto box = cuda::LocksBounds<Real>::none();
        for (const Vec4d& body : bodies.position_mass) {
            bodies_.push_back(convert<Real>(body));
            const Vec4d low{body.x - bodies_.back().x, body.y - bodies_.back().y, body.z - bodies_.back().z, 0};
            low_.push_back(split ? convert<Real>(low) : Vec4<Real>{});
            box = box + cuda::LocksBounds<Real>::of(bodies_.back());
        }
        units_ = cuda::locks_units(box, gravity.softening, theta, split ? cuda::kLocksBlur<Real> : 0);
        bagged_.resize(bodies_.size());
        build(room.value_or(cuda::first_room(bodies_.size())));
        sort_bags();
        weigh();
        order();
    }

    const cuda::LocksTree<Real>& tree() const { return tree_; }
    const cuda::LocksCounts& counts() const { return counts_; }
    const std::vector<std::uint32_t>& order() const { return order_; }
    int builds() const { return builds_; }

    /// As kernel 5 has it, with warps of `warp` bodies, in the scene's order; w: the potential.
    std::vector<Vec4d> walk(std::uint32_t warp = 32) const {
        std::vector<Vec4d> all(bodies_.size());
        for (std::uint32_t begin = 0; begin < bodies_.size(); begin += warp) walk(begin, warp, all);
        return all;
    }
    mutable std::uint64_t with_cells = 0, with_bodies = 0;  ///< of all walks, each counted once per warp
    mutable std::size_t highest_stack = 0;

private:
    template <class Work>
    void in_threads(const Work& work) const {
        std::vector<std::thread> all;
        for (unsigned t = 0; t < threads_; ++t) all.emplace_back([&work, t] { work(t); });
        for (std::thread& thread : all) thread.join();
    }

    void build(std::uint64_t room) {
        for (builds_ = 1;; ++builds_) {
            children_.assign(8 * room, cuda::kEmpty);
            level_.resize(room), witness_.resize(room), centre_.resize(room), weighed_.assign(room, 0);
            tree_ = {bodies_.data(),
                     static_cast<std::uint32_t>(bodies_.size()),
                     static_cast<std::uint32_t>(room),
                     children_.data(),
                     level_.data(),
                     witness_.data(),
                     weighed_.data(),
                     centre_.data(),
                     bagged_.data(),
                     &counts_,
                     &units_};
            plant(tree_);
            in_threads([&](unsigned t) {
                for (std::uint32_t i = t; i < bodies_.size(); i += threads_) {
                    cuda::Insertion in{i, units_.place(bodies_[i])};
                    while (!cuda::try_to_insert<HostAtomic>(tree_, in)) std::this_thread::yield();
                }
            });
            if (counts_.overflow == 0) return;
            room = cuda::more_room(room, counts_.cells);
        }
    }

    void sort_bags() {
        std::sort(bagged_.begin(), bagged_.begin() + counts_.bagged);
        for (std::uint32_t k = 0; k < counts_.bagged; ++k) mark_bag(tree_, k, counts_.bagged);
    }

    void compute_bag_moment(std::uint32_t cell) const {
        MassSum<Real> sum{};
        const auto first = static_cast<std::uint32_t>(tree_.child(cell, 0)),
                   end = static_cast<std::uint32_t>(tree_.child(cell, 1));
        for (std::uint32_t k = first; k < end; ++k) {
            const Vec4<Real> body = units_.scaled(bodies_[cuda::body_of_entry(bagged_[k])]);
            if (k == first) sum.about = xyz(body);
            sum.add(body);
        }
        tree_.centre[cell] = sum.centre();
        HostAtomic::store(tree_.bodies_in[cell], end - first);
    }

    /// Shares of 32 cells from the highest number down; those of a share in rounds, as the lanes of a warp.
    void weigh() {
        in_threads([&](unsigned) {
            for (;;) {
                const std::uint64_t share = HostAtomic::add(counts_.summed, 1u);
                if (share * 32 >= counts_.cells) return;
                unsigned seen[32] = {}, waiting = 0;
                for (unsigned lane = 0; lane < 32; ++lane) waiting += share * 32 + lane < counts_.cells;
                while (waiting > 0) {
                    for (unsigned lane = 0; lane < 32; ++lane) {
                        const std::uint64_t from_top = share * 32 + lane;
                        if (from_top >= counts_.cells || seen[lane] > 8) continue;
                        const auto cell = static_cast<std::uint32_t>(counts_.cells - 1 - from_top);
                        if (level_[cell] == cuda::kBagLevel) {
                            compute_bag_moment(cell), seen[lane] = 9, --waiting;
                            continue;
                        }
                        while (seen[lane] < 8 && cuda::is_ready<HostAtomic>(tree_, tree_.child(cell, seen[lane])))
                            ++seen[lane];
                        if (seen[lane] == 8)
                            cuda::compute_cell_moment<HostAtomic>(tree_, cell), seen[lane] = 9, --waiting;
                    }
                    std::this_thread::yield();
                }
            }
        });
    }

    void order() {
        order_.assign(bodies_.size(), ~0u), in_order_.resize(bodies_.size()), low_in_order_.resize(bodies_.size());
        for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
            const std::uint32_t rank = cuda::rank_of(tree_, i, units_.place(bodies_[i]));
            order_.at(rank) = i, in_order_.at(rank) = units_.scaled(bodies_[i]);
            low_in_order_.at(rank) = units_.scaled(low_[i]);
        }
    }

    struct Opened {
        std::uint32_t cell, first;
    };

    void walk(std::uint32_t begin, std::uint32_t warp, std::vector<Vec4d>& out) const {
        const std::uint32_t end = std::min(begin + warp, tree_.count);
        std::vector<Vec4d> sums(end - begin);
        const auto body = [&](std::uint32_t k) {
            const Vec4d at = convert<double>(in_order_[k]), low = convert<double>(low_in_order_[k]);
            return Vec4d{at.x + low.x, at.y + low.y, at.z + low.z, at.w};
        };
        const auto meet = [&](const Vec4d& other) {
            for (std::uint32_t i = begin; i < end; ++i)
                add_acceleration(sums[i - begin], xyz(body(i)), other, double(units_.softening2));
        };
        const auto far = [&](const cuda::LocksPart<Real>& part) {
            return std::all_of(in_order_.begin() + begin, in_order_.begin() + end, [&](const Vec4<Real>& self) {
                const Vec3<Real> d = xyz(part.place) - xyz(self);
                return !(dot(d, d) <= part.reach2);
            });
        };
        std::vector<Opened> stack{{0, 0}};
        while (!stack.empty()) {
            highest_stack = std::max(highest_stack, stack.size());
            const Opened opened = stack.back();
            stack.pop_back();
            std::uint32_t first = opened.first;
            for (unsigned octant = 0; octant < 8; ++octant) {
                const std::int32_t link = tree_.child(opened.cell, octant);
                if (link == cuda::kEmpty) continue;
                const auto part = cuda::part_of(tree_, in_order_.data(), link, first, begin, end);
                first += part.bodies;
                if (far(part)) {
                    meet(part.cell < 0 ? body(part.first) : convert<double>(part.place));
                    ++(part.cell < 0 ? with_bodies : with_cells);
                } else if (tree_.level[part.cell] == cuda::kBagLevel) {
                    for (std::uint32_t k = part.first; k < part.first + part.bodies; ++k) meet(body(k));
                    with_bodies += part.bodies;
                } else {
                    stack.push_back({static_cast<std::uint32_t>(part.cell), part.first});
                }
            }
        }
        const double G = gravity_.constant, a = G * units_.acceleration, p = G * units_.potential;
        const double soft2 = double(units_.softening2);
        for (std::uint32_t i = begin; i < end; ++i) {
            const Vec4d s = sums[i - begin];
            const double own = soft2 > kTouching<double> ? double(in_order_[i].w) / std::sqrt(soft2) : 0;
            out[order_[i]] = {a * s.x, a * s.y, a * s.z, -p * (s.w - own)};
        }
    }

    unsigned threads_;
    Gravity gravity_;
    std::vector<Vec4<Real>> bodies_, low_, centre_, in_order_, low_in_order_;
    std::vector<std::int32_t> children_;
    std::vector<std::uint8_t> level_;
    std::vector<std::uint32_t> witness_, weighed_, order_;
    std::vector<std::uint64_t> bagged_;
    cuda::LocksCounts counts_{};
    cuda::LocksUnits<Real> units_;
    cuda::LocksTree<Real> tree_{};
    int builds_ = 0;
};

}  // namespace orrery::test
