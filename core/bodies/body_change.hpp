// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Which labels are known of every body.
struct LabelColumns {
    bool names = false, species = false, ids = false, pinned = false, charge = false;
    friend bool operator==(const LabelColumns&, const LabelColumns&) = default;
};
LabelColumns label_columns(const Bodies& bodies);

/// What becomes of some bodies, and what they were: as much of them as that takes, so that it can be taken back.
struct BodyChange {
    enum class Kind { kWrite, kInsert, kErase };

    Kind kind = Kind::kWrite;
    std::vector<std::uint32_t> rows;  ///< their indices, ascending, each once; of kErase before it, else after it
    /// Of these bodies alone, in that order. Of kWrite, columns that it leaves alone are empty; `before` is empty of
    /// kInsert, `after` of kErase.
    Bodies before, after;
    LabelColumns had, has;  ///< a column that is new holds, of the others, what an unknown one counts as

    BodyChange reversed() const&;
    BodyChange reversed() &&;
    std::size_t bytes() const;  ///< that it takes to remember it; text of names left out
};

/// Number of bodies after the change.
std::size_t count_after(const BodyChange& change, std::size_t count);
/// All columns of `bodies`. Beyond these rows it moves, in each column, only what lies behind the first that comes or
/// goes.
void apply(const BodyChange& change, Bodies& bodies);
/// The labels alone, of `count` bodies before the change.
void apply_labels(const BodyChange& change, std::size_t count, Bodies& labels);

/// Room for some more rows, so that few that come do not move all.
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

/// `values` come to stand at these indices.
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
