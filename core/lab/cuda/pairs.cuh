// SPDX-License-Identifier: MIT
// Launches forms on a device: kernels with one pair per thread, and code shared by all kernels of the laboratory.
#pragma once
#include <cooperative_groups.h>

#include <bit>
#include <vector>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/lab/cuda/work.cuh"
#include "core/lab/kernel.hpp"
#include "core/maps/maps.hpp"

namespace orrery::lab {

/// A form in thread space: every thread evaluates the map. An invalid pair is skipped, never written.
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

/// kForSixteenToo: the kernel is also compiled for the papers' ρ = 16.
enum class Compiled { kForAnyRho, kForSixteenToo };

/// A form in clusters of consecutive blocks: the first block evaluates the map once.
template <class Form, class TileWork>
__global__ void __launch_bounds__(1024) tiles_in_clusters(Form form, TileWork work, std::uint32_t rows) {
#if __CUDA_ARCH__ >= 900
    __builtin_assume(rows <= kNarrowRows);
    __shared__ Tile shared;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    cluster.sync();  // the shared memory of a block exists once the block has begun
    if (cluster.block_rank() == 0 && (threadIdx.x | threadIdx.y) == 0) {
        Tile tile = form(GridPosition{blockIdx.x, 0, 0}, rows);
        for (unsigned to = 0; to < Form::cluster; ++to) {
            *cluster.map_shared_rank(&shared, to) = tile;
            if (++tile.col > tile.row) tile = {tile.row + 1, 0};
        }
    }
    cluster.sync();
    const Tile tile = shared;
    if (!form.idles(tile, rows)) work(tile);
#endif
}

template <class Form, class TileWork>
void launch_clusters(const char* name, const Form& form, Extent blocks, std::uint32_t rows, dim3 block,
                     cudaStream_t stream, const TileWork& work) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = Form::cluster, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dimensions(blocks), config.blockDim = block, config.stream = stream;
    config.attrs = &attribute, config.numAttrs = 1;
    cuda::check(cudaLaunchKernelEx(&config, tiles_in_clusters<Form, TileWork>, form, work, rows), name);
}

/// Launches a block of `block` threads per tile, with any form in block space.
template <class Form, class TileWork>
void launch_tiles(const char* name, const Form& form, std::uint32_t rows, dim3 block, cudaStream_t stream,
                  const TileWork& work) {
    if constexpr (requires { form.from_device; }) {
        launch_dynamic(block, rows, stream, work);
    } else {
        form.launches(rows, [&](Extent blocks, auto find) {
            if constexpr (requires { find.cluster; })
                launch_clusters(name, find, blocks, rows, block, stream, work);
            else if constexpr (in_strips<decltype(find)>)
                cuda::launch(name, {dimensions(blocks), block}, stream, strips_in_blocks<decltype(find), TileWork>,
                             find, work, rows);
            else
                cuda::launch(name, {dimensions(blocks), block}, stream, tiles_in_blocks<decltype(find), TileWork>, find,
                             work, rows);
        });
    }
}

template <class Work>
inline constexpr bool has_long_strips = requires {
    Work::kLongStrip;
};

/// launch_tiles(), with the kernel for long strips if there is one.
template <class Form, class Work>
void launch_strips(const char* name, const Form& form, std::uint32_t rows, dim3 block, cudaStream_t stream,
                   const PairsOfTile<0, Work>& pairs) {
    if constexpr (in_strips<Form> && has_long_strips<Work>)
        if (form.strip * block.x >= Work::kLongStrip)
            return launch_tiles(name, form, rows, block, stream, LongStripsOfPairs<Work>{pairs});
    launch_tiles(name, form, rows, block, stream, pairs);
}

/// Launches one thread per pair, with any form.
template <Compiled For = Compiled::kForAnyRho, class Work>
void launch_pairs(const char* name, LabSize size, std::uint32_t rows, cudaStream_t stream, FormChoice choice,
                  const Tile* d_table, const Work& work) {
    const auto log_rho = static_cast<std::uint32_t>(std::countr_zero(size.rho));
    const dim3 block(size.rho, size.rho);
    with_form(choice, d_table, [&](auto form) {
        if constexpr (decltype(form)::in_threads) {
            launch_threads(name, size, stream, form, work);
        } else {
            if constexpr (For == Compiled::kForSixteenToo)
                if (size.rho == 16)
                    return launch_tiles(name, form, rows, block, stream,
                                        PairsOfTile<4, Work>{work, size.bodies, log_rho});
            launch_strips(name, form, rows, block, stream, PairsOfTile<0, Work>{work, size.bodies, log_rho});
        }
    });
}

/// Counts the cycles of one core for a fifth of a millisecond, to measure the clock while the device is still warm.
__global__ void count_cycles(double* mhz);

class CudaKernel : public LabKernel {
public:
    using LabKernel::seconds;
    std::vector<double> seconds(FormChoice choice, int repeat, const Stop& stop) override;
    double clock_mhz() override;

protected:
    /// `side`: bodies along a side of a tile.
    CudaKernel(LabSize size, std::uint32_t side)
        : size_{size}, rows_{(size.bodies + side - 1) / side}, bodies_{lab_bodies(size.bodies)} {}

    virtual void enqueue(FormChoice choice) = 0;

    /// Uploads the table of `lut` on first use.
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
