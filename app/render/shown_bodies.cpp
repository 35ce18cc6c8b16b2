// SPDX-License-Identifier: MIT
#include "app/render/shown_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/bodies/body_metadata.hpp"

namespace orrery {
namespace {

constexpr std::size_t kGatherGroup = 256;  // local_size_x of gather.comp

std::shared_ptr<const std::vector<float>> some_of(const std::shared_ptr<const std::vector<float>>& all,
                                                  const std::vector<std::uint32_t>& rows) {
    if (!all) return nullptr;
    auto some = std::make_shared<std::vector<float>>();
    some->reserve(rows.size());
    for (const std::uint32_t row : rows) some->push_back((*all)[row]);
    return some;
}

bool all_equal(const std::vector<float>& numbers) {
    return std::ranges::adjacent_find(numbers, std::ranges::not_equal_to{}) == numbers.end();
}

/// The share of their light that members of a set and others have.
struct Shares {
    float members = 1, others = 1;
};
Shares shares_of(MembersShown as) {
    switch (as) {
        case MembersShown::kAll:
            return {};
        case MembersShown::kAlone:
            return {1, 0};
        case MembersShown::kBright:
            return {1, kDimmedLight};
        case MembersShown::kDimmed:
            return {kDimmedLight, 1};
        case MembersShown::kHidden:
            return {0, 1};
    }
    return {};
}

}  // namespace

const SharedBuffer& ShownBodies::of(const SharedBuffer& all, const ShownChoice& choice) {
    const BodyMetadata* words = all.words_.get();
    const bool whole = !all.blocks_ && !all.lights_;
    const bool known = whole && words && words->species_of.size() == all.count_;
    const bool filtered = whole && words && words->shown && words->shown->size() == all.count_;
    const bool picks = whole && all.picked_ && !all.picked_->empty();
    ShownChoice now;  // without what has no effect here
    if (known) now.hidden = choice.hidden & words->species;
    now.filter = filtered ? choice.filter : MembersShown::kAll;
    now.selection = picks ? choice.selection : MembersShown::kAll;
    const bool nothing = now.hidden.none() && now.filter == MembersShown::kAll && now.selection == MembersShown::kAll;
    if (!nothing) now.mass_power = choice.mass_power;
    const auto picked = now.selection == MembersShown::kAll ? nullptr : all.picked_;
    const bool hides_others = now.hidden != choice_.hidden || now.filter != choice_.filter ||
                              now.selection != choice_.selection || picked != picked_;
    if (hides_others) ++changes_;
    const bool others = hides_others || now != choice_ || all.words_ != words_;
    choice_ = now, picked_ = picked;
    if (nothing) {
        if (some_.rows_) forget();
        return all;
    }
    if (others || !some_.rows_) choose(all);
    if (others || all.masses_.values != masses_ || all.radii_.values != radii_) take_properties(all);
    if (others || all.serial_ != serial_) gather(all);
    return some_;
}

/// Keeps the program and its limit.
void ShownBodies::forget() {
    ShownBodies none;
    none.gather_ = std::move(gather_), none.range_ = range_;
    none.choice_ = choice_, none.changes_ = changes_;
    *this = std::move(none);
}

void ShownBodies::choose(const SharedBuffer& all) {
    words_ = some_.words_ = all.words_;
    some_.picked_ = all.picked_;
    std::vector<float> share(all.count_, 1.0f);
    if (choice_.hidden.any())
        for (std::size_t i = 0; i < all.count_; ++i)
            if (choice_.hidden[static_cast<std::size_t>(words_->species_of[i])]) share[i] = 0;
    if (const Shares by = shares_of(choice_.filter); choice_.filter != MembersShown::kAll)
        for (std::size_t i = 0; i < all.count_; ++i) share[i] *= (*words_->shown)[i] != 0 ? by.members : by.others;
    if (const Shares by = shares_of(choice_.selection); picked_) {
        std::vector<float> of_selection(all.count_, by.others);
        for (const std::uint32_t i : *picked_)
            if (i < all.count_) of_selection[i] = by.members;
        for (std::size_t i = 0; i < all.count_; ++i) share[i] *= of_selection[i];
    }
    auto rows = std::make_shared<std::vector<std::uint32_t>>();
    light_.clear();
    for (std::uint32_t i = 0; i < all.count_; ++i)
        if (share[i] != 0) rows->push_back(i), light_.push_back(share[i]);
    if (std::ranges::all_of(light_, [](float light) { return light == 1; })) light_.clear();
    some_.count_ = some_.all_bodies_ = rows->size();
    some_.bodies_of_frame_ = all.count_;
    GlBuffer& chosen = some_.host_[0];
    const std::size_t bytes = std::max<std::size_t>(rows->size(), 1) * sizeof(std::uint32_t);
    if (rows_.bytes() != bytes) {
        rows_ = GlBuffer{}, chosen = GlBuffer{};
        rows_ = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
        chosen = GlBuffer{std::max<std::size_t>(rows->size(), 1) * sizeof(Vec4f), 0};
    }
    if (!rows->empty()) rows_.write(rows->data(), bytes);
    some_.current_ = chosen.name();
    some_.rows_ = std::move(rows);
}

/// Masses of bodies of which some are dimmed become light: their power as shaders compute it, times the share.
void ShownBodies::take_properties(const SharedBuffer& all) {
    masses_ = all.masses_.values, radii_ = all.radii_.values;
    some_.radii_.assign(radii_ && radii_->size() == all.count_ ? some_of(radii_, *some_.rows_) : nullptr);
    auto masses = some_of(masses_, *some_.rows_);
    if (masses && all_equal(*masses)) masses = nullptr;
    some_.masses_.assign(masses);
    some_.lights_ = !light_.empty();
    if (some_.lights_) {
        const double mean = some_.mean_mass_power(choice_.mass_power);
        auto light = std::make_shared<std::vector<float>>(light_);
        for (std::size_t i = 0; masses && choice_.mass_power > 0 && i < light->size(); ++i)
            (*light)[i] *= static_cast<float>(std::pow((*masses)[i], choice_.mass_power) / mean);
        masses = std::move(light);
        some_.masses_.assign(masses);
    }
    if (!masses) return;
    const std::size_t bytes = masses->size() * sizeof(float);
    GlBuffer& buffer = some_.masses_.buffers[0];
    if (buffer.bytes() != bytes) buffer = GlBuffer{}, buffer = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    buffer.write(masses->data(), bytes);
}

void ShownBodies::gather(const SharedBuffer& all) {
    serial_ = all.serial_;
    some_.serial_ = SharedBuffer::next_serial();
    some_.step_ = all.step_;
    some_.way_ = all.way_;
    if (gather_.name() == 0) gather_ = GlProgram{"gather.comp"}, range_ = items_of_binding(sizeof(Vec4f), kGatherGroup);
    const std::vector<std::uint32_t>& rows = *some_.rows_;
    gather_.use();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    // Rows are ascending, so the bodies of a range of rows are in few ranges of the frame.
    for (std::size_t first = 0; first < rows.size(); first += range_) {
        const std::size_t count = std::min(range_, rows.size() - first);
        bind_storage_range(2, rows_.name(), first, count, sizeof(std::uint32_t));
        bind_storage_range(4, some_.current_, first, count, sizeof(Vec4f));
        for (std::size_t from = rows[first] / range_ * range_; from <= rows[first + count - 1]; from += range_) {
            const std::size_t bodies = std::min(range_, all.count_ - from);
            bind_storage_range(0, all.current_, from, bodies, sizeof(Vec4f));
            glProgramUniform3ui(gather_.name(), 0, static_cast<GLuint>(from), static_cast<GLuint>(bodies),
                                static_cast<GLuint>(count));
            dispatch_rows(count, kGatherGroup);
        }
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

}  // namespace orrery
