// SPDX-License-Identifier: MIT
// Kernels of pairs: the map alone, the distance matrix, an automaton; what they share.
#include <array>

#include "core/lab/cuda/pairs.cuh"

namespace orrery::lab {

using namespace cuda;

constexpr int kWarmUps = 3;

__global__ void count_cycles(double* mhz) {
    constexpr unsigned long long kNanoseconds = 200000;
    unsigned long long begin = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long first = clock64();
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < kNanoseconds);
    *mhz = 1e3 * static_cast<double>(clock64() - first) / static_cast<double>(now - begin);
}

std::vector<double> CudaKernel::seconds(FormChoice choice, int repeat, const Stop& stop) {
    std::vector<Event> starts(static_cast<std::size_t>(repeat)), ends(static_cast<std::size_t>(repeat));
    for (int i = 0; i < kWarmUps; ++i) enqueue(choice);
    std::size_t runs = 0;
    for (; runs < starts.size() && !(stop && stop()); ++runs) {
        starts[runs].record(stream_.get());
        enqueue(choice);
        ends[runs].record(stream_.get());
    }
    std::vector<double> times;
    for (std::size_t i = 0; i < runs; ++i) times.push_back(ends[i].seconds_since(starts[i]));
    return times;
}

double CudaKernel::clock_mhz() {
    launch("count_cycles", {dim3(1), dim3(1)}, stream_.get(), count_cycles, d_mhz_.data());
    return read(d_mhz_);
}

const Tile* CudaKernel::table_of(FormChoice choice) {
    if (reads_lut_table(choice) && d_table_.size() == 0) {
        const std::vector<Tile> table = lut_table(rows_);
        d_table_ = DeviceBuffer<Tile>{table.size()};
        upload(std::span<const Tile>{table}, d_table_, stream_.get());
        stream_.wait();
    }
    return d_table_.data();
}

namespace {

using namespace cuda;

__global__ void count_bits(const std::uint32_t* bits, std::uint64_t words, unsigned long long* visited) {
    std::uint32_t here = 0;
    for (std::uint64_t i = thread_index(); i < words; i += std::uint64_t{gridDim.x} * blockDim.x)
        here += static_cast<std::uint32_t>(__popc(bits[i]));
    add_of_warp(here, visited);
}

}  // namespace

MarkSink Marks::clear(std::uint64_t items, cudaStream_t stream) {
    const std::uint64_t words = (items + 31) / 32;
    if (d_bits_.size() != words) d_bits_ = {}, d_bits_ = DeviceBuffer<std::uint32_t>{words};
    check(cudaMemsetAsync(d_bits_.data(), 0, words * sizeof(std::uint32_t), stream), "clearing marks");
    check(cudaMemsetAsync(d_counts_.data(), 0, 2 * sizeof(unsigned long long), stream), "clearing marks");
    return {d_bits_.data(), d_counts_.data()};
}

Marks::Found Marks::count(cudaStream_t stream) {
    launch("count_bits", {dim3(1024), dim3(256)}, stream, count_bits, d_bits_.data(), d_bits_.size(),
           d_counts_.data() + 1);
    std::array<unsigned long long, 2> counts{};
    download(d_counts_, std::span<unsigned long long>{counts}, stream);
    check(cudaStreamSynchronize(stream), "count_bits");
    return {counts[0], counts[1]};
}

}  // namespace orrery::lab

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

// The map alone: every thread writes i + j to one address.

class Dummy final : public CudaKernel {
public:
    explicit Dummy(LabSize size) : CudaKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t pairs = triangular(size_.bodies);
        launch_pairs("mark_pairs", size_, rows_, stream_.get(), choice, table_of(choice),
                     MarkPair{marks_.clear(pairs, stream_.get())});
        fill(d_last_, 0xff);
        enqueue(choice);
        const Marks::Found found = marks_.count(stream_.get());
        return dummy_verdict(pairs, found.visited, found.twice, read(d_last_), size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        launch_pairs<Compiled::kForSixteenToo>("dummy", size_, rows_, stream_.get(), choice, table_of(choice),
                                               WriteSum{d_last_.data()});
    }

    DeviceBuffer<std::uint32_t> d_last_{1};
    Marks marks_;
};

}  // namespace

std::unique_ptr<LabKernel> cuda_dummy(LabSize size) { return std::make_unique<Dummy>(size); }

// The Euclidean distance matrix from global memory: a vector load for each body of the pair, and one store that
// bypasses the caches.

namespace {

constexpr double kTolerance = 1e-6;  // relative, against double

/// Result of a check.
struct EdmTally {
    unsigned long long wrong, outside;
};

/// Recomputes every entry of the matrix in double by a direct loop; one block per row.
template <int F>
__global__ void count_wrong_distances(const Vec4f* bodies, const float* matrix, std::uint32_t width, EdmTally* tally) {
    const std::uint32_t i = blockIdx.x;
    const Vec4f a = bodies[i];
    std::uint32_t wrong = 0, outside = 0;
    for (std::uint32_t j = threadIdx.x; j < width; j += blockDim.x) {
        const float found = matrix[std::uint64_t{i} * width + j];
        if (j > i) {
            outside += !isnan(found);
            continue;
        }
        const Vec4f b = bodies[j];
        const double x = double{a.x} - b.x, y = double{a.y} - b.y, z = double{a.z} - b.z, w = double{a.w} - b.w;
        const double root = sqrt(x * x + (F > 1 ? y * y : 0) + (F > 2 ? z * z : 0) + (F > 3 ? w * w : 0));
        wrong += !(fabs(found - root) <= kTolerance * root);
    }
    add_of_warp(wrong, &tally->wrong);
    add_of_warp(outside, &tally->outside);
}

template <int F>
class Edm final : public CudaKernel {
public:
    explicit Edm(LabSize size) : CudaKernel{size, size.rho} {
        const std::uint64_t elements = std::uint64_t{size.bodies} * size.bodies;
        require_memory(size.bodies, elements * sizeof(float));
        d_matrix_ = DeviceBuffer<float>{elements};
        std::vector<Features<F>> features;
        for (const Vec4f& body : bodies_) features.push_back(Features<F>::of(body));
        upload(std::span<const Features<F>>{features}, d_features_, stream_.get());
        upload(std::span<const Vec4f>{bodies_}, d_bodies_, stream_.get());
        stream_.wait();
    }

    LabCheck check(FormChoice choice) override {
        fill(d_tally_, 0);
        fill(d_matrix_, 0xff);  // NaN
        enqueue(choice);
        launch("count_wrong_distances", {dim3(size_.bodies), dim3(256)}, stream_.get(), count_wrong_distances<F>,
               d_bodies_.data(), d_matrix_.data(), size_.bodies, d_tally_.data());
        const EdmTally found = read(d_tally_);
        return edm_verdict(found.wrong, found.outside);
    }

private:
    void enqueue(FormChoice choice) override {
        launch_pairs("edm", size_, rows_, stream_.get(), choice, table_of(choice),
                     WriteDistance<F>{d_features_.data(), d_matrix_.data(), size_.bodies});
    }

    DeviceBuffer<Features<F>> d_features_{size_.bodies};
    DeviceBuffer<Vec4f> d_bodies_{size_.bodies};
    DeviceBuffer<float> d_matrix_;
    DeviceBuffer<EdmTally> d_tally_{1};
};

}  // namespace

std::unique_ptr<LabKernel> cuda_edm(LabSize size) { return kernel_of_dimensions<Edm>(size); }

// A step of a cellular automaton on the triangle: each thread reads nine cells and writes one.

namespace {

/// Result of a check.
struct LifeTally {
    unsigned long long wrong, outside;
};

/// Recomputes every cell by a direct loop; one block per row of the board with its frame.
__global__ void count_wrong_cells(StepCell step, LifeTally* tally) {
    const std::uint32_t row = blockIdx.x, pitch = step.board.pitch();
    std::uint32_t wrong = 0, outside = 0;
    for (std::uint32_t column = threadIdx.x; column < pitch; column += blockDim.x) {
        const std::uint64_t at = std::uint64_t{row} * pitch + column;
        const bool inside = row > 0 && column > 0 && row <= step.board.cells && column <= row;
        if (inside)
            wrong += step.next[at] != stepped_cell(step.now + at, pitch);
        else
            outside += step.next[at] != kUnsteppedCell;
    }
    add_of_warp(wrong, &tally->wrong);
    add_of_warp(outside, &tally->outside);
}

class Automaton final : public CudaKernel {
public:
    explicit Automaton(LabSize size) : CudaKernel{size, size.rho}, board_{size.bodies} {
        require_memory(size.bodies, 2 * board_.bytes());
        d_now_ = DeviceBuffer<std::uint8_t>{board_.bytes()}, d_next_ = DeviceBuffer<std::uint8_t>{board_.bytes()};
        upload(std::span<const std::uint8_t>{life_cells(board_)}, d_now_, stream_.get());
        stream_.wait();
    }

    LabCheck check(FormChoice choice) override {
        fill(d_tally_, 0);
        fill(d_next_, kUnsteppedCell);
        enqueue(choice);
        launch("count_wrong_cells", {dim3(board_.pitch()), dim3(256)}, stream_.get(), count_wrong_cells, step(),
               d_tally_.data());
        const LifeTally found = read(d_tally_);
        return automaton_verdict(found.wrong, found.outside);
    }

private:
    StepCell step() { return {d_now_.data(), d_next_.data(), board_}; }
    void enqueue(FormChoice choice) override {
        launch_pairs("automaton", size_, rows_, stream_.get(), choice, table_of(choice), step());
    }

    LifeBoard board_;
    DeviceBuffer<std::uint8_t> d_now_, d_next_;
    DeviceBuffer<LifeTally> d_tally_{1};
};

}  // namespace

std::unique_ptr<LabKernel> cuda_automaton(LabSize size) { return std::make_unique<Automaton>(size); }

}  // namespace orrery
