// SPDX-License-Identifier: MIT
#include "core/lab/form_notes.hpp"

#include <algorithm>
#include <array>

#include "core/base/menu.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/explain.hpp"

namespace orrery {
namespace {

struct OwnForm {
    std::string_view id, name, like;  // like: id of a map with the same source; empty: this program's
};
constexpr auto kOwnForms = std::to_array<OwnForm>({
    {"rec-launches", "Recursive, a launch per level", "rec"},
    {"rb-threads", "Rectangular box of threads", "rb"},
    {"utm-threads", "Upper triangular of threads", "utm"},
    {"dp", "Dynamic parallelism", "hadouken"},
    {"rb-rows", "Rectangular box of rows", "rb"},
    {"lambda-strip", "Lambda in strips", ""},
    {"rb-strip", "Rectangular box in strips", ""},
    {"bb-strip", "Bounding box in strips", ""},
    {"lambda-cluster", "Lambda in clusters of blocks", ""},
    {"utm-threads-exact", "Upper triangular of threads, exact", ""},
    {"lambda3-published", "Tetrahedral λ as published", "lambda"},
    {"lambda3-epsilon", "Tetrahedral λ with ε", "lambda"},
    {"lambda3-epsilon-fp64", "Tetrahedral λ with ε, in double", "lambda"},
    {"lambda3-table", "Tetrahedral λ by a table", "lambda"},
    {"hypercube", "Bounding hypercube", ""},
    {"lambda4", "λ of the 4-simplex", ""},
    {"halves4", "Recursive halves of the 4-simplex", ""},
    {"lambda4-trusted", "λ of the 4-simplex, roots trusted", ""},
    {"lambda4-trusted-fp64", "λ of the 4-simplex, roots trusted, in double", ""},
});

}  // namespace

FormNote form_note(std::string_view id) {
    const auto own = std::ranges::find(kOwnForms, id, &OwnForm::id);
    if (own != kOwnForms.end())
        return {own->name, own->like.empty() ? std::string_view{} : note_of(map(own->like)).source};
    const auto triples = simplex3_maps();
    const auto triple = std::ranges::find(triples, id, &Map3Entry::id);
    const MapNote& note = triple != triples.end() ? note_of(*triple) : note_of(map(id));
    return {without_id(note.name), note.source};
}

LabBound lab_bound(std::string_view experiment, std::uint64_t bodies, std::uint32_t rho) {
    const std::uint32_t order = tuple_order(experiment);
    const std::uint64_t side = order == 4   ? kQuadrupleRho
                               : order == 3 ? kTripleRho
                                            : std::uint64_t{rho} * tile_span(experiment);
    const std::uint64_t rows = (bodies + side - 1) / side;
    const auto m = static_cast<double>(rows);
    if (order == 4) return {rows, 24 * m * m * m / ((m + 1) * (m + 2) * (m + 3))};
    return {rows, order == 3 ? 6 * m * m / ((m + 1) * (m + 2)) : 2 * m / (m + 1)};
}

}  // namespace orrery
