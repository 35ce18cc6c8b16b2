// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_formats.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

bool begins_with(std::span<const std::byte> head, std::string_view text) {
    return head.size() >= text.size() && std::ranges::equal(head.first(text.size()), std::as_bytes(std::span{text}));
}

bool is_checkpoint(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    return begins_with(head, hdf5::kCheckpointMagic);
}

bool is_hdf5(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    return begins_with(head, "\x89HDF\r\n\x1a\n");
}

constexpr std::array<std::string_view, 1> kCheckpoint{".orrery"};
constexpr std::array<std::string_view, 3> kHdf5{".hdf5", ".h5", ".hdf"};

}  // namespace

const FormatEntry& checkpoint_format() {
    static const FormatEntry entry{
        .id = "checkpoint",
        .label = "Orrery checkpoint",
        .doc = "a whole scene, bit for bit, with a checksum; HDF5 after a header of 512 bytes",
        .extensions = kCheckpoint,
        .holds = kHoldsEverything,
        .recognises = is_checkpoint,
        .read = hdf5::read_checkpoint,
        .write = hdf5::write_checkpoint,
        .why_not = hdf5::kWhyNot,
        .rows = hdf5::checkpoint_rows};
    return entry;
}

const FormatEntry& gadget_hdf5_format() {
    static const FormatEntry entry{
        .id = "gadget-hdf5",
        .label = "Gadget/AREPO HDF5",
        .doc = "Gadget-2 to -4, AREPO, GIZMO and SWIFT snapshots; species, ids and units, double precision, no names",
        .extensions = kHdf5,
        .holds = {.doubles = true,
                  .softening = true,
                  .constant = true,
                  .dt = true,
                  .units = true,
                  .species = true,
                  .ids = true,
                  .fields = true},
        .recognises = is_hdf5,
        .read = hdf5::read_gadget,
        .write =
            static_cast<void (*)(const Scene&, const BodyStretches&, const std::filesystem::path&)>(hdf5::write_gadget),
        .why_not = hdf5::kWhyNot,
        .head = hdf5::head_of_gadget,
        .rows = hdf5::gadget_rows,
        .fields = hdf5::kGadgetFields};
    return entry;
}

}  // namespace orrery
