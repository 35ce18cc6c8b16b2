// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

/// The bodies of one species in one file of a Gadget snapshot.
struct SpeciesPart {
    const Reader& file;
    std::string group;  ///< "PartType0"
    Species species;
    std::uint64_t bodies;
};
using VisitSpecies = std::function<void(const SpeciesPart& part)>;

/// Visits all species of all files of a snapshot, in the order in which read_gadget() returns their bodies. Throws as
/// read_gadget() does.
void for_each_species(const std::filesystem::path& path, const VisitSpecies& visit);

/// Cosmology of a snapshot with these bodies; empty unless it expands.
Cosmology cosmology_in(const SpeciesPart& part);
/// Scene::scale_factor of a Gadget snapshot.
double scale_factor_in(const Reader& file);
/// Returns expansion_of() for the scene of this file.
double expansion_in(const Reader& file);

}  // namespace orrery::hdf5
