// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/catalogues/catalogue.hpp"

namespace orrery {

/// A line of the menu of halo catalogues.
struct CatalogueEntry {
    std::string_view id, label, doc;
    /// True if a file with these first bytes (at most 64 KiB), or this content, looks like this format.
    bool (*recognises)(std::string_view head, const std::filesystem::path& path);
    /// Reads one file, or a set whose first file this is; without links. Throws Error naming file, place and remedy:
    /// kUsage for a missing or malformed file, kEnvironment for one that cannot be read.
    HaloCatalogue (*read)(const std::filesystem::path& path);
    std::string_view why_not = {};  ///< empty, or why this build cannot read it
};

// Entries; each is defined in the file of its format. HDF5 formats are in every build, without HDF5 with why_not.
const CatalogueEntry& ahf_catalogue();
const CatalogueEntry& rockstar_catalogue();
const CatalogueEntry& consistent_trees_catalogue();
const CatalogueEntry& subfind_catalogue();
const CatalogueEntry& sublink_catalogue();

std::span<const CatalogueEntry> catalogue_formats();

/// Reads a catalogue in the format recognised from its content, and links its haloes. `source`: a file, or a pattern of
/// several files, one per snapshot. Throws Error as CatalogueEntry::read and link_halos() do.
HaloCatalogue read_catalogue(const std::string& source);

/// True if the file looks like a catalogue of a format of the menu.
bool is_catalogue(const std::filesystem::path& path);

}  // namespace orrery

namespace orrery::hdf5 {

// Readers of catalogues in HDF5; a build without HDF5 has versions that throw. Both recognisers throw Error as Reader
// does.
bool is_subfind(const std::filesystem::path& path);
bool is_sublink(const std::filesystem::path& path);
HaloCatalogue read_subfind(const std::filesystem::path& path);
HaloCatalogue read_sublink(const std::filesystem::path& path);

}  // namespace orrery::hdf5
