// SPDX-License-Identifier: MIT
#include "core/formats/gadget.hpp"

#include "core/formats/gadget_files.hpp"

namespace orrery {
namespace {

using gadget::Dialect;

template <std::endian order, bool labelled>
bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    return gadget::dialect_of(head) == Dialect{order, labelled};
}

template <std::endian order, bool labelled>
void write(const Scene& scene, const std::filesystem::path& path) {
    gadget::write(scene, path, {order, labelled});
}

template <std::endian order, bool labelled>
FormatEntry entry(std::string_view id, std::string_view label, std::string_view doc,
                  std::span<const std::string_view> extensions) {
    return {.id = id,
            .label = label,
            .doc = doc,
            .extensions = extensions,
            .holds = {.species = true, .ids = true},
            .recognises = recognises<order, labelled>,
            .read = gadget::read,
            .write = write<order, labelled>,
            .head = gadget::head,
            .read_parts = gadget::read_parts};
}

constexpr std::array<std::string_view, 3> kOne{".gadget", ".gadget2", ".gadget1"};
constexpr std::array<std::string_view, 2> kOneBig{".be.gadget", ".be.gadget2"};
constexpr std::array<std::string_view, 1> kTwo{".snap2"};
constexpr std::array<std::string_view, 1> kTwoBig{".be.snap2"};

}  // namespace

std::span<const FormatEntry> gadget_formats() {
    using enum std::endian;
    static const std::array menu{
        entry<little, false>(
            "gadget", "Gadget SnapFormat 1",
            "Gadget-1 and -2 records, little-endian; species and ids, single precision; no units: G = 1", kOne),
        entry<big, false>("gadget-big", "Gadget SnapFormat 1, big-endian", "the same, big-endian", kOneBig),
        entry<little, true>("gadget-snap2", "Gadget SnapFormat 2",
                            "labelled records, little-endian; species and ids, single precision; G = 1", kTwo),
        entry<big, true>("gadget-snap2-big", "Gadget SnapFormat 2, big-endian", "the same, big-endian", kTwoBig)};
    return menu;
}

}  // namespace orrery
