// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/optics.hpp"

namespace orrery {

/// Names and units of a scene, for drawing its frames. Constant for a scene.
struct BodyMetadata {
    std::string length_unit{}, mass_unit{};  ///< as in Scene
    double days_per_time = 0;
    double mean_mass = 0;                  ///< per body
    std::vector<std::string> names{};      ///< of bodies; empty or one per body
    std::bitset<kSpeciesCount> species{};  ///< species that occur; empty: unknown
    std::vector<Species> species_of{};     ///< empty or one per body
    std::vector<std::uint64_t> ids{};      ///< of bodies, ascending, if encounters may remove some; otherwise empty
    std::vector<std::string> fields{};     ///< names of the loaded fields
    std::shared_ptr<const std::vector<std::uint64_t>> all_ids{};  ///< of bodies, in their order; null: they have none
    std::shared_ptr<const std::vector<float>> shown{};  ///< one per body, 0: hidden by a filter; null: all are shown
    BodyOptics optics{};
    Cosmology cosmology{};  ///< as in Scene
    double box = 0;         ///< as in Scene
};

struct TotalMass {
    double sum = 0;
    bool equal = true;  ///< all masses are equal
};
/// Sum of mass(0) to mass(count − 1), called in this order.
template <class Mass>
TotalMass sum_of_masses(std::size_t count, Mass mass) {
    TotalMass all;
    double first = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double each = mass(i);
        if (i == 0) first = each;
        all.sum += each, all.equal = all.equal && each == first;
    }
    return all;
}

/// The masses as in Frame::masses; `all` is their sum.
template <class Mass>
std::shared_ptr<const std::vector<float>> relative_masses(std::size_t count, const TotalMass& all, Mass mass) {
    if (all.equal) return nullptr;
    auto masses = std::make_shared<std::vector<float>>();
    masses->reserve(count);
    const double mean = all.sum / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) masses->push_back(static_cast<float>(mass(i) / mean));
    return masses;
}
inline std::shared_ptr<const std::vector<float>> relative_masses(const std::vector<Vec4d>& bodies) {
    const auto mass = [&](std::size_t i) { return bodies[i].w; };
    return relative_masses(bodies.size(), sum_of_masses(bodies.size(), mass), mass);
}

/// `bodies` provides the labels; `mass` is the total of `count` bodies. `before`: earlier metadata, whose ids are
/// shared if they are the same.
inline BodyMetadata metadata_of(const Scene& scene, const Bodies& bodies, std::size_t count, double mass,
                                const BodyMetadata* before = nullptr) {
    BodyMetadata words{
        scene.length_unit, scene.mass_unit, scene.days_per_time, 0, bodies.names, {}, bodies.species, {}};
    words.mean_mass = mass / static_cast<double>(std::max<std::size_t>(1, count));
    if (scene.encounters.on() && std::ranges::is_sorted(bodies.ids)) words.ids = bodies.ids;
    if (before && before->all_ids && *before->all_ids == bodies.ids)
        words.all_ids = before->all_ids;
    else if (!bodies.ids.empty())
        words.all_ids = std::make_shared<const std::vector<std::uint64_t>>(bodies.ids);
    for (const BodyField& field : bodies.fields)
        if (field.name == kFilterField)
            words.shown = field.values;
        else
            words.fields.push_back(field.name);
    words.optics = optics_of(bodies.fields), words.cosmology = scene.cosmology, words.box = scene.box;
    for (const Species species : bodies.species) words.species.set(static_cast<std::size_t>(species));
    return words;
}
inline BodyMetadata metadata_of(const Scene& scene) {
    const auto& bodies = scene.bodies.position_mass;
    const auto mass = [&](std::size_t i) { return bodies[i].w; };
    return metadata_of(scene, scene.bodies, bodies.size(), sum_of_masses(bodies.size(), mass).sum);
}

}  // namespace orrery
