// SPDX-License-Identifier: MIT
#include "core/formats/tipsy_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/limits.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostArrays = 64, kCountBytes = 4, kNumberBytes = 4;

/// How an array is stored.
struct ArrayFile {
    std::filesystem::path path;
    std::optional<std::endian> binary;  ///< byte order; empty: text
    std::uint64_t components = 1;
};

/// Arrays of ids and group numbers, by convention of their names.
bool holds_whole_numbers(std::string_view word) {
    return word == "iord" || word == "igasorder" || word == "grp" || word.ends_with("grp");
}

std::optional<ArrayFile> array_in(const std::filesystem::path& path, std::uint64_t bodies) {
    try {
        InputFile file{path};
        std::vector<std::byte> head(static_cast<std::size_t>(std::min<std::uintmax_t>(file.size(), kCountBytes)));
        file.read(head);
        for (const std::endian order : {std::endian::little, std::endian::big})
            for (const std::uint64_t components : {1u, 3u})
                if (head.size() == kCountBytes && load<std::uint32_t>(head.data(), order) == bodies &&
                    file.size() == kCountBytes + kNumberBytes * components * bodies)
                    return ArrayFile{path, order, components};
        Lines lines{path};
        const auto first = lines.next();
        const auto count = first ? csv_text::whole(csv_text::trimmed(*first)) : std::nullopt;
        if (!count || *count != bodies || !lines.next()) return std::nullopt;
        Lines all{path};
        const std::size_t numbers = all.count(1) - 1;
        if (numbers == bodies) return ArrayFile{path, std::nullopt, 1};
        if (numbers == 3 * bodies) return ArrayFile{path, std::nullopt, 3};
    } catch (const Error&) {  // unreadable, or no text
    }
    return std::nullopt;
}

/// The words after the name of the snapshot, with their files.
std::map<std::string, std::filesystem::path> candidates(const std::filesystem::path& snapshot) {
    const std::string name = snapshot.filename().string();
    std::vector<std::string> stems{name};
    for (const std::string_view ending : {".std.tipsy", ".tipsy", ".std"})
        if (name.size() > ending.size() && name.ends_with(ending)) {
            stems.push_back(name.substr(0, name.size() - ending.size()));
            break;
        }
    std::map<std::string, std::filesystem::path> found;
    std::error_code failed;
    const std::filesystem::path folder = snapshot.has_parent_path() ? snapshot.parent_path() : ".";
    for (std::filesystem::directory_iterator entry{folder, failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string other = entry->path().filename().string();
        std::error_code none;
        if (other == name || !entry->is_regular_file(none)) continue;
        for (const std::string& stem : stems)
            if (other.size() > stem.size() + 1 && other.starts_with(stem) && other[stem.size()] == '.')
                found.try_emplace(other.substr(stem.size() + 1), entry->path());
    }
    return found;
}

class ArrayReader {
public:
    ArrayReader(const ArrayFile& from, std::uint64_t bodies, bool whole)
        : from_{from}, bodies_{static_cast<std::size_t>(bodies)}, whole_{whole} {}

    void read(const TakeNumbers& take) {
        const auto width = static_cast<std::size_t>(from_.components);
        require_memory(from_.path.string(), width * bodies_ * sizeof(double));
        std::vector<double> columns;
        columns.reserve(width * bodies_);
        from_.binary ? read_binary(columns) : read_text(columns);
        std::vector<double> rows(width * bodies_);
        for (std::size_t i = 0; i < bodies_; ++i)
            for (std::size_t k = 0; k < width; ++k) rows[i * width + k] = columns[k * bodies_ + i];
        take(rows);
    }

private:
    void read_binary(std::vector<double>& columns) {
        InputFile file{from_.path};
        file.seek(kCountBytes);
        std::vector<std::byte> block;
        for (std::size_t left = columns.capacity(); left > 0;) {
            const std::size_t now = std::min(left, kBlock / kNumberBytes);
            block.resize(now * kNumberBytes);
            file.read(block);
            for (std::size_t i = 0; i < now; ++i) {
                const std::byte* at = block.data() + i * kNumberBytes;
                columns.push_back(whole_ ? load<std::int32_t>(at, *from_.binary)
                                         : static_cast<double>(load<float>(at, *from_.binary)));
            }
            left -= now;
        }
    }
    void read_text(std::vector<double>& columns) {
        Lines lines{from_.path};
        lines.next();
        const std::size_t all = static_cast<std::size_t>(from_.components) * bodies_;
        while (const auto line = lines.next()) {
            const std::string_view text = csv_text::trimmed(*line);
            if (text.empty()) continue;
            const auto number = csv_text::number(text);
            if (!number || columns.size() == all)
                usage_error(fmt::format("{}: line {}: expected {}, found \"{}\"", from_.path.string(), lines.number(),
                                        number ? "the end of the file" : "a number", csv_text::shown(text)));
            columns.push_back(*number);
        }
        if (columns.size() != all)
            usage_error(fmt::format("{}: expected {} numbers, found {}", from_.path.string(), all, columns.size()));
    }

    const ArrayFile& from_;
    std::size_t bodies_;
    bool whole_;
};

}  // namespace

std::vector<FieldInfo> list_tipsy_arrays(const std::filesystem::path& snapshot, std::uint64_t bodies) {
    std::vector<FieldInfo> all;
    for (const auto& [word, path] : candidates(snapshot)) {
        if (all.size() == kMostArrays) break;
        if (const auto array = array_in(path, bodies))
            all.push_back({.name = word,
                           .what = fmt::format("auxiliary array {}", path.filename().string()),
                           .components = array->components,
                           .whole = holds_whole_numbers(word),
                           .bodies = bodies});
    }
    return all;
}

void read_tipsy_array(const std::filesystem::path& snapshot, const FieldInfo& field, std::uint64_t bodies,
                      const TakeNumbers& take) {
    const auto files = candidates(snapshot);
    const auto file = files.find(field.name);
    const auto array = file == files.end() ? std::nullopt : array_in(file->second, bodies);
    if (!array) usage_error(fmt::format("{}: the auxiliary array {} is missing", snapshot.string(), field.name));
    ArrayReader{*array, bodies, field.whole}.read(take);
}

}  // namespace orrery
