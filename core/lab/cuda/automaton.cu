// SPDX-License-Identifier: MIT
// A step of a cellular automaton on the triangle: each thread reads nine cells and writes one.
#include "core/lab/cuda/pairs.cuh"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

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
