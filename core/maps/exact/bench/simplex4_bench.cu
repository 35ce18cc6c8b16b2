// SPDX-License-Identifier: MIT
// Maps of the 4-simplex on a device: blocks of 4 × 4 × 4 × 4 threads over tiles of quadruples, a map per block. The
// thread of the last quadruple writes its sum, so that stores to one address do not hide the maps; a marking run counts
// each quadruple. Prints times and I = time(box) / time(map); exits with 1 if a quadruple is missing or repeated.
//   nvcc -O3 -std=c++17 -arch=native -I.. simplex4_bench.cu -o simplex4_bench_cuda && ./simplex4_bench_cuda 256
#include "simplex4.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {
using namespace orrery::exact;

constexpr std::uint32_t kSide = 4;

/// `Marks`: an array of one counter per quadruple, or null to time the map alone.
template <class Map>
__global__ void quadruples(std::uint32_t tiles, std::uint32_t n, std::uint32_t* last, unsigned* marks) {
    __shared__ Quadruple shared;
    if (threadIdx.x == 0) shared = Map{}(blockIdx.x + std::uint64_t{gridDim.x} * blockIdx.y, tiles);
    __syncthreads();
    const Quadruple tile = shared;
    if (!bench::useful(tile, tiles)) return;
    const std::uint32_t t = threadIdx.x, i = tile.i * kSide + t % kSide, j = tile.j * kSide + t / kSide % kSide,
                        k = tile.k * kSide + t / (kSide * kSide) % kSide,
                        l = tile.l * kSide + t / (kSide * kSide * kSide);
    if (!bench::useful({i, j, k, l}, n)) return;
    if (marks) atomicAdd(marks + index_of(Quadruple{i, j, k, l}), 1u);
    if (i == n - 1) *last = i + j + k + l;
}

void require(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(3);
}

template <class Map>
bool report(std::uint32_t n, float& box, std::uint32_t* d_last, unsigned* d_marks) {
    const std::uint32_t tiles = (n + kSide - 1) / kSide;
    const std::uint64_t blocks = Map::count(tiles);
    const dim3 grid(static_cast<unsigned>(std::min<std::uint64_t>(blocks, 1u << 30)),
                    static_cast<unsigned>((blocks + (1u << 30) - 1) >> 30));
    const auto launch = [&](unsigned* marks) {
        quadruples<Map><<<grid, kSide * kSide * kSide * kSide>>>(tiles, n, d_last, marks);
        require(cudaGetLastError());
    };
    require(cudaMemset(d_marks, 0, quadruple_count(n) * sizeof(unsigned)));
    launch(d_marks);
    std::vector<unsigned> marks(quadruple_count(n));
    require(cudaMemcpy(marks.data(), d_marks, marks.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    const bool right = std::all_of(marks.begin(), marks.end(), [](unsigned visits) { return visits == 1; });
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin));
    require(cudaEventCreate(&end));
    std::vector<float> times(15);
    for (float& time : times) {
        require(cudaEventRecord(begin));
        launch(nullptr);
        require(cudaEventRecord(end));
        require(cudaEventSynchronize(end));
        require(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(times.begin(), times.end());
    const float median = times[times.size() / 2];
    if (box == 0) box = median;
    std::printf("%-14s %10.4f ms  I %6.2f  %s\n", Map::name, median, box / median, right ? "verified" : "WRONG");
    return right;
}
}  // namespace

int main(int count, char** arguments) {
    const auto n = static_cast<std::uint32_t>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 256);
    if (n < 1 || n > 400) {
        std::fprintf(stderr, "usage: simplex4_bench_cuda [N], 1 to 400\n");
        return 2;
    }
    std::uint32_t* d_last = nullptr;
    unsigned* d_marks = nullptr;
    require(cudaMalloc(&d_last, sizeof *d_last));
    require(cudaMalloc(&d_marks, quadruple_count(n) * sizeof(unsigned)));
    float box = 0;
    const bool all = report<bench::Box4>(n, box, d_last, d_marks) & report<bench::Lambda4>(n, box, d_last, d_marks) &
                     report<bench::Recursive4>(n, box, d_last, d_marks);
    return all ? 0 : 1;
}
