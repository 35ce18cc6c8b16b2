// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Units of a scene as text for labels; empty if the scene has none.
struct UnitNames {
    std::string length, mass, time;
    bool kilometres = false;  ///< the unit of speed is km/s

    explicit UnitNames(const Scene& scene);
    UnitNames() = default;

    std::string length_text() const { return length; }
    std::string mass_text() const { return mass; }
    std::string speed() const;
    std::string angular_momentum() const;  ///< per mass
    std::string energy() const;            ///< per mass: speed squared
    std::string surface_density() const;
    std::string density() const;
    std::string frequency() const;
};

/// "R [kpc]"; "R" without a unit.
std::string with_unit(const std::string& symbol, const std::string& unit);

}  // namespace orrery
