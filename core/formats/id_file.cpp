// SPDX-License-Identifier: MIT
#include "core/formats/id_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {

std::vector<std::uint64_t> read_ids(const std::filesystem::path& path) {
    Lines lines{path};
    std::vector<std::uint64_t> ids;
    while (const auto line = lines.next()) {
        std::string_view text = *line;
        while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        if (text.empty() || text.front() == '#') continue;
        std::uint64_t id = 0;
        if (!read_number(text, id))
            usage_error(fmt::format("{}: line {}: expected an id, a whole number", path.string(), lines.number()));
        ids.push_back(id);
    }
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    return ids;
}

std::string ids_text(std::span<const std::uint64_t> ids) {
    std::string text;
    for (const std::uint64_t id : ids) fmt::format_to(std::back_inserter(text), "{}\n", id);
    return text;
}

}  // namespace orrery
