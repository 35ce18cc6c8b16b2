// SPDX-License-Identifier: MIT
#include "core/lab/forms.hpp"

#include <algorithm>
#include <vector>

#include "core/lab/forms3.hpp"

namespace orrery {
namespace {

template <class Listed>
void add(std::vector<LabForm>& menu) {
    using Form = Sample<Listed>;
    if constexpr (!TriangleMap<Form>)
        menu.push_back({.id = Form::id,
                        .doc = Form::doc,
                        .form = form_id<Listed>,
                        .takes_root = takes_root<Listed>,
                        .dummy_only = std::is_same_v<Form, DynamicTriangles>});
    else if constexpr (has_diagonal<Form>)
        menu.push_back({.id = Form::name,
                        .doc = Form::doc,
                        .form = form_id<Listed>,
                        .takes_root = takes_root<Listed>,
                        .for_study = trusts_root<Form>,
                        .reads_table = reads_table<Form>});
}

template <class... Listed>
void add_all(std::vector<LabForm>& menu, TypeList<Listed...>) {
    (add<Listed>(menu), ...);
}

template <class... Listed>
void add_triples(std::vector<LabForm>& menu, TypeList<Listed...>) {
    (menu.push_back({.id = Sample<Listed>::name,
                     .doc = Sample<Listed>::doc,
                     .form = form3_id<Listed>,
                     .takes_root = takes_root<Listed>,
                     .triples = true}),
     ...);
}

}  // namespace

std::span<const LabForm> lab_forms() {
    static const std::vector<LabForm> menu = [] {
        std::vector<LabForm> all;
        add_all(all, LabForms{});
        std::ranges::stable_partition(all, [](const LabForm& form) { return !form.for_study; });
        add_triples(all, Maps3{});
        return all;
    }();
    return menu;
}

bool reads_lut_table(FormChoice choice) {
    const auto found = std::ranges::find(lab_forms(), choice.form, &LabForm::form);
    return found != lab_forms().end() && found->reads_table;
}

}  // namespace orrery
