// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/engine.hpp"
#include "core/spatial/curve_order.hpp"
#include "core/spatial/density.hpp"

namespace orrery {

/// Makes frames of bodies on the host, including their colour quantities. The engine may be in another memory space; if
/// it has a tree, its labels must be written to host memory.
template <class Real>
class HostFrameMaker {
public:
    struct State {
        const Vec4<Real>*position_mass, *velocity, *acceleration;
        std::size_t count;
    };

    /// See BodySystem::fill().
    template <class Space>
    void fill(Frame& frame, const Coloring& coloring, const State& bodies, const Bodies& labels,
              Engine<Space, Real>& engine, Pool& pool) {
        frame.use_host();
        frame.count = bodies.count;
        frame.host.resize(bodies.count);
        for_each_in_blocks(pool, bodies.count, [&](std::size_t i) {
            const Vec4<Real>& x = bodies.position_mass[i];
            frame.host[i] = {float(x.x), float(x.y), float(x.z), 0};
        });
        const auto set = [&](const auto& scalar) {
            for_each_in_blocks(pool, bodies.count,
                               [&](std::size_t i) { frame.host[i].w = static_cast<float>(scalar(i)); });
        };
        frame.no_color = color(set, coloring, bodies, labels, engine, pool);
        std::vector<Vec4f> sample;
        for (const std::size_t i : sample_indices(bodies.count, kExtentSample)) sample.push_back(frame.host[i]);
        frame.extent = extent_of(std::move(sample), coloring.by);
    }
    /// Call when the ids of the bodies have changed.
    void forget_labels() { ages_.clear(); }
    /// Forces new densities for the next frame.
    void forget_densities() { next_density_ = {}; }

    /// True if color() would compute densities: it then reads the positions.
    bool computes_densities(const Coloring& coloring, std::size_t count) const {
        return coloring.by == ColorBy::kDensity &&
               !(coloring.may_reuse && Clock::now() < next_density_ && scalars_.size() == count);
    }
    /// Calls set() with a function that returns the scalar of a body; returns the reason if there are none. Reads only
    /// those columns of `bodies` that the quantity needs.
    template <class Space, class Set>
    std::string color(const Set& set, const Coloring& coloring, const State& bodies, const Bodies& labels,
                      Engine<Space, Real>& engine, Pool& pool) {
        if (needs_forces(coloring.by) && !coloring.forces) return std::string{kNoForces};
        const auto length = [](const Vec4<Real>& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); };
        switch (coloring.by) {
            case ColorBy::kSpeed:
                set([&](std::size_t i) { return length(bodies.velocity[i]); });
                break;
            case ColorBy::kAcceleration:
                set([&](std::size_t i) { return length(bodies.acceleration[i]); });
                break;
            case ColorBy::kMass:
                set([&](std::size_t i) { return bodies.position_mass[i].w; });
                break;
            case ColorBy::kPotential:
                set([&](std::size_t i) { return bodies.acceleration[i].w; });
                break;
            case ColorBy::kDensity:
                if (computes_densities(coloring, bodies.count)) find_densities(bodies, pool);
                set([&](std::size_t i) { return scalars_[i]; });
                break;
            case ColorBy::kLeaf:
            case ColorBy::kLevel:
                if (!label(coloring.by == ColorBy::kLeaf ? TreeLabel::kLeaf : TreeLabel::kLevel, bodies.count, engine))
                    return std::string{kNoTree};
                set([&](std::size_t i) { return scalars_[i]; });
                break;
            case ColorBy::kSpecies:
                if (labels.species.empty()) return std::string{kNoSpecies};
                set([&](std::size_t i) { return static_cast<int>(labels.species[i]); });
                break;
            case ColorBy::kCharge:
                if (labels.charge.empty()) return std::string{kNoCharge};
                set([&](std::size_t i) { return labels.charge[i]; });
                break;
            case ColorBy::kSightLine:
                set([&, n = coloring.along](std::size_t i) {
                    const Vec4<Real>& v = bodies.velocity[i];
                    return static_cast<double>(v.x) * n.x + static_cast<double>(v.y) * n.y +
                           static_cast<double>(v.z) * n.z;
                });
                break;
            case ColorBy::kAge:
                if (labels.ids.empty()) return std::string{kNoIds};
                if (ages_.empty()) ages_ = ranks_by_id(labels.ids);
                set([&](std::size_t i) { return ages_[i]; });
                break;
            case ColorBy::kError:
                if (!coloring.errors || coloring.errors->each.size() != bodies.count) return std::string{kNoErrors};
                set([&](std::size_t i) { return coloring.errors->each[i]; });
                break;
            case ColorBy::kField:
            case ColorBy::kStarlight:
                if (!coloring.field || coloring.field->size() != bodies.count) return std::string{kNoField};
                set([&](std::size_t i) { return (*coloring.field)[i]; });
                break;
            case ColorBy::kTile: {
                const int side = engine.report().tile_size;
                if (side < 1) return std::string{kNoTiles};
                set([&](std::size_t i) { return i / static_cast<std::size_t>(side); });
                break;
            }
        }
        return {};
    }

private:
    using Clock = std::chrono::steady_clock;

    template <class Space>
    bool label(TreeLabel label, std::size_t count, Engine<Space, Real>& engine) {
        scalars_.resize(count);
        next_density_ = {};
        const auto* tree = engine.tree();
        return tree && tree->labels(label, scalars_.data(), {});
    }

    /// Densities may be reused for some time, so that computing them takes at most a twentieth of the time.
    void find_densities(const State& bodies, Pool& pool) {
        const auto start = Clock::now();
        scalars_.resize(bodies.count);
        along_curve_.update(pool, bodies.position_mass, nullptr, bodies.count, 0);
        const auto& order = along_curve_.order();
        const auto body = [&](std::uint32_t place) { return bodies.position_mass[order[place]]; };
        for_each_in_blocks(pool, bodies.count, [&](std::size_t place) {
            const auto at = static_cast<std::uint32_t>(place);
            scalars_[order[place]] = density_along_curve(body, static_cast<std::uint32_t>(bodies.count), at);
        });
        const auto end = Clock::now();
        next_density_ = end + 19 * (end - start);
    }

    std::vector<float> ages_;     // computed on first use
    std::vector<float> scalars_;  // densities or marks
    CurveOrder<Real> along_curve_;
    Clock::time_point next_density_{};
};

}  // namespace orrery
