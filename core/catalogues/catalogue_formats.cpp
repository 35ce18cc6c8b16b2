// SPDX-License-Identifier: MIT
#include "core/catalogues/catalogue_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostOfHead = 64 << 10;

const CatalogueEntry* entry_of(const std::filesystem::path& path) {
    InputFile file{path};
    std::string head(static_cast<std::size_t>(std::min<std::uintmax_t>(file.size(), kMostOfHead)), '\0');
    file.read(std::as_writable_bytes(std::span{head}));
    const auto found = std::ranges::find_if(catalogue_formats(),
                                            [&](const CatalogueEntry& entry) { return entry.recognises(head, path); });
    return found == catalogue_formats().end() ? nullptr : &*found;
}

HaloCatalogue read_one(const std::filesystem::path& path) {
    const CatalogueEntry* const entry = entry_of(path);
    if (!entry) {
        std::string labels;
        for (const CatalogueEntry& each : catalogue_formats())
            labels += (labels.empty() ? "" : ", ") + std::string{each.label};
        usage_error(fmt::format("{}: not a halo catalogue of a known format: {}", path.string(), labels));
    }
    if (!entry->why_not.empty()) environment_error(fmt::format("{}: {}", path.string(), entry->why_not));
    HaloCatalogue catalogue = entry->read(path);
    catalogue.path = path.string(), catalogue.format = entry->id;
    return catalogue;
}

/// A pattern that matches all files of each set yields each set once.
bool is_of_set(const std::filesystem::path& path) {
    const std::string number = path.stem().extension().string();
    return number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos && number != ".0";
}

bool begins_as_hdf5(std::string_view head) { return head.starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace

std::span<const CatalogueEntry> catalogue_formats() {
    static const std::array menu{subfind_catalogue(), sublink_catalogue(), ahf_catalogue(),
                                 consistent_trees_catalogue(), rockstar_catalogue()};
    return menu;
}

HaloCatalogue read_catalogue(const std::string& source) {
    std::vector<std::filesystem::path> files{source};
    if (names_many(source)) {
        files = snapshot_files(std::vector{source});
        const bool sets = entry_of(files.front()) && entry_of(files.front())->id == subfind_catalogue().id;
        if (sets && !std::ranges::all_of(files, is_of_set)) std::erase_if(files, is_of_set);
    }
    HaloCatalogue all = read_one(files.front());
    for (std::size_t i = 1; i < files.size(); ++i) append_halos(all, read_one(files[i]));
    if (files.size() > 1) all.path = source;
    if (all.halos.empty()) usage_error(fmt::format("{}: holds no haloes", all.path));  // those of early times may
    link_halos(all);
    return all;
}

bool is_catalogue(const std::filesystem::path& path) {
    try {
        return entry_of(path) != nullptr;
    } catch (const Error&) {  // not a readable file
        return false;
    }
}

const CatalogueEntry& subfind_catalogue() {
    static const CatalogueEntry entry{
        "subfind",
        "Subfind HDF5",
        "groups of FoF and subhaloes of Subfind by Gadget-4 and AREPO (TNG), in one file or several, with members",
        [](std::string_view head, const std::filesystem::path& path) {
            return begins_as_hdf5(head) && hdf5::is_subfind(path);
        },
        hdf5::read_subfind,
        hdf5::kWhyNot};
    return entry;
}

const CatalogueEntry& sublink_catalogue() {
    static const CatalogueEntry entry{"sublink",
                                      "SubLink HDF5",
                                      "merger trees of SubLink, with the properties of their subhaloes",
                                      [](std::string_view head, const std::filesystem::path& path) {
                                          return begins_as_hdf5(head) && hdf5::is_sublink(path);
                                      },
                                      hdf5::read_sublink,
                                      hdf5::kWhyNot};
    return entry;
}

}  // namespace orrery
