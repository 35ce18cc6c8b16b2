// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/formats/hdf5_file.hpp"

namespace orrery::hdf5 {

void read_ids(const Reader& file, const ReadColumn& column, std::uint64_t bytes_of_each, std::span<std::uint64_t> ids) {
    file.read(column, 0, ids.size(), Number::kUint64, ids.data());
    if (std::ranges::find(ids, 0u) == ids.end()) return;
    // The library converts negative numbers to 0.
    std::vector<std::int64_t> numbers;
    for (std::uint64_t first = 0; first < ids.size(); first += kRows) {
        numbers.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRows, ids.size() - first)));
        file.read(column, first, numbers.size(), Number::kInt64, numbers.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] >= 0) continue;
            if (bytes_of_each < sizeof(std::uint64_t))
                file.refuse(fmt::format("{} holds the negative id {}", column.name, numbers[i]));
            ids[static_cast<std::size_t>(first) + i] = static_cast<std::uint64_t>(numbers[i]);
        }
    }
}

bool read_real_ids(const Reader& file, const ReadColumn& column, std::span<std::uint64_t> ids) {
    constexpr double kMostExact = 9007199254740992.0;  // beyond 2^53 two ids may round to the same number
    std::vector<double> numbers;
    for (std::uint64_t first = 0; first < ids.size(); first += kRows) {
        numbers.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRows, ids.size() - first)));
        file.read(column, first, numbers.size(), Number::kDouble, numbers.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double number = numbers[i];
            if (!(number >= 0 && number < kMostExact) || number != std::floor(number)) return false;
            ids[static_cast<std::size_t>(first) + i] = static_cast<std::uint64_t>(number);
        }
    }
    return true;
}

}  // namespace orrery::hdf5
