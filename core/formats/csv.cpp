// SPDX-License-Identifier: MIT
#include "core/formats/csv.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

/// True for text: no control characters except tabs and line ends. Bytes from 128 up are UTF-8 in names and comments.
bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    const auto text = [](std::byte b) {
        const auto c = static_cast<unsigned char>(b);
        return (c >= ' ' && c != 127) || c == '\t' || c == '\r' || c == '\n';
    };
    return !head.empty() && std::ranges::all_of(head, text);
}

constexpr std::array<std::string_view, 4> kCsvExtensions{".csv", ".tsv", ".txt", ".dat"};

}  // namespace

const FormatEntry& csv() {
    static const FormatEntry entry{
        "csv",
        "CSV",
        "one body per line: m, x, y, z, vx, vy, vz, name, id, species, charge, in any order if "
        "the first line names them; double precision",
        kCsvExtensions,
        kHoldsEverything,
        recognises,
        read_csv,
        write_csv};
    return entry;
}

}  // namespace orrery
