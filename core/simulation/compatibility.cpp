// SPDX-License-Identifier: MIT
#include "core/simulation/compatibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/bodies/body_source.hpp"
#include "core/engines/engine_tuner.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

constexpr double kFar = 100;  // distance from the origin, in extents, below which single precision is sufficient
constexpr double kOdd = 1e3;  // distance in extents beyond which a remark is made on reading
constexpr double kMostOfExtent = 1e-3;  // spacing of floats relative to the extent of the bodies
constexpr double kMostOfStep = 0.05;    // spacing of floats relative to the path of a body in one step
constexpr double kMostVirial = 1e4;     // of 2K/|W| or its inverse
constexpr std::size_t kSample = 1024;   // bodies sampled for 2K/|W|

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

struct Place {
    double distance = 0;  ///< of the median position from the origin, along the axis where it is largest
    double extent = 0;    ///< median distance from the median position
    double speed = 0;     ///< median, relative to the median velocity
};

Place place_of(const Bodies& bodies) {
    Place found;
    if (bodies.size() < 2) return found;
    const std::size_t stride = (bodies.size() + 4 * kSample - 1) / (4 * kSample);
    std::array<std::vector<double>, 3> x, v;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
        const Vec4d& p = bodies.position_mass[i];
        const Vec3d& u = bodies.velocity[i];
        x[0].push_back(p.x), x[1].push_back(p.y), x[2].push_back(p.z);
        v[0].push_back(u.x), v[1].push_back(u.y), v[2].push_back(u.z);
    }
    for (const std::vector<double>& axis : x) found.distance = std::max(found.distance, std::abs(median(axis)));
    found.extent = median_radius(bodies);
    const Vec3d mean{median(v[0]), median(v[1]), median(v[2])};
    std::vector<double> speeds;
    for (std::size_t k = 0; k < v[0].size(); ++k) speeds.push_back(length(Vec3d{v[0][k], v[1][k], v[2][k]} - mean));
    found.speed = median(std::move(speeds));
    return found;
}

/// 2K/|W| from a sample of the bodies, scaled to all pairs of bodies with this mass in total.
double virial_ratio(const Scene& scene, std::optional<double> total) {
    const Bodies& bodies = scene.bodies;
    const std::size_t stride = (bodies.size() + kSample - 1) / kSample;
    const double softening2 = scene.gravity.softening * scene.gravity.softening;
    double mass = total.value_or(0), sampled = 0, twice_kinetic = 0, potential = 0;
    if (!total)
        for (const Vec4d& body : bodies.position_mass) mass += body.w;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
        const Vec4d& a = bodies.position_mass[i];
        sampled += a.w, twice_kinetic += a.w * dot(bodies.velocity[i], bodies.velocity[i]);
        for (std::size_t j = 0; j < i; j += stride) {
            const Vec3d d = xyz(a) - xyz(bodies.position_mass[j]);
            const double r = std::sqrt(dot(d, d) + softening2);
            if (r > 0) potential += scene.gravity.constant * a.w * bodies.position_mass[j].w / r;
        }
    }
    const double pairs = sampled > 0 ? mass / sampled : 1;
    return potential > 0 ? twice_kinetic / (potential * pairs) : 0;
}

double largest_coordinate(const Bodies& bodies) {
    double most = 0;
    for (const Vec4d& p : bodies.position_mass) most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return most;
}

}  // namespace

std::string why_incompatible(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law) {
    if (integrator.splits()) return {};
    return why_incompatible(integrator, engine(config.engine, config.backend), config, law);
}

std::string why_incompatible(const IntegratorEntry& integrator, const EngineEntry& entry, const EngineConfig& config,
                             PairLaw law) {
    if (integrator.splits()) return {};
    const bool mixed = config.precision == Precision::kMixed;
    if (law != PairLaw::kGravity)
        return fmt::format("integrator '{}' needs {}, which are available for gravity but not for law {}",
                           integrator.id, integrator.jerk ? "jerks" : "forces for a subset of bodies",
                           pair_law(law).id);
    if (integrator.jerk && config.compensated)
        return fmt::format("compensated summation needs kicks and drifts, which integrator '{}' does not have",
                           integrator.id);
    if (integrator.jerk && mixed)
        return fmt::format(
            "integrator '{}' needs jerks, which are computed in single and double precision, but not in mixed",
            integrator.id);
    if (entry.has(Capability::kJerk) && !mixed) return {};
    if (integrator.jerk)
        return fmt::format("integrator '{}' needs jerks, which engine '{}' on {} does not compute; these do: {}",
                           integrator.id, config.engine, name(config.backend), engines_with_jerk());
    if (entry.has(Capability::kDue)) return {};
    return fmt::format(
        "integrator '{}' needs forces for a subset of bodies, which engine '{}' on {} does not compute{}; these do: "
        "{}",
        integrator.id, config.engine, name(config.backend), entry.has(Capability::kJerk) ? " in mixed precision" : "",
        engines_with_due());
}

std::string why_encounters_incompatible(const EncounterRule& rule, const IntegratorEntry& integrator,
                                        const EngineConfig& config, PairLaw law) {
    if (!rule.on()) return {};
    const std::string_view id = encounter_kind(rule.kind).id;
    if (!attracts_masses(law))
        return fmt::format("encounters '{}' need masses that attract each other, unlike law {}", id, pair_law(law).id);
    if (law_of(config) != Law::kPairs)
        return fmt::format("encounters '{}' need pair forces, but engine '{}' computes triplets", id, config.engine);
    if (integrator.individual)
        return fmt::format("encounters '{}' need a common time step, but integrator '{}' uses individual steps", id,
                           integrator.id);
    return {};
}

EngineConfig default_engine(const EngineConfig& few, std::size_t bodies, PairLaw law,
                            const IntegratorEntry& integrator) {
    constexpr std::size_t kMostPairsOnDevice = 65536;  // all pairs of more take longer than two frames on older GPUs
    EngineConfig many = few;
    many.engine = "auto";
    many.backend = default_backend(many.engine);
    many.tree.accuracy = kDefaultAccuracy;
    const std::size_t from =
        many.backend == Backend::kCuda || few.backend == Backend::kGl ? kMostPairsOnDevice + 1 : kTunedFrom;
    const bool pays = bodies >= from && tunable(many, bodies, law);
    return pays && offers(engine(many.engine, many.backend), many.precision) &&
                   why_incompatible(integrator, many, law).empty()
               ? many
               : few;
}

void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters) {
    if (const std::string why = why_incompatible(integrator, config, law); !why.empty()) usage_error(why);
    if (const std::string why = why_encounters_incompatible(encounters, integrator, config, law); !why.empty())
        usage_error(why);
}

namespace {

std::string unresolved(const Scene& scene, const Bodies& bodies, Precision precision) {
    if (of_state(precision) == Precision::kDouble) return {};
    const Place place = place_of(bodies);
    if (!(place.extent > 0) || place.distance < kFar * place.extent) return {};
    const double between = std::ldexp(1.0, std::ilogb(place.distance) - 23);  // of two numbers with 24 bits
    const double step = place.speed * scene.dt;
    if (between <= kMostOfExtent * place.extent && (step == 0 || between <= kMostOfStep * step)) return {};
    return fmt::format(
        "the bodies lie {:.3g} from the origin, {:.2g} times their extent, where single precision resolves only "
        "{:.2g}",
        place.distance, place.distance / place.extent, between);
}

void require_resolved(const Scene& scene, const Bodies& bodies, Precision precision) {
    if (const std::string why = unresolved(scene, bodies, precision); !why.empty())
        usage_error(fmt::format("{}: {}; use --precision double, or mixed", scene.id, why));
}

}  // namespace

std::string unresolved(const Scene& scene, Precision precision) { return unresolved(scene, scene.bodies, precision); }

void require_resolved(const Scene& scene, Precision precision) { require_resolved(scene, scene.bodies, precision); }

void require_resolved(const Scene& settings, const BodySource& bodies, Precision precision) {
    if (const Bodies* some = bodies.sample()) return require_resolved(settings, *some, precision);
    if (!bodies.centred()) require_resolved(settings, all_bodies(bodies), precision);
}

std::vector<std::string> oddities(const Scene& scene, std::optional<double> mass) {
    std::vector<std::string> notes;
    const Place place = place_of(scene.bodies);
    if (place.extent > 0 && place.distance > kOdd * place.extent)
        notes.push_back(
            fmt::format("{}: the bodies lie {:.3g} from the origin, {:.2g} times their extent: single "
                        "precision may not resolve their motion",
                        scene.id, place.distance, place.distance / place.extent));
    const double most = largest_coordinate(scene.bodies);
    if (most > std::sqrt(std::numeric_limits<float>::max()))
        notes.push_back(
            fmt::format("{}: coordinates reach {:.2g}, and their squares exceed single precision", scene.id, most));
    if (scene.gravity.law == PairLaw::kGravity && scene.gravity.constant == 1 && scene.days_per_time == 0) {
        const double ratio = virial_ratio(scene, mass);
        if (ratio > kMostVirial || (ratio > 0 && ratio < 1 / kMostVirial))
            notes.push_back(fmt::format(
                "{}: states no units, so G = 1 is assumed; 2K/|W| is then {:.2g}, and such bodies {}. If the numbers "
                "are in SI, G is 6.6743e-11: `orrery convert FILE -o NEW.csv --constant 6.6743e-11`",
                scene.id, ratio, ratio > 1 ? "fly apart" : "collapse instead of orbiting as a bound system"));
    }
    return notes;
}

}  // namespace orrery
