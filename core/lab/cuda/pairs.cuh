// SPDX-License-Identifier: MIT
// Forms launched on a device: kernels with one pair per thread, and code shared by all kernels of the laboratory.
#pragma once
#include <bit>
#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/lab/cuda/dynamic.cuh"
#include "core/lab/cuda/sums.cuh"
#include "core/lab/kernel.hpp"
#include "core/maps/maps.hpp"

namespace orrery::lab {

/// One block of ρ × ρ threads per tile. An idle block returns before it computes any thread coordinate, and threads of
/// a block diverge only on the diagonal and in the last row. ρ is 2^kLogRho, or 2^log_rho if that is 0: in blocks that
/// do next to nothing even a shift counts.
template <unsigned kLogRho, class Find, class Work>
__global__ void __launch_bounds__(1024)
    pairs_in_blocks(Find find, Work work, std::uint32_t rows, std::uint32_t bodies, std::uint32_t log_rho) {
    __builtin_assume(rows <= kNarrowRows);  // 32-bit indices, no branch for larger ones
    const Tile tile = find(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows);
    if (find.idles(tile, rows)) return;
    const std::uint32_t shift = kLogRho > 0 ? kLogRho : log_rho;
    const std::uint32_t i = (tile.row << shift) + threadIdx.y, j = (tile.col << shift) + threadIdx.x;
    if (j <= i && i < bodies) work(i, j);
}

/// A form in thread space: the map is computed by every thread. A wrong pair is skipped, never written.
template <class Form, class Work>
__global__ void __launch_bounds__(1024)
    pairs_in_threads(Form form, Work work, std::uint32_t width, std::uint32_t height, std::uint32_t bodies) {
    const std::uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Tile pair = form(GridPosition{x, y, 0}, bodies);
    if (pair.col <= pair.row && pair.row < bodies) work(pair.row, pair.col);
}

inline dim3 dimensions(Extent extent) { return {extent.x, extent.y, extent.z}; }

template <class Form, class Work>
void launch_threads(const char* name, LabSize size, cudaStream_t stream, const Form& form, const Work& work) {
    const Extent threads = Form::threads(size.bodies);
    const LabBlocks laid = blocks_of_threads(threads, size.rho);
    cuda::launch(name, {dimensions(laid.blocks), dimensions(laid.block)}, stream, pairs_in_threads<Form, Work>, form,
                 work, threads.x, threads.y, size.bodies);
}

/// The papers' ρ, for which kernels may be compiled separately.
enum class Compiled { kForAnyRho, kForSixteenToo };

/// One pair per thread, by any form.
template <Compiled For = Compiled::kForAnyRho, class Work>
void launch_pairs(const char* name, LabSize size, std::uint32_t rows, cudaStream_t stream, FormChoice choice,
                  const Tile* d_table, const Work& work) {
    with_form(choice, d_table, [&](auto form) {
        if constexpr (decltype(form)::in_threads) {
            launch_threads(name, size, stream, form, work);
        } else if constexpr (requires { form.from_device; }) {
            launch_dynamic(size.rho, rows, stream, PairsOfTile<Work>{work, size.bodies});
        } else {
            form.launches(rows, [&](Extent blocks, auto find) {
                auto kernel = pairs_in_blocks<0, decltype(find), Work>;
                if constexpr (For == Compiled::kForSixteenToo)
                    if (size.rho == 16) kernel = pairs_in_blocks<4, decltype(find), Work>;
                cuda::launch(name, {dimensions(blocks), dim3(size.rho, size.rho)}, stream, kernel, find, work, rows,
                             size.bodies, static_cast<std::uint32_t>(std::countr_zero(size.rho)));
            });
        }
    });
}

/// Counts the cycles of one core for a fifth of a millisecond: the clock while the device is still warm.
__global__ void count_cycles(double* mhz);

class CudaKernel : public LabKernel {
public:
    using LabKernel::seconds;
    std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) override;
    double clock_mhz() override;

protected:
    /// `side`: bodies on a side of a tile.
    CudaKernel(LabSize size, std::uint32_t side)
        : size_{size}, rows_{(size.bodies + side - 1) / side}, bodies_{lab_bodies(size.bodies)} {}

    virtual void enqueue(FormChoice choice) = 0;

    /// Uploads the table of lut at its first use.
    const Tile* table_of(FormChoice choice);
    template <class T>
    T read(const cuda::DeviceBuffer<T>& d_value) const {
        T value{};
        cuda::download(d_value, std::span{&value, 1}, stream_.get());
        stream_.wait();
        return value;
    }
    template <class T>
    void fill(cuda::DeviceBuffer<T>& d_values, int byte) const {
        cuda::check(cudaMemsetAsync(d_values.data(), byte, d_values.size() * sizeof(T), stream_.get()), "fill");
    }

    LabSize size_;
    std::uint32_t rows_;
    std::vector<Vec4f> bodies_;
    cuda::Stream stream_;

private:
    cuda::DeviceBuffer<Tile> d_table_;
    cuda::DeviceBuffer<double> d_mhz_{1};
};

}  // namespace orrery::lab
