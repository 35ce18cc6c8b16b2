// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Existing columns of labels.
struct LabelColumns {
    bool names = false, species = false, ids = false, pinned = false, charge = false;
    friend bool operator==(const LabelColumns&, const LabelColumns&) = default;
};
LabelColumns label_columns(const Bodies& bodies);

/// A reversible change of some bodies: their new data, and the old data needed to undo it.
struct BodyChange {
    enum class Kind { kWrite, kInsert, kErase };

    Kind kind = Kind::kWrite;
    std::vector<std::uint32_t>
        rows;  ///< indices, ascending and unique; before the change for kErase, after it otherwise
    /// Data of these bodies only, in the order of `rows`. For kWrite, unchanged columns are empty; `before` is empty
    /// for kInsert, `after` for kErase.
    Bodies before, after;
    LabelColumns had, has;  ///< columns before and after; a new column holds the default value for all other bodies

    BodyChange reversed() const&;
    BodyChange reversed() &&;
    std::size_t bytes() const;  ///< memory use, without the text of names
};

/// Number of bodies after the change.
std::size_t count_after(const BodyChange& change, std::size_t count);
/// Applies the change to all columns of `bodies`. Rows are moved only behind the first inserted or removed one.
void apply(const BodyChange& change, Bodies& bodies);
/// Removes these bodies, ascending and unique.
void erase(std::vector<std::uint32_t> rows, Bodies& bodies);
/// Applies the change to the labels of `count` bodies (before the change).
void apply_labels(const BodyChange& change, std::size_t count, Bodies& labels);

/// Capacity with some spare rows, so that small insertions do not reallocate.
inline std::size_t with_slack(std::size_t count) { return count + count / 16 + 256; }

template <class Value>
void erase_rows(std::vector<Value>& column, std::span<const std::uint32_t> rows) {
    if (rows.empty()) return;
    const auto at = [&](std::size_t i) { return column.begin() + static_cast<std::ptrdiff_t>(i); };
    auto to = at(rows.front());
    for (std::size_t k = 0; k < rows.size(); ++k)
        to = std::move(at(rows[k] + std::size_t{1}), at(k + 1 < rows.size() ? rows[k + 1] : column.size()), to);
    column.erase(to, column.end());
}

/// Inserts `values` so that they end up at the indices `rows`.
template <class Value>
void insert_rows(std::vector<Value>& column, std::span<const std::uint32_t> rows, std::span<const Value> values) {
    const auto at = [&](std::size_t i) { return column.begin() + static_cast<std::ptrdiff_t>(i); };
    std::size_t from = column.size(), to = from + rows.size();
    if (to > column.capacity()) column.reserve(with_slack(to));
    column.resize(to);
    for (std::size_t k = rows.size(); k-- > 0;) {
        const std::size_t behind = to - rows[k] - 1;
        std::move_backward(at(from - behind), at(from), at(to));
        from -= behind, to = rows[k];
        column[to] = values[k];
    }
}

}  // namespace orrery
