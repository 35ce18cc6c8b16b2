// SPDX-License-Identifier: MIT
// The vertices of a frame, computed on the device.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/cuda/body_kernels.cuh"
#include "core/bodies/cuda/frame_buffer.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/sampling.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/engines/cuda/curve_order.hpp"
#include "core/engines/engine.hpp"
#include "core/spatial/density.hpp"

namespace orrery::cuda {

/// Inputs of a body's colour scalar. Pointers that a quantity does not use may be null.
template <class Real>
struct ScalarSource {
    ColorBy by;
    const Vec4<Real>*position, *velocity, *acceleration;
    const float* marks;  ///< for leaf, level, density, species, charge, age, error and fields
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

/// Makes frames of bodies on a device, including their colour quantities.
template <class Real>
class FrameMaker {
public:
    struct State {
        const Vec4<Real>*position_mass, *velocity, *acceleration;
        std::size_t count;
    };

    /// See BodySystem::fill(). Waits: the frame is complete when it returns.
    void fill(Frame& frame, const Coloring& coloring, const State& bodies, const Bodies& labels,
              Engine<Device, Real>& engine, const Stream& stream) {
        const std::size_t count = bodies.count;
        frame.host.clear(), frame.gl.reset();
        frame.count = count;
        if (!frame.device || frame.device->size() != count) frame.device = std::make_shared<DeviceFrameBuffer>(count);
        ScalarSource<Real> scalar{coloring.by, bodies.position_mass, bodies.velocity, bodies.acceleration, nullptr,
                                  0,           coloring.along};
        frame.no_color = prepare(scalar, coloring, count, labels, engine, stream.get());
        launch("make_vertices", linear(count), stream.get(), make_vertices<Real>, scalar, frame.no_color.empty(),
               frame.device->data(), count);
        const std::size_t samples = std::min(count, kExtentSample);
        if (sample_.size() != samples) sample_ = DeviceBuffer<Vec4f>{samples};
        launch("gather", linear(samples), stream.get(), gather<Vec4f>, frame.device->data(), sample_.data(), count,
               samples);
        std::vector<Vec4f> sample(samples);
        download<Vec4f>(sample_, sample, stream.get());
        stream.wait();
        frame.extent = extent_of(sample, coloring.by);
    }
    /// Call when species, charges or ids of the bodies have changed.
    void forget_labels() { species_ = {}, charges_ = {}, ages_ = {}; }

private:
    /// Enqueues computing the inputs of the scalars; returns the reason if there are none.
    std::string prepare(ScalarSource<Real>& scalar, const Coloring& coloring, std::size_t count, const Bodies& labels,
                        Engine<Device, Real>& engine, cudaStream_t stream) {
        if (needs_forces(coloring.by) && !coloring.forces) return std::string{kNoForces};
        switch (coloring.by) {
            case ColorBy::kTile:
                scalar.side = static_cast<std::uint32_t>(engine.report().tile_size);
                return scalar.side > 0 ? std::string{} : std::string{kNoTiles};
            case ColorBy::kSpecies:
                return fixed(scalar, labels.species, species_, count, kNoSpecies, stream);
            case ColorBy::kCharge:
                return fixed(scalar, labels.charge, charges_, count, kNoCharge, stream);
            case ColorBy::kAge:
                if (ages_.size() == count) return scalar.marks = ages_.data(), std::string{};
                return fixed(scalar, ranks_by_id(labels.ids), ages_, count, kNoIds, stream);
            case ColorBy::kDensity:
                scalar.marks = marks(count);
                curve_.sort(scalar.position, count, 16, stream);
                launch("find_densities", linear(count), stream, find_densities<Real>, scalar.position, curve_.order(),
                       static_cast<std::uint32_t>(count), marks(count));
                return {};
            case ColorBy::kError:
                if (!coloring.errors || coloring.errors->each.size() != count) return std::string{kNoErrors};
                if (uploaded_ != coloring.errors) upload_as(coloring.errors->each, errors_, stream);
                uploaded_ = coloring.errors;
                scalar.marks = errors_.data();
                return {};
            case ColorBy::kField:
            case ColorBy::kStarlight:
                if (!coloring.field || coloring.field->size() != count) return std::string{kNoField};
                if (uploaded_field_ != coloring.field) upload_as(*coloring.field, field_, stream);
                uploaded_field_ = coloring.field;
                scalar.marks = field_.data();
                return {};
            case ColorBy::kLeaf:
            case ColorBy::kLevel: {
                const auto* tree = engine.tree();
                scalar.marks = marks(count);
                const TreeLabel label = coloring.by == ColorBy::kLeaf ? TreeLabel::kLeaf : TreeLabel::kLevel;
                return tree && tree->labels(label, marks(count), {stream}) ? std::string{} : std::string{kNoTree};
            }
            default:
                return {};
        }
    }

    /// Labels are constant and therefore uploaded once.
    template <class T>
    std::string fixed(ScalarSource<Real>& scalar, const std::vector<T>& labels, DeviceBuffer<float>& there,
                      std::size_t count, std::string_view why_none, cudaStream_t stream) {
        if (labels.empty()) return std::string{why_none};
        if (there.size() != count) upload_as(labels, there, stream);
        scalar.marks = there.data();
        return {};
    }

    float* marks(std::size_t count) {
        if (marks_.size() != count) marks_ = DeviceBuffer<float>{count};
        return marks_.data();
    }

    DeviceBuffer<Vec4f> sample_;
    DeviceBuffer<float> marks_;                     // leaf, level or density
    DeviceBuffer<float> species_, charges_, ages_;  // uploaded on first use
    DeviceBuffer<float> errors_;
    std::shared_ptr<const BodyErrors> uploaded_;  // content of errors_
    DeviceBuffer<float> field_;
    std::shared_ptr<const std::vector<float>> uploaded_field_;  // content of field_
    DeviceCurveOrder<Real> curve_;                              // for densities
};

}  // namespace orrery::cuda
