// SPDX-License-Identifier: MIT
#pragma once
// The tree of `tree-locks` in host memory: the functions of core/engines/cuda/tree_locks/tree.hpp that the kernels
// consist of, run by host threads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <vector>

#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/engines/report.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::cuda {

struct HostAtomic {
    template <class T>
    static T load(T& place) {
        return std::atomic_ref<T>{place}.load(std::memory_order_acquire);
    }
    template <class T>
    static void store(T& place, T value) {
        std::atomic_ref<T>{place}.store(value, std::memory_order_release);
    }
    template <class T>
    static bool exchange_if(T& place, T expected, T wanted) {
        return std::atomic_ref<T>{place}.compare_exchange_strong(expected, wanted, std::memory_order_acquire,
                                                                 std::memory_order_relaxed);
    }
    template <class T>
    static T add(T& place, T more) {
        return std::atomic_ref<T>{place}.fetch_add(more, std::memory_order_relaxed);
    }
};

/// Number of interactions of walks with cells and bodies, each counted once per warp, and the greatest height of their
/// stack.
struct LocksInteractions {
    std::uint64_t with_cells = 0, with_bodies = 0;
    std::size_t highest_stack = 0;
};

template <class Real, class Atomic = HostAtomic>
class HostTree {
public:
    /// Runs the first four kernels. `in_threads(work)` calls work(t) concurrently for every t below `threads`. `room`:
    /// number of cells to allocate initially. The bodies must not move in memory.
    template <class InThreads>
    void build(BodyView<Host, Real> bodies, double softening, const LocksOpening& opening, unsigned threads,
               std::uint64_t room, const InThreads& in_threads) {
        phases_.clear();
        timed("box", [&] { enclose(bodies, softening, opening); });
        timed("build", [&] { insert(room, threads, in_threads), sort_bags(); });
        timed("centres", [&] { weigh(in_threads); });
        timed("sort", [&] { order(threads, in_threads); });
    }

    const LocksTree<Real>& tree() const { return tree_; }
    const LocksCounts& counts() const { return counts_; }
    const LocksUnits<Real>& units() const { return units_; }
    const std::vector<std::uint32_t>& order() const { return order_; }
    const std::vector<Phase>& phases() const { return phases_; }
    int builds() const { return builds_; }

    /// Kernel 5 for a warp of bodies, [begin, end) in tree order, in double. Calls out(i, a) with the acceleration of
    /// body i of the scene, and in w its potential, without G.
    template <class Out>
    LocksInteractions walk(std::uint32_t begin, std::uint32_t end, const Out& out) const {
        LocksInteractions interactions;
        std::vector<Vec4d> sums(end - begin);
        constexpr std::uint32_t kNoBody = ~0u;
        /// `self`: index of `other` in tree order; a body does not act on itself.
        const auto interact = [&](const Vec4d& other, std::uint32_t self) {
            for (std::uint32_t i = begin; i < end; ++i)
                if (i != self) add_acceleration(sums[i - begin], xyz(body(i)), other, double(units_.softening2));
        };
        const auto far = [&](const LocksPart<Real>& part) {
            return std::all_of(in_order_.begin() + begin, in_order_.begin() + end, [&](const Vec4<Real>& self) {
                const Vec3<Real> d = xyz(part.place) - xyz(self);
                return !(dot(d, d) <= part.reach2);
            });
        };
        std::vector<Opened> stack{{0, 0}};
        while (!stack.empty()) {
            interactions.highest_stack = std::max(interactions.highest_stack, stack.size());
            const Opened opened = stack.back();
            stack.pop_back();
            std::uint32_t first = opened.first;
            for (unsigned octant = 0; octant < 8; ++octant) {
                const std::int32_t link = tree_.child(opened.cell, octant);
                if (link == kEmpty) continue;
                const auto part = part_of(tree_, in_order_.data(), link, first, begin, end);
                first += part.bodies;
                if (far(part)) {
                    part.cell < 0 ? interact(body(part.first), part.first)
                                  : interact(convert<double>(part.place), kNoBody);
                    ++(part.cell < 0 ? interactions.with_bodies : interactions.with_cells);
                } else if (tree_.level[part.cell] == kBagLevel) {
                    for (std::uint32_t k = part.first; k < part.first + part.bodies; ++k) interact(body(k), k);
                    interactions.with_bodies += part.bodies;
                } else {
                    stack.push_back({static_cast<std::uint32_t>(part.cell), part.first});
                }
            }
        }
        for (std::uint32_t i = begin; i < end; ++i) {
            const Vec4d s = sums[i - begin];
            const double a = units_.acceleration, p = units_.potential;
            out(order_[i], Vec4d{a * s.x, a * s.y, a * s.z, -p * s.w});
        }
        return interactions;
    }

private:
    struct Opened {
        std::uint32_t cell, first;  ///< first of its bodies, in tree order
    };

    template <class Work>
    void timed(std::string_view name, const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        phases_.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
    }

    Vec4d body(std::uint32_t k) const {
        Vec4d at = convert<double>(in_order_[k]);
        if (low_in_order_.empty()) return at;
        const Vec4d low = convert<double>(low_in_order_[k]);
        return {at.x + low.x, at.y + low.y, at.z + low.z, at.w};
    }

    void enclose(BodyView<Host, Real> bodies, double softening, const LocksOpening& opening) {
        bodies_ = bodies;
        auto box = LocksBounds<Real>::none();
        for (std::size_t i = 0; i < bodies.count; ++i) box = box + LocksBounds<Real>::of(bodies.position_mass[i]);
        units_ = locks_units(box, softening, opening, bodies.low ? kLocksBlur<Real> : 0);
        bagged_.resize(bodies.count);
    }

    template <class InThreads>
    void insert(std::uint64_t room, unsigned threads, const InThreads& in_threads) {
        const auto count = static_cast<std::uint32_t>(bodies_.count);
        for (builds_ = 1;; ++builds_) {
            children_.assign(8 * room, kEmpty);
            level_.resize(room), witness_.resize(room), centre_.resize(room), weighed_.assign(room, 0);
            tree_ = {bodies_.position_mass,
                     count,
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
                for (std::uint32_t i = t; i < count; i += threads) {
                    Insertion in{i, units_.place(bodies_.position_mass[i])};
                    while (!try_to_insert<Atomic>(tree_, in)) std::this_thread::yield();
                }
            });
            if (counts_.overflow == 0) return;
            room = more_room(room, counts_.cells);
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
            const Vec4<Real> body = units_.scaled(bodies_.position_mass[body_of_entry(bagged_[k])]);
            if (k == first) sum.about = xyz(body);
            sum.add(body);
        }
        tree_.centre[cell] = sum.centre();
        Atomic::store(tree_.bodies_in[cell], end - first);
    }

    /// Threads take shares of 32 cells from the highest index downward; the cells of a share are polled in rounds, as
    /// by the lanes of a warp.
    template <class InThreads>
    void weigh(const InThreads& in_threads) {
        in_threads([&](unsigned) {
            for (;;) {
                const std::uint64_t share = Atomic::add(counts_.summed, 1u);
                if (share * 32 >= counts_.cells) return;
                weigh_share(share);
            }
        });
    }
    void weigh_share(std::uint64_t share) {
        unsigned seen[32] = {}, waiting = 0;
        for (unsigned lane = 0; lane < 32; ++lane) waiting += share * 32 + lane < counts_.cells;
        while (waiting > 0) {
            for (unsigned lane = 0; lane < 32; ++lane) {
                const std::uint64_t from_top = share * 32 + lane;
                if (from_top >= counts_.cells || seen[lane] > 8) continue;
                const auto cell = static_cast<std::uint32_t>(counts_.cells - 1 - from_top);
                if (level_[cell] == kBagLevel) {
                    compute_bag_moment(cell), seen[lane] = 9, --waiting;
                    continue;
                }
                while (seen[lane] < 8 && is_ready<Atomic>(tree_, tree_.child(cell, seen[lane]))) ++seen[lane];
                if (seen[lane] == 8) compute_cell_moment<Atomic>(tree_, cell), seen[lane] = 9, --waiting;
            }
            if (waiting > 0) std::this_thread::yield();
        }
    }

    template <class InThreads>
    void order(unsigned threads, const InThreads& in_threads) {
        const auto count = static_cast<std::uint32_t>(bodies_.count);
        order_.assign(count, ~0u), in_order_.resize(count), low_in_order_.resize(bodies_.low ? count : 0);
        in_threads([&](unsigned t) {
            for (std::uint32_t i = t; i < count; i += threads) {
                const Vec4<Real>& body = bodies_.position_mass[i];
                const std::uint32_t rank = rank_of(tree_, i, units_.place(body));
                order_.at(rank) = i, in_order_.at(rank) = units_.scaled(body);
                if (bodies_.low) low_in_order_.at(rank) = units_.scaled(bodies_.low[i]);
            }
        });
    }

    BodyView<Host, Real> bodies_{};
    std::vector<Vec4<Real>> centre_, in_order_, low_in_order_;
    std::vector<std::int32_t> children_;
    std::vector<std::uint8_t> level_;
    std::vector<std::uint32_t> witness_, weighed_, order_;
    std::vector<std::uint64_t> bagged_;
    std::vector<Phase> phases_;
    LocksCounts counts_{};
    LocksUnits<Real> units_;
    LocksTree<Real> tree_{};
    int builds_ = 0;
};

}  // namespace orrery::cuda
