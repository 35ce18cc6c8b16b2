// SPDX-License-Identifier: MIT
// Finds overlaps among N spheres: a byte per pair below the diagonal, or per overlap, and their number. A block loads
// the spheres of its tile together, as on a device.
#include <array>
#include <atomic>

#include "core/base/memory.hpp"
#include "core/lab/cpu/walk.hpp"
#include "core/lab/pairs.hpp"

namespace orrery {
namespace {

using namespace lab;

constexpr std::size_t kLongestSide = 32 * kRowSpan;

/// A block processes a tile of Span·ρ × Span·ρ pairs.
template <int D, std::uint32_t Span>
class Collision final : public CpuKernel {
public:
    explicit Collision(LabSize size) : CpuKernel{size, size.rho * Span} {
        const std::uint64_t pairs = std::uint64_t{size.bodies} * size.bodies;
        require_memory("collision", pairs);
        flags_.reset(new std::uint8_t[pairs]);
    }

    LabCheck check(FormChoice choice) override {
        std::fill_n(flags_.get(), std::uint64_t{size_.bodies} * size_.bodies, kUnwritten);
        run(choice, table_of(choice));
        std::atomic<std::uint64_t> wrong = 0, colliding = 0;
        pool_.parallel_for(0, size_.bodies, [&](std::uint64_t i) {
            std::uint64_t wrong_here = 0, colliding_here = 0;
            for (std::uint64_t j = 0; j < size_.bodies; ++j) {
                const bool collides = j < i && gap<D>(bodies_[i], bodies_[j]) < 0;
                wrong_here += !flag_is_right(flags_[i * size_.bodies + j], j < i, collides, kEveryPair);
                colliding_here += collides;
            }
            wrong += wrong_here, colliding += colliding_here;
        });
        return collision_verdict(wrong, counted_, colliding);
    }

private:
    static constexpr bool kEveryPair = flags_every_pair(Span);

    /// Sums the counts of one chunk of work.
    class Counter {
    public:
        explicit Counter(std::atomic<std::uint64_t>& total) : total_{&total} {}
        Counter(Counter&& other) noexcept : total_{other.total_} { other.total_ = nullptr; }
        Counter(const Counter&) = delete;
        Counter& operator=(const Counter&) = delete;
        ~Counter() {
            if (total_) *total_ += count;
        }
        std::uint64_t count = 0;

    private:
        std::atomic<std::uint64_t>* total_;
    };

    void run(FormChoice choice, const Tile* table) override {
        counted_ = 0;
        with_form(choice, table, [&](auto form) {
            if constexpr (form.in_threads) {
                walk_threads(pool_, form, size_.bodies, [&] {
                    return [this, counter = Counter{counted_}](std::uint64_t i, std::uint64_t j) mutable {
                        if (i == j) return;
                        const bool collides = gap<D>(bodies_[i], bodies_[j]) < 0;
                        if (kEveryPair || collides) flags_[i * size_.bodies + j] = collides;
                        counter.count += collides;
                    };
                });
            } else {
                walk_blocks(pool_, form, rows_, [&] {
                    return [this, counter = Counter{counted_}](Tile tile) mutable { counter.count += interact(tile); };
                });
            }
        });
    }

    /// Not inlined, so that all forms run the same code for a tile.
    [[gnu::noinline]] std::uint64_t interact(Tile tile) {
        const std::uint32_t first = tile.row * side_, left = tile.col * side_;
        const std::uint32_t columns = end(left) - left;
        std::array<Vec4f, kLongestSide> column;
        std::copy_n(bodies_.begin() + left, columns, column.begin());
        std::uint64_t count = 0;
        for (std::uint32_t i = first; i < end(first); ++i) {
            const Vec4f row = bodies_[i];
            const std::uint32_t below = std::min(columns, i - left);
            std::uint8_t* const flags = flags_.get() + std::uint64_t{i} * size_.bodies + left;
            for (std::uint32_t j = 0; j < below; ++j) {
                const bool collides = gap<D>(row, column[j]) < 0;
                if (kEveryPair || collides) flags[j] = collides;
                count += collides;
            }
        }
        return count;
    }

    std::unique_ptr<std::uint8_t[]> flags_;
    std::atomic<std::uint64_t> counted_ = 0;
};

template <std::uint32_t Span>
std::unique_ptr<LabKernel> collision(LabSize size) {
    if (size.dimensions == 1) return std::make_unique<Collision<1, Span>>(size);
    return std::make_unique<Collision<3, Span>>(size);
}

}  // namespace

std::unique_ptr<LabKernel> cpu_collision(LabSize size) { return collision<kSpan>(size); }
std::unique_ptr<LabKernel> cpu_collision_pairs(LabSize size) { return collision<1>(size); }
std::unique_ptr<LabKernel> cpu_collision_rows(LabSize size) { return collision<kRowSpan>(size); }

}  // namespace orrery
