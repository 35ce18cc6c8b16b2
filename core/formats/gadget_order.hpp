// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/bodies.hpp"

namespace orrery::gadget {

/// Calls f(body) for the bodies of one species, in their order.
template <class F>
void of_species(const Bodies& bodies, Species species, F f) {
    if (bodies.species.empty() && species != Species::kHalo) return;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies.species_of(i) == species) f(i);
}

/// Calls f(body) for all bodies in the order of Gadget's files: species by species.
template <class F>
void in_order(const Bodies& bodies, F f) {
    for (std::size_t k = 0; k < kSpeciesCount; ++k) of_species(bodies, static_cast<Species>(k), f);
}

}  // namespace orrery::gadget
