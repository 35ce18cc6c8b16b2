// SPDX-License-Identifier: MIT
// The kernels of the laboratory on a CPU: maps of pairs, triples and quadruples alone, Euclidean distances, collisions.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/pool.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/pairs.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

// Execution of forms by the threads of a pool, as a grid of blocks does on a device. A walk over tiles is compiled once
// per form instead of once per form and kernel: the kernels pass their work on a tile as a function.

/// Processes a tile.
template <class Tiles>
using Visit = std::function<void(Tiles)>;
/// Calls its argument for each tile of a chunk of blocks.
template <class Tiles>
using Chunk = std::function<void(const Visit<Tiles>&)>;
/// Processes a chunk. Called by many threads.
template <class Tiles>
using PerChunk = std::function<void(const Chunk<Tiles>&)>;

/// A separate worker per chunk: work = worker(), work(tile).
template <class Tiles, class Worker>
auto per_chunk(const Worker& worker) {
    return [&worker](const Chunk<Tiles>& chunk) {
        auto work = worker();
        chunk([&work](Tiles tiles) { work(tiles); });
    };
}

/// Calls each(first, last) for chunks of [0, count), on the threads of the pool.
template <class Each>
void for_chunks(Pool& pool, std::uint64_t count, std::uint64_t chunk, const Each& each) {
    pool.parallel_for(0, (count + chunk - 1) / chunk,
                      [&](std::uint64_t part) { each(part * chunk, std::min(count, (part + 1) * chunk)); });
}

/// Calls work(position) for the positions [first, last) of a grid.
template <class Work>
void for_positions(Extent extent, std::uint64_t first, std::uint64_t last, const Work& work) {
    GridPosition position{static_cast<std::uint32_t>(first % extent.x),
                          static_cast<std::uint32_t>(first / extent.x % extent.y),
                          static_cast<std::uint32_t>(first / extent.x / extent.y)};
    for (std::uint64_t i = first; i < last; ++i) {
        work(position);
        if (++position.x < extent.x) continue;
        position.x = 0;
        if (++position.y < extent.y) continue;
        position.y = 0, ++position.z;
    }
}

inline constexpr std::uint64_t kBlocksOfChunk = 64, kThreadsOfChunk = 16384;

/// The tiles of a kernel file's map, which is evaluated for a whole chunk of blocks.
void walk_compiled(Pool& pool, const EvaluatedMap& map, std::uint32_t rows, const PerChunk<Tile>& process) {
    for_chunks(pool, map.grid(rows).count(), kBlocksOfChunk, [&](std::uint64_t first, std::uint64_t last) {
        std::array<Tile, kBlocksOfChunk> tiles;
        map.tiles(rows, first, last, tiles.data());
        const auto chunk = [&](const Visit<Tile>& visit) {
            for (std::uint64_t i = 0; i < last - first; ++i)
                if (useful(tiles[i], rows)) visit(tiles[i]);
        };
        process(std::ref(chunk));
    });
}

/// Processes the tiles of all blocks of the form that do not idle.
template <class Tiles, class Form>
void walk_blocks(Pool& pool, const Form& form, std::uint32_t rows, const PerChunk<Tiles>& process) {
    form.launches(rows, [&](Extent blocks, auto find) {
        for_chunks(pool, blocks.count(), kBlocksOfChunk, [&](std::uint64_t first, std::uint64_t last) {
            const auto chunk = [&](const Visit<Tiles>& visit) {
                for_positions(blocks, first, last, [&](GridPosition block) {
                    if constexpr (in_strips<decltype(find)>) {
                        for_tiles(find, block, rows, visit);
                    } else {
                        const auto tiles = find(block, rows);
                        if (!find.idles(tiles, rows)) visit(tiles);
                    }
                });
            };
            process(std::ref(chunk));
        });
    });
}

/// Calls work(row, col), work = worker(), for every thread of a form in thread space whose pair exists.
template <class Form, class Worker>
void walk_threads(Pool& pool, const Form& form, std::uint32_t bodies, const Worker& worker) {
    const Extent threads = form.threads(bodies);
    for_chunks(pool, threads.count(), kThreadsOfChunk, [&](std::uint64_t first, std::uint64_t last) {
        auto work = worker();
        for_positions(threads, first, last, [&](GridPosition thread) {
            const Tile pair = form(thread, bodies);
            if (useful(pair, bodies)) work(pair.row, pair.col);
        });
    });
}

/// Common base of the CPU kernels.
class CpuKernel : public LabKernel {
public:
    using LabKernel::seconds;
    void set_own(std::shared_ptr<const KernelForm> form) { own_ = std::move(form); }
    std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) override {
        const Tile* table = table_of(choice);
        run(choice, table);  // warms up
        std::vector<double> times;
        for (int i = 0; i < repeat && !(stop && stop()); ++i) {
            const auto start = std::chrono::steady_clock::now();
            run(choice, table);
            times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        return times;
    }

protected:
    /// `side`: bodies along a side of a tile.
    CpuKernel(LabSize size, std::uint32_t side)
        : size_{size}, side_{side}, rows_{(size.bodies + side - 1) / side}, bodies_{lab_bodies(size.bodies)} {}

    virtual void run(FormChoice choice, const Tile* table) = 0;

    /// Calls work(row, col), work = on_pairs(), for the pairs of a form in thread space, and work(tile), work =
    /// on_tiles(), for the tiles of another form or of a kernel file.
    template <class OnPairs, class OnTiles>
    void walk(FormChoice choice, const Tile* table, const OnPairs& on_pairs, const OnTiles& on_tiles) {
        walk_tiles(choice, table, per_chunk<Tile>(on_tiles));
        if (choice.form == kKernelForm) return;
        with_form(choice, table, [&](auto form) {
            if constexpr (form.in_threads) walk_threads(pool_, form, size_.bodies, on_pairs);
        });
    }

    const Tile* table_of(FormChoice choice) {
        if (reads_lut_table(choice) && table_.empty()) table_ = lut_table(rows_);
        return table_.data();
    }
    std::uint32_t end(std::uint32_t first) const { return std::min(size_.bodies, first + side_); }

    Pool pool_{0, false};
    LabSize size_;
    std::uint32_t side_, rows_;
    std::vector<Vec4f> bodies_;

private:
    void walk_tiles(FormChoice choice, const Tile* table, const PerChunk<Tile>& process) {
        if (choice.form == kKernelForm) return walk_compiled(pool_, own_->map, rows_, process);
        with_form(choice, table, [&](auto form) {
            if constexpr (!form.in_threads) walk_blocks(pool_, form, rows_, process);
        });
    }

    std::vector<Tile> table_;
    std::shared_ptr<const KernelForm> own_;
};

// The operations of dummy, triplet and quadruplet on a tuple: write a sum to one address, or mark it.

/// Writes to one address. Each chunk of work has its own; otherwise the measurement would show how cores share a cache
/// line.
class WriteLast {
public:
    explicit WriteLast(std::atomic<std::uint32_t>& last) : last_{&last} {}
    WriteLast(WriteLast&& other) noexcept : last_{other.last_} { other.last_ = nullptr; }
    WriteLast(const WriteLast&) = delete;
    WriteLast& operator=(const WriteLast&) = delete;
    ~WriteLast() {
        if (last_) last_->store(sum_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    void write(std::uint32_t sum) { sum_.store(sum, std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t>* last_;
    std::atomic<std::uint32_t> sum_{0};
};

/// One bit per tuple, marked by all threads.
class Marks {
public:
    explicit Marks(std::uint64_t items) : words_((items + 63) / 64) {}

    void mark(std::uint64_t item) {
        const std::uint64_t bit = std::uint64_t{1} << (item % 64);
        const std::atomic_ref<std::uint64_t> word{words_[item / 64]};
        if (word.fetch_or(bit, std::memory_order_relaxed) & bit) twice_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Number of different items visited.
    std::uint64_t visited() const {
        std::uint64_t visited = 0;
        for (const std::uint64_t word : words_) visited += static_cast<std::uint64_t>(std::popcount(word));
        return visited;
    }
    /// Number of repeated visits.
    std::uint64_t twice() const { return twice_; }

private:
    std::vector<std::uint64_t> words_;
    std::atomic<std::uint64_t> twice_ = 0;
};

/// Calls work(i, j) for the pairs j ≤ i of a tile of side × side bodies.
template <class Work>
void for_pairs_of(Tile tile, std::uint32_t side, std::uint32_t bodies, Work& work) {
    const std::uint32_t first = tile.row * side, left = tile.col * side;
    for (std::uint32_t i = first; i < std::min(bodies, first + side); ++i)
        for (std::uint32_t j = left; j < left + side && j <= i; ++j) work(i, j);
}

/// The map alone: i + j of every pair is written to one address.
class Dummy final : public CpuKernel {
public:
    explicit Dummy(LabSize size) : CpuKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        Marks marks{pairs};
        walk_pairs(choice, table_of(choice),
                   [&] { return [&](std::uint32_t i, std::uint32_t j) { marks.mark(triangular(i) + j); }; });
        last_ = ~0u;
        run(choice, table_of(choice));
        return dummy_verdict(pairs, marks.visited(), marks.twice(), last_, size_.bodies);
    }

private:
    void run(FormChoice choice, const Tile* table) override {
        walk_pairs(choice, table, [&] {
            return [sum = WriteLast{last_}](std::uint32_t i, std::uint32_t j) mutable { sum.write(i + j); };
        });
    }

    /// Not inlined, so that all forms run the same code for a tile.
    template <class Work>
    [[gnu::noinline]] void interact(Tile tile, Work& work) {
        for_pairs_of(tile, side_, size_.bodies, work);
    }

    template <class Worker>
    void walk_pairs(FormChoice choice, const Tile* table, const Worker& worker) {
        walk(choice, table, worker, [&] { return [&, work = worker()](Tile tile) mutable { interact(tile, work); }; });
    }

    std::atomic<std::uint32_t> last_ = 0;
};

struct OfTriples {
    using Tiles = TileTriple;
    static constexpr const char* name = "triplet";
    static constexpr auto count = tetrahedral;
    static constexpr auto verdict = triplet_verdict;
    static std::uint64_t index(std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return tetrahedral(k) + triangular(j) + i;
    }
    template <class Work>
    static void visit(TileTriple t, std::uint32_t side, std::uint32_t bodies, Work& work) {
        for (std::uint32_t k = t.k * side; k < std::min(bodies, (t.k + 1) * side); ++k)
            for (std::uint32_t j = t.j * side; j < (t.j + 1) * side && j <= k; ++j)
                for (std::uint32_t i = t.i * side; i < (t.i + 1) * side && i <= j; ++i) work(i, j, k);
    }
    template <class Use>
    static void with_form(FormChoice choice, const std::vector<std::uint32_t>& layers, const Use& use) {
        with_form3(choice, layers.data(), use);
    }
};

struct OfQuadruples {
    using Tiles = TileQuadruple;
    static constexpr const char* name = "quadruplet";
    static constexpr auto count = simplex4;
    static constexpr auto verdict = quadruplet_verdict;
    static std::uint64_t index(std::uint32_t i, std::uint32_t j, std::uint32_t k, std::uint32_t l) {
        return exact::index_of(TileQuadruple{i, j, k, l});
    }
    template <class Work>
    static void visit(TileQuadruple t, std::uint32_t side, std::uint32_t bodies, Work& work) {
        for (std::uint32_t l = t.l * side; l < std::min(bodies, (t.l + 1) * side); ++l)
            for (std::uint32_t k = t.k * side; k < (t.k + 1) * side && k <= l; ++k)
                for (std::uint32_t j = t.j * side; j < (t.j + 1) * side && j <= k; ++j)
                    for (std::uint32_t i = t.i * side; i < (t.i + 1) * side && i <= j; ++i) work(i, j, k, l);
    }
    template <class Use>
    static void with_form(FormChoice choice, const std::vector<std::uint32_t>&, const Use& use) {
        with_form4(choice, use);
    }
};

/// The maps of triples or quadruples alone: the sum of the indices of every tuple is written to one address.
template <class Of>
class Tuples final : public CpuKernel {
    using Tiles = typename Of::Tiles;

public:
    explicit Tuples(LabSize size) : CpuKernel{size, size.rho} { require_memory(Of::name, Of::count(size.bodies) / 8); }

    LabCheck check(FormChoice choice) override {
        const std::uint64_t tuples = Of::count(size_.bodies);
        Marks marks{tuples};
        walk(choice, [&] { return [&](auto... members) { marks.mark(Of::index(members...)); }; });
        last_ = ~0u;
        run(choice, nullptr);
        return Of::verdict(tuples, marks.visited(), marks.twice(), last_, size_.bodies);
    }

private:
    void run(FormChoice choice, const Tile*) override {
        walk(choice, [&] { return [sum = WriteLast{last_}](auto... members) mutable { sum.write((members + ...)); }; });
    }

    /// Not inlined, so that all forms run the same code for a tile.
    template <class Work>
    [[gnu::noinline]] void interact(Tiles tiles, Work& work) {
        Of::visit(tiles, side_, size_.bodies, work);
    }

    template <class Worker>
    void walk(FormChoice choice, const Worker& worker) {
        const auto on_tiles = [&] { return [&, work = worker()](Tiles tiles) mutable { interact(tiles, work); }; };
        walk_tiles(choice, per_chunk<Tiles>(on_tiles));
    }
    void walk_tiles(FormChoice choice, const PerChunk<Tiles>& process) {
        Of::with_form(choice, layers_, [&](auto form) { walk_blocks(pool_, form, rows_, process); });
    }

    const std::vector<std::uint32_t> layers_ = lambda3_table(rows_);
    std::atomic<std::uint32_t> last_ = 0;
};

constexpr float kEdmSpoilt = std::numeric_limits<float>::quiet_NaN();
constexpr double kTolerance = 1e-6;  // relative, against double: float rounds a sum of four squares and its root

/// The Euclidean distance matrix: √Σ(a − b)² over 1 … 4 features, written to the lower triangle of an N × N matrix.
template <int F>
class Edm final : public CpuKernel {
public:
    explicit Edm(LabSize size) : CpuKernel{size, size.rho} {
        const std::uint64_t elements = std::uint64_t{size.bodies} * size.bodies;
        require_memory("edm", elements * sizeof(float));
        matrix_.reset(new float[elements]);  // not initialized: half of it is never touched
        for (const Vec4f& body : bodies_) features_.push_back(Features<F>::of(body));
    }

    LabCheck check(FormChoice choice) override {
        std::fill_n(matrix_.get(), std::uint64_t{size_.bodies} * size_.bodies, kEdmSpoilt);
        run(choice, table_of(choice));
        std::atomic<std::uint64_t> wrong = 0, outside = 0;
        pool_.parallel_for(0, size_.bodies, [&](std::uint64_t i) {
            for (std::uint64_t j = 0; j < size_.bodies; ++j) {
                const float found = matrix_[i * size_.bodies + j];
                if (j > i)
                    outside += !std::isnan(found);
                else
                    wrong += !right(found, bodies_[i], bodies_[j]);
            }
        });
        return edm_verdict(wrong, outside);
    }

private:
    static bool right(float found, Vec4f a, Vec4f b) {
        const std::array<double, 4> apart{double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z, double{a.w} - b.w};
        double sum = 0;
        for (int f = 0; f < F; ++f) sum += apart[static_cast<std::size_t>(f)] * apart[static_cast<std::size_t>(f)];
        return std::abs(found - std::sqrt(sum)) <= kTolerance * std::sqrt(sum);
    }

    void write(std::uint64_t i, std::uint64_t j) {
        matrix_[i * size_.bodies + j] = std::sqrt(distance2(features_[i], features_[j]));
    }
    /// Not inlined, so that all forms run the same code for a tile.
    [[gnu::noinline]] void interact(Tile tile) {
        const std::uint32_t first = tile.row * side_, left = tile.col * side_;
        for (std::uint32_t i = first; i < end(first); ++i)
            for (std::uint32_t j = left; j < left + side_ && j <= i; ++j) write(i, j);
    }

    void run(FormChoice choice, const Tile* table) override {
        walk(
            choice, table, [&] { return [&](auto i, auto j) { write(i, j); }; },
            [&] { return [&](Tile tile) { interact(tile); }; });
    }

    std::vector<Features<F>> features_;
    std::unique_ptr<float[]> matrix_;
};

/// A step of a cellular automaton on the triangle.
class Automaton final : public CpuKernel {
public:
    explicit Automaton(LabSize size) : CpuKernel{size, size.rho}, board_{size.bodies} {
        require_memory("automaton", 2 * board_.bytes());
        now_ = life_cells(board_);
        next_.assign(board_.bytes(), kUnsteppedCell);
    }

    LabCheck check(FormChoice choice) override {
        std::ranges::fill(next_, kUnsteppedCell);
        run(choice, table_of(choice));
        std::uint64_t wrong = 0, outside = 0;
        for (std::uint32_t row = 0; row < board_.pitch(); ++row)
            for (std::uint32_t column = 0; column < board_.pitch(); ++column) {
                const std::uint64_t at = std::uint64_t{row} * board_.pitch() + column;
                const bool inside = row > 0 && column > 0 && row <= board_.cells && column <= row;
                if (inside)
                    wrong += next_[at] != stepped_cell(now_.data() + at, board_.pitch());
                else
                    outside += next_[at] != kUnsteppedCell;
            }
        return automaton_verdict(wrong, outside);
    }

private:
    void step(std::uint32_t i, std::uint32_t j) {
        const std::uint64_t at = board_.place(i, j);
        next_[at] = stepped_cell(now_.data() + at, board_.pitch());
    }
    /// Not inlined, so that all forms run the same code for a tile.
    [[gnu::noinline]] void interact(Tile tile) {
        const auto work = [this](std::uint32_t i, std::uint32_t j) { step(i, j); };
        for_pairs_of(tile, side_, size_.bodies, work);
    }

    void run(FormChoice choice, const Tile* table) override {
        walk(
            choice, table, [&] { return [&](auto i, auto j) { step(i, j); }; },
            [&] { return [&](Tile tile) { interact(tile); }; });
    }

    LifeBoard board_;
    std::vector<std::uint8_t> now_, next_;
};

constexpr std::size_t kLongestSide = 32 * kRowSpan;

/// Finds overlaps among N spheres: a byte per pair below the diagonal, or per overlap, and their number. A block
/// processes a tile of Span·ρ × Span·ρ pairs, and loads the spheres of its tile together, as on a device.
template <int D, std::uint32_t Span>
class Collision final : public CpuKernel {
public:
    explicit Collision(LabSize size) : CpuKernel{size, size.rho * Span} {
        const std::uint64_t pairs = std::uint64_t{size.bodies} * size.bodies;
        require_memory("collision", pairs);
        flags_.reset(new std::uint8_t[pairs]);
    }

    LabCheck check(FormChoice choice) override {
        if (!kEveryPair)
            if (LabCheck pairs = check_pairs(choice); !pairs.right) return pairs;
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

    /// A kernel that writes overlaps alone does not show whether a map leaves out a pair that does not overlap: a run
    /// of the same form marks each pair.
    LabCheck check_pairs(FormChoice choice) {
        const std::uint64_t pairs = triangular(size_.bodies);
        Marks marks{pairs};
        const auto mark = [&](std::uint64_t i, std::uint64_t j) { marks.mark(triangular(i) + j); };
        walk(
            choice, table_of(choice), [&] { return mark; },
            [&] { return [&](Tile tile) { for_pairs_of(tile, side_, size_.bodies, mark); }; });
        return pairs_verdict(pairs, marks.visited(), marks.twice());
    }

    void run(FormChoice choice, const Tile* table) override {
        counted_ = 0;
        walk(
            choice, table,
            [&] {
                return [this, counter = Counter{counted_}](std::uint64_t i, std::uint64_t j) mutable {
                    if (i == j) return;
                    const bool collides = gap<D>(bodies_[i], bodies_[j]) < 0;
                    if (kEveryPair || collides) flags_[i * size_.bodies + j] = collides;
                    counter.count += collides;
                };
            },
            [&] {
                return [this, counter = Counter{counted_}](Tile tile) mutable { counter.count += interact(tile); };
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

void set_kernel_map(LabKernel& kernel, std::shared_ptr<const KernelForm> form) {
    auto* const here = dynamic_cast<CpuKernel*>(&kernel);
    if (!here) usage_error("thread maps of kernel files are timed on cpu");
    here->set_own(std::move(form));
}

std::unique_ptr<LabKernel> cpu_dummy(LabSize size) { return std::make_unique<Dummy>(size); }
std::unique_ptr<LabKernel> cpu_automaton(LabSize size) { return std::make_unique<Automaton>(size); }
std::unique_ptr<LabKernel> cpu_triplet(LabSize size) { return std::make_unique<Tuples<OfTriples>>(size); }
std::unique_ptr<LabKernel> cpu_quadruplet(LabSize size) { return std::make_unique<Tuples<OfQuadruples>>(size); }
std::unique_ptr<LabKernel> cpu_edm(LabSize size) { return kernel_of_dimensions<Edm>(size); }
std::unique_ptr<LabKernel> cpu_collision(LabSize size) { return collision<kSpan>(size); }
std::unique_ptr<LabKernel> cpu_collision_pairs(LabSize size) { return collision<1>(size); }
std::unique_ptr<LabKernel> cpu_collision_rows(LabSize size) { return collision<kRowSpan>(size); }

}  // namespace orrery
