// SPDX-License-Identifier: MIT
// The vertices of a frame, computed on the OpenGL device.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/host_frame_maker.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/engine.hpp"
#include "core/gl/device.hpp"
#include "core/gl/sharing.hpp"

namespace orrery::gl {

/// Makes frames of bodies on the device, including their colour quantities. If the context that draws shares the
/// device's objects, the vertices stay in the buffer to which they are written; otherwise the host reads them. Labels
/// of trees and densities pass through the host, other labels of bodies once.
template <class Real>
class GlFrameMaker {
public:
    /// Buffers of the device.
    struct State {
        unsigned position_mass, velocity, acceleration;
        std::size_t count;
    };

    /// See BodySystem::fill(). `read_positions()` returns the bodies in host memory; it is called for densities.
    template <class ReadPositions>
    void fill(Frame& frame, const Coloring& coloring, const State& bodies, const Bodies& labels,
              Engine<Gl, Real>& engine, Pool& pool, const ReadPositions& read_positions) {
        const std::size_t count = bodies.count;
        frame.device.reset();
        frame.count = count;
        Device& device = Device::get();
        std::vector<Vec4f> sample(std::min(count, kExtentSample));
        device.run([&] {
            FrameArguments arguments{.count = static_cast<std::uint32_t>(count)};
            const int scalar =
                prepare(arguments, frame.no_color, coloring, count, labels, engine, pool, read_positions);
            const bool shared = why_frames_are_copied().empty();
            if (shared) {
                // A buffer that a context draws from has another owner.
                if (!frame.gl || frame.gl.use_count() > 1 || frame.gl->size() != count || frame.gl->stale())
                    frame.gl = std::make_shared<FrameBuffer>(count);
                frame.gl->begin_writing();
            } else {
                vertices_.reserve(std::max<std::size_t>(count, 1) * sizeof(Vec4f));
            }
            const unsigned vertices = shared ? frame.gl->name() : vertices_.name();
            const std::string defines =
                fmt::format("#define DOUBLE {}\n#define SCALAR {}\n", sizeof(Real) / 4 - 1, scalar);
            device.dispatch(device.program("bodies.comp:frame", defines),
                            {bodies.position_mass, bodies.velocity, bodies.acceleration, marks_.name(), vertices},
                            arguments, (count + kGroup - 1) / kGroup);
            sample_.reserve(kExtentSample * sizeof(Vec4f));
            const SampleArguments of_sample{arguments.count, static_cast<std::uint32_t>(sample.size())};
            device.dispatch(device.program("bodies.comp:sample", ""), {vertices, sample_.name()}, of_sample,
                            (sample.size() + kGroup - 1) / kGroup);
            if (shared) {
                frame.gl->end_writing();
                frame.host.clear();
            } else {
                frame.gl.reset();
                frame.host.resize(count);
                vertices_.read(std::as_writable_bytes(std::span{frame.host}));
            }
            sample_.read(std::as_writable_bytes(std::span{sample}));
            device.check("a frame of the bodies");
        });
        frame.extent = extent_of(std::move(sample), coloring.by);
    }
    /// Call when species, charges or ids of the bodies have changed.
    void forget_labels() { host_.forget_labels(), uploaded_ = {}; }
    /// Forces new densities for the next frame.
    void forget_densities() { host_.forget_densities(); }

private:
    static constexpr std::uint64_t kGroup = 128;  // threads of the shaders
    enum Scalar { kNone, kSpeed, kNorm, kMass, kPotential, kSightLine, kTile, kMark };

    struct FrameArguments {
        std::uint32_t count = 0, side = 0, unused[2]{};
        float along[4]{};
    };
    struct SampleArguments {
        std::uint32_t count, samples, unused[2]{};
    };
    /// The content of the marks, if it does not change from frame to frame.
    struct Uploaded {
        ColorBy by = ColorBy::kSpeed;  // has no marks
        std::shared_ptr<const void> source;
        std::size_t count = 0;
        bool operator==(const Uploaded&) const = default;
    };

    template <class ReadPositions>
    int prepare(FrameArguments& arguments, std::string& no_color, const Coloring& coloring, std::size_t count,
                const Bodies& labels, Engine<Gl, Real>& engine, Pool& pool, const ReadPositions& read_positions) {
        no_color.clear();
        if (needs_forces(coloring.by) && !coloring.forces) return no_color = kNoForces, kNone;
        switch (coloring.by) {
            case ColorBy::kSpeed:
                return kSpeed;
            case ColorBy::kAcceleration:
                return kNorm;
            case ColorBy::kMass:
                return kMass;
            case ColorBy::kPotential:
                return kPotential;
            case ColorBy::kSightLine:
                arguments.along[0] = static_cast<float>(coloring.along.x);
                arguments.along[1] = static_cast<float>(coloring.along.y);
                arguments.along[2] = static_cast<float>(coloring.along.z);
                return kSightLine;
            case ColorBy::kTile:
                arguments.side = static_cast<std::uint32_t>(std::max(0, engine.report().tile_size));
                if (arguments.side == 0) no_color = kNoTiles;
                return arguments.side > 0 ? kTile : kNone;
            default:
                break;
        }
        Uploaded now{coloring.by, nullptr, count};
        if (coloring.by == ColorBy::kError) now.source = coloring.errors;
        if (coloring.by == ColorBy::kField || coloring.by == ColorBy::kStarlight) now.source = coloring.field;
        if (now == uploaded_ && !marks_.stale()) return kMark;
        std::vector<float> marks(count);
        const auto set = [&](const auto& scalar) {
            for_each_in_blocks(pool, count, [&](std::size_t i) { marks[i] = static_cast<float>(scalar(i)); });
        };
        std::vector<Vec4<Real>> positions;
        if (host_.computes_densities(coloring, count)) positions = read_positions();
        no_color = host_.color(set, coloring, {positions.data(), nullptr, nullptr, count}, labels, engine, pool);
        uploaded_ = {};
        if (!no_color.empty()) return kNone;
        marks_.reserve(std::max<std::size_t>(count, 1) * sizeof(float));
        marks_.write(std::as_bytes(std::span{marks}));
        if (coloring.by != ColorBy::kDensity && coloring.by != ColorBy::kLeaf && coloring.by != ColorBy::kLevel)
            uploaded_ = std::move(now);
        return kMark;
    }

    HostFrameMaker<Real> host_;  // of the marks
    Buffer vertices_, sample_, marks_;
    Uploaded uploaded_;
};

}  // namespace orrery::gl
