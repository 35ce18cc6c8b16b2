// SPDX-License-Identifier: MIT
// The tiled loop of GPU Gems 3, ch. 31, on a CPU: the threads of a block become elements of arrays, which compilers map
// to SIMD lanes.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/lab/force_experiments.hpp"

namespace orrery {
namespace {

constexpr int kMostTile = 1024;

/// Coordinates of p bodies, and the accelerations accumulated for them.
struct TileRows {
    std::array<float, kMostTile> x, y, z, ax, ay, az;
};

template <int U>
void interact_tile(TileRows& rows, int p, const Vec4f* columns, float softening2) {
    for (int j = 0; j < p; j += U)
        for (int i = 0; i < p; ++i) {
            const auto at = static_cast<std::size_t>(i);
            float ax = rows.ax[at], ay = rows.ay[at], az = rows.az[at];
#pragma GCC unroll 32
            for (int u = 0; u < U; ++u) {
                const Vec4f other = columns[j + u];
                const float x = other.x - rows.x[at], y = other.y - rows.y[at], z = other.z - rows.z[at];
                const float r2 = x * x + y * y + z * z + softening2;
                const float inverse = 1.0f / std::sqrt(r2), s = other.w * inverse * inverse * inverse;
                ax += s * x, ay += s * y, az += s * z;
            }
            rows.ax[at] = ax, rows.ay[at] = ay, rows.az[at] = az;
        }
}

template <int U>
class Tiles final : public CpuTiles {
public:
    Tiles(const Bodies& bodies, const TileShape& shape) : shape_{shape}, count_{bodies.position_mass.size()} {
        const auto p = static_cast<std::size_t>(shape.p);
        blocks_ = (count_ + p - 1) / p;
        for (const Vec4d& body : bodies.position_mass) bodies_.push_back(convert<float>(body));
        bodies_.resize(blocks_ * p);  // padding has no mass: it exerts no force
        partial_.resize(static_cast<std::size_t>(shape.q) * bodies_.size());
    }

    void accelerate() override {
        const auto q = static_cast<std::uint64_t>(shape_.q);
        pool_.parallel_for(0, blocks_ * q, [&](std::uint64_t item) { block(item / q, item % q); });
        pool_.parallel_for(0, blocks_, [&](std::uint64_t row) { add_parts(row); });
    }

    std::vector<Vec4d> accelerations() const override {
        std::vector<Vec4d> all;
        for (std::size_t i = 0; i < count_; ++i) all.push_back(convert<double>(partial_[i]));
        return all;
    }

private:
    /// Computes part `part` of q of the columns for the bodies of a block.
    void block(std::uint64_t row, std::uint64_t part) {
        const auto p = static_cast<std::size_t>(shape_.p);
        TileRows rows{};
        for (std::size_t i = 0; i < p; ++i) {
            const Vec4f body = bodies_[row * p + i];
            rows.x[i] = body.x, rows.y[i] = body.y, rows.z[i] = body.z;
        }
        std::array<Vec4f, kMostTile> columns;
        const auto q = static_cast<std::uint64_t>(shape_.q);
        for (std::uint64_t tile = blocks_ * part / q; tile < blocks_ * (part + 1) / q; ++tile) {
            std::copy_n(bodies_.begin() + static_cast<std::ptrdiff_t>(tile * p), p, columns.begin());
            interact_tile<U>(rows, shape_.p, columns.data(), static_cast<float>(kLabSoftening * kLabSoftening));
        }
        for (std::size_t i = 0; i < p; ++i)
            partial_[part * bodies_.size() + row * p + i] = {rows.ax[i], rows.ay[i], rows.az[i], 0};
    }

    void add_parts(std::uint64_t row) {
        const auto p = static_cast<std::size_t>(shape_.p);
        for (std::size_t i = row * p; i < (row + 1) * p; ++i)
            for (std::size_t part = 1; part < static_cast<std::size_t>(shape_.q); ++part) {
                const Vec4f more = partial_[part * bodies_.size() + i];
                partial_[i].x += more.x, partial_[i].y += more.y, partial_[i].z += more.z;
            }
    }

    Pool pool_{0, false};
    TileShape shape_;
    std::size_t count_;
    std::uint64_t blocks_ = 0;
    std::vector<Vec4f> bodies_, partial_;  // partial_: [part][body]
};

}  // namespace

std::unique_ptr<CpuTiles> make_cpu_tiles(const Bodies& bodies, const TileShape& shape) {
    switch (shape.u) {
        case 1:
            return std::make_unique<Tiles<1>>(bodies, shape);
        case 2:
            return std::make_unique<Tiles<2>>(bodies, shape);
        case 4:
            return std::make_unique<Tiles<4>>(bodies, shape);
        case 8:
            return std::make_unique<Tiles<8>>(bodies, shape);
        case 16:
            return std::make_unique<Tiles<16>>(bodies, shape);
        default:
            return std::make_unique<Tiles<32>>(bodies, shape);
    }
}

}  // namespace orrery
