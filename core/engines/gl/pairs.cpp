// SPDX-License-Identifier: MIT
#include "core/engines/gl/pairs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/gl/device.hpp"
#include "core/physics/law.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery::gl {

void require_group(const TileConfig& tile, std::size_t bytes) {
    const Limits& limits = Device::get().limits();
    const int threads = tile.p * tile.q;
    if (threads > limits.threads)
        usage_error(fmt::format("tile p · q = {} · {}: a block has at most {} threads on this device", tile.p, tile.q,
                                limits.threads));
    if (static_cast<std::size_t>(threads) * bytes > limits.shared_bytes)
        usage_error(fmt::format("tile p · q = {} · {}: the tile exceeds the {} bytes of shared memory on this device",
                                tile.p, tile.q, limits.shared_bytes));
}

std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, std::uint64_t windows,
                          bool shuffles) {
    return fmt::format("map {}{}{}, ρ {}, {} × {} tiles, reactions by {}, split sums added in {} part{}", config.map,
                       config.root.empty() ? "" : " · ", config.root, tile_size, tiles, tiles,
                       shuffles ? "shuffles" : "shared memory", windows, windows == 1 ? "" : "s");
}

template <class Real>
PairArguments<Real> pair_arguments(const Gravity& gravity, std::size_t count) {
    PairArguments<Real> arguments;
    const PairConstants<Real> law = pair_constants<Real>(gravity);
    arguments.count = static_cast<std::uint32_t>(count);
    arguments.law = static_cast<std::uint32_t>(gravity.law);
    arguments.softening2 = law.softening2;
    arguments.h = law.h;
    arguments.per_h = law.h > 0 ? law.per_h : Real(0);
    arguments.sigma2 = law.sigma2;
    arguments.cut_off2 = std::isfinite(law.cut_off2) ? law.cut_off2 : Real(0);
    arguments.cut_energy = law.cut_energy;
    arguments.constant = static_cast<Real>(gravity.constant);
    return arguments;
}

template <class Real>
std::string pair_defines(const PairArguments<Real>& arguments, bool potential, bool split) {
    return fmt::format(
        "#define DOUBLE {}\n#define SOFTENED {}\n#define POTENTIAL {}\n#define SPLIT {}\n#define LAW {}\n",
        sizeof(Real) == 8 ? 1 : 0, arguments.softening2 > kTouching<Real> ? 1 : 0, potential ? 1 : 0, split ? 1 : 0,
        arguments.law);
}

template <class Real>
unsigned Strengths<Real>::of(const BodyView<Gl, Real>& bodies, const PairArguments<Real>& arguments) {
    if (attracts_masses(static_cast<PairLaw>(arguments.law))) return bodies.position_mass;
    memory_.reserve(bodies.count * sizeof(Vec4<Real>));
    Device& device = Device::get();
    const Program& program =
        device.program("direct.comp:strengths", fmt::format("#define DOUBLE {}\n", sizeof(Real) == 8 ? 1 : 0));
    const unsigned charge = bodies.charge != 0 ? bodies.charge : bodies.position_mass;
    device.dispatch(program, {bodies.position_mass, memory_.name(), charge}, arguments, (bodies.count + 127) / 128);
    return memory_.name();
}

namespace {

/// Bodies in a ball of radius 1 with different masses and charges; the first half have the same mass, so that shaders
/// for equal masses are checked too.
template <class Real>
struct CheckBodies {
    std::vector<Vec4<Real>> positions, low;
    std::vector<double> charge;
    std::vector<Real> charge_of_engine;
    std::vector<Vec4d> all;  ///< positions and masses in double

    CheckBodies(std::size_t count, bool split) {
        Random random{20260419};
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3d at = std::cbrt(random.uniform()) * random.direction();
            const double mass = (i < count / 2 ? 1 : 0.5 + random.uniform()) / static_cast<double>(count);
            const Vec4<Real> high{Real(at.x), Real(at.y), Real(at.z), Real(mass)};
            Vec4<Real> rest{};
            if (split) rest = {Real(at.x - high.x), Real(at.y - high.y), Real(at.z - high.z), 0};
            positions.push_back(high);
            low.push_back(rest);
            all.push_back({double(high.x) + double(rest.x), double(high.y) + double(rest.y),
                           double(high.z) + double(rest.z), double(high.w)});
            charge_of_engine.push_back(Real(i % 2 == 0 ? 1 : -1));
            charge.push_back(double(charge_of_engine.back()));
        }
    }
};

template <class T>
Buffer buffer_of(const std::vector<T>& values) {
    Buffer buffer{values.size() * sizeof(T)};
    buffer.write(std::as_bytes(std::span{values}));
    return buffer;
}

/// Relative RMS error of sampled bodies: accelerations, and potentials if they are computed.
template <class Real>
double error_of(Engine<Gl, Real>& engine, const CheckedVariant& variant) {
    const CheckBodies<Real> bodies{variant.bodies, variant.split};
    const Buffer positions = buffer_of(bodies.positions), charge = buffer_of(bodies.charge_of_engine);
    const Buffer low = variant.split ? buffer_of(bodies.low) : Buffer{};
    const Buffer accelerations{variant.bodies * sizeof(Vec4<Real>)};
    const Potential potential = variant.potential ? Potential::kCompute : Potential::kSkip;
    const std::uint64_t items = engine.begin({.position_mass = positions.name(),
                                              .acceleration = accelerations.name(),
                                              .count = variant.bodies,
                                              .low = low.name(),
                                              .charge = charge.name()},
                                             variant.gravity, potential, {});
    engine.run(0, items, {});
    std::vector<Vec4<Real>> found(variant.bodies);
    accelerations.read(std::as_writable_bytes(std::span{found}));
    double off = 0, all = 0, off_potential = 0, all_potential = 0;
    constexpr std::size_t kSamples = 61;
    for (std::size_t s = 0; s < kSamples; ++s) {
        const std::size_t i = s * (variant.bodies - 1) / (kSamples - 1);
        const Vec4d wanted = reference_acceleration(Law::kPairs, bodies.all.data(), bodies.all.size(), i,
                                                    variant.gravity, bodies.charge.data());
        const Vec3d is{double(found[i].x), double(found[i].y), double(found[i].z)};
        const Vec3d difference = is - xyz(wanted);
        off += dot(difference, difference), all += dot(xyz(wanted), xyz(wanted));
        off_potential += (double(found[i].w) - wanted.w) * (double(found[i].w) - wanted.w);
        all_potential += wanted.w * wanted.w;
    }
    const double error = std::sqrt(off / all);
    return variant.potential ? std::max(error, std::sqrt(off_potential / all_potential)) : error;
}

/// The law in units in which its check is well conditioned, with the softening zero or not as in use.
Gravity checked_law(const Gravity& gravity) {
    Gravity law{.constant = 1.5, .softening = gravity.softening > 0 ? 0.05 : 0, .law = gravity.law};
    if (gravity.law == PairLaw::kLennardJones || gravity.law == PairLaw::kCoulomb) law.sigma = 0.02;
    if (law.sigma > 0) law.softening = 0.05;
    if (gravity.law == PairLaw::kLennardJones) law.cut_off = gravity.cut_off > 0 ? 20 : 0;
    return law;
}

}  // namespace

template <class Real>
void require_correct(const CheckedVariant& variant, const std::function<std::unique_ptr<Engine<Gl, Real>>()>& make) {
    // By device and variant: empty, or the message. Used on the GL thread.
    static std::map<std::string, std::string> results;
    const std::string& renderer = Device::info().devices.front().renderer;
    const auto [result, first] = results.try_emplace(renderer + '\n' + variant.engine + '\n' + variant.defines);
    if (first) {
        try {
            CheckedVariant own = variant;
            own.gravity = checked_law(variant.gravity);
            const double error = error_of(*make(), own);
            if (!(error <= variant.tolerance))
                result->second = fmt::format(
                    "engine '{}' on gl: {} computes wrong accelerations, with a relative error of {:.1e} instead of at "
                    "most "
                    "{:.1e}; use another backend",
                    variant.engine, renderer, error, variant.tolerance);
        } catch (...) {
            results.erase(result);
            throw;
        }
    }
    if (!result->second.empty()) environment_error(result->second);
}

template PairArguments<float> pair_arguments<float>(const Gravity&, std::size_t);
template PairArguments<double> pair_arguments<double>(const Gravity&, std::size_t);
template std::string pair_defines<float>(const PairArguments<float>&, bool, bool);
template std::string pair_defines<double>(const PairArguments<double>&, bool, bool);
template class Strengths<float>;
template class Strengths<double>;
template void require_correct<float>(const CheckedVariant&, const std::function<std::unique_ptr<Engine<Gl, float>>()>&);
template void require_correct<double>(const CheckedVariant&,
                                      const std::function<std::unique_ptr<Engine<Gl, double>>()>&);

}  // namespace orrery::gl
