// SPDX-License-Identifier: MIT
#pragma once
// The vertices of a frame, computed on the device.
#include <cstdint>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/color_by.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/spatial/density.hpp"

namespace orrery::cuda {

/// Inputs of a body's colour scalar. Pointers that a quantity does not use may be null.
template <class Real>
struct ScalarSource {
    ColorBy by;
    const Vec4<Real>*position, *velocity, *acceleration;
    const float* marks;  ///< for leaf, level, density, species, charge and age
    std::uint32_t side;  ///< tile size in bodies
    Vec3d along;         ///< for the line of sight

    __device__ float operator()(std::uint64_t i) const {
        const auto length = [](const Vec4<Real>& v) { return float(sqrt(v.x * v.x + v.y * v.y + v.z * v.z)); };
        switch (by) {
            case ColorBy::kSpeed:
                return length(velocity[i]);
            case ColorBy::kAcceleration:
                return length(acceleration[i]);
            case ColorBy::kMass:
                return float(position[i].w);
            case ColorBy::kPotential:
                return float(acceleration[i].w);
            case ColorBy::kSightLine:
                return float(double(velocity[i].x) * along.x + double(velocity[i].y) * along.y +
                             double(velocity[i].z) * along.z);
            case ColorBy::kTile:
                return float(i / side);
            default:
                return marks[i];
        }
    }
};

/// Uploads per-body values converted to the type of `there`. Waits.
template <class To, class From>
void upload_as(const std::vector<From>& numbers, DeviceBuffer<To>& there, cudaStream_t stream) {
    std::vector<To> converted;
    converted.reserve(numbers.size());
    for (const From& number : numbers) converted.push_back(static_cast<To>(number));
    there = {}, there = DeviceBuffer<To>{converted.size()};
    upload<To>(converted, there, stream);
    check(cudaStreamSynchronize(stream), "uploading values of bodies");
}

template <class Real>
__global__ void make_vertices(ScalarSource<Real> scalar, bool colored, Vec4f* vertices, std::size_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4<Real> x = scalar.position[i];
    vertices[i] = {float(x.x), float(x.y), float(x.z), colored ? scalar(i) : 0.0f};
}

template <class Real>
__global__ void find_densities(const Vec4<Real>* bodies, const std::uint32_t* order, std::uint32_t count,
                               float* density) {
    const std::uint64_t place = thread_index();
    if (place >= count) return;
    const auto body = [=](std::uint32_t at) { return bodies[order[at]]; };
    density[order[place]] = density_along_curve(body, count, static_cast<std::uint32_t>(place));
}

}  // namespace orrery::cuda
