// SPDX-License-Identifier: MIT
#include "core/lab/launch_variants.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/menu.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

template <class Form>
constexpr bool in_clusters = requires {
    Form::cluster;
};

template <class Listed>
void add(std::vector<LabForm>& menu) {
    using Form = Sample<Listed>;
    if constexpr (!TriangleMap<Form>)
        menu.push_back({.id = Form::id,
                        .doc = Form::doc,
                        .form = form_id<Listed>,
                        .takes_root = takes_root<Listed>,
                        .strips = in_strips<Form>,
                        .clusters = in_clusters<Form>});
    else
        menu.push_back({.id = Form::name,
                        .doc = Form::doc,
                        .form = form_id<Listed>,
                        .takes_root = takes_root<Listed>,
                        .for_study = trusts_root<Form>,
                        .reads_table = reads_table<Form>,
                        .map = &map(Form::name)});
}

template <class... Listed>
void add_all(std::vector<LabForm>& menu, TypeList<Listed...>) {
    (add<Listed>(menu), ...);
}

template <class Listed>
void add_triple(std::vector<LabForm>& menu) {
    using Form = Sample<Listed>;
    LabForm form{.id = {}, .doc = {}, .form = form3_id<Listed>, .takes_root = takes_root<Listed>, .order = 3};
    if constexpr (index_in<Listed, OwnForms3>() < OwnForms3::size)
        form.id = Form::id, form.doc = Form::doc, form.for_study = Form::for_study;
    else
        form.id = Form::name, form.doc = Form::doc;
    menu.push_back(form);
}

template <class... Listed>
void add_triples(std::vector<LabForm>& menu, TypeList<Listed...>) {
    (add_triple<Listed>(menu), ...);
}

template <class... Listed>
void add_quadruples(std::vector<LabForm>& menu, TypeList<Listed...>) {
    (menu.push_back({.id = Sample<Listed>::id,
                     .doc = Sample<Listed>::doc,
                     .form = form4_id<Listed>,
                     .takes_root = takes_root<Listed>,
                     .for_study = Sample<Listed>::for_study,
                     .order = 4}),
     ...);
}

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

std::span<const LabForm> lab_forms() {
    static const std::vector<LabForm> menu = [] {
        std::vector<LabForm> all;
        add_all(all, LabForms{});
        std::ranges::stable_partition(all, [](const LabForm& form) { return !form.for_study; });
        add_triples(all, LabForms3{});
        add_quadruples(all, LabForms4{});
        return all;
    }();
    return menu;
}

bool reads_lut_table(FormChoice choice) {
    const auto found = std::ranges::find(lab_forms(), choice.form, &LabForm::form);
    return found != lab_forms().end() && found->reads_table;
}

std::vector<std::uint32_t> lambda3_table(std::uint32_t side) {
    std::vector<std::uint32_t> layers;
    for (std::uint32_t layer = 0; layer <= side; ++layer)
        layers.push_back(static_cast<std::uint32_t>(tetrahedral(layer)));
    return layers;
}

LaunchCounts launch_counts(FormChoice choice, std::uint32_t bodies, std::uint32_t rho) {
    const std::uint64_t block = std::uint64_t{rho} * rho, rows = (bodies + rho - 1) / rho;
    LaunchCounts counts;
    with_form(choice, nullptr, [&](auto form) {
        if constexpr (form.in_threads) {
            const LabBlocks laid = blocks_of_threads(form.threads(bodies), rho);
            counts.launches = 1, counts.blocks = laid.blocks.count();
            counts.wasted_blocks = counts.blocks - (triangular(bodies) + block - 1) / block;
        } else {
            form.launches(static_cast<std::uint32_t>(rows),
                          [&](Extent blocks, auto) { ++counts.launches, counts.blocks += blocks.count(); });
            if constexpr (in_strips<decltype(form)>)
                counts.wasted_blocks = counts.blocks - form.useful_blocks(static_cast<std::uint32_t>(rows));
            else
                counts.wasted_blocks = counts.blocks - triangular(rows);
        }
        counts.threads = counts.blocks * block;
        counts.wasted_threads =
            in_strips<decltype(form)> ? counts.wasted_blocks * block : counts.threads - triangular(bodies);
    });
    return counts;
}

FormNote form_note(std::string_view id) {
    const auto own = std::ranges::find(kOwnForms, id, &OwnForm::id);
    if (own != kOwnForms.end()) return {own->name, own->like.empty() ? std::string_view{} : map(own->like).source};
    const auto triples = simplex3_maps();
    const auto triple = std::ranges::find(triples, id, &Map3Entry::id);
    const auto note = [](const auto& entry) { return FormNote{without_id(entry.title), entry.source}; };
    return triple != triples.end() ? note(*triple) : note(map(id));
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
