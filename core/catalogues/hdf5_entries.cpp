// SPDX-License-Identifier: MIT
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/hdf5_catalogues.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery {
namespace {

bool begins_as_hdf5(std::string_view head) { return head.starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace

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
