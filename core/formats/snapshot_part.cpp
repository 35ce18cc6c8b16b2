// SPDX-License-Identifier: MIT
#include "core/formats/snapshot_part.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/formats/limits.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kBodiesAtOnce = 4 * BodySurvey::kBlock;

std::uint64_t whole_blocks(std::uint64_t bodies) {
    return (bodies + BodySurvey::kBlock - 1) / BodySurvey::kBlock * BodySurvey::kBlock;
}

}  // namespace

SnapshotPart::SnapshotPart(std::unique_ptr<SnapshotRows> rows, Ranks& ranks)
    : rows_{std::move(rows)}, ranks_{ranks}, part_{part_of(rows_->size(), &ranks)} {}

BodySource::Equal SnapshotPart::masses_from(std::size_t i) const {
    return masses_.size() == 1 ? Equal{masses_.front(), size()} : Equal{masses_[i], i + 1};
}

void SnapshotPart::read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    const std::lock_guard lock{reading_};
    for (std::size_t done = 0; done < position_mass.size(); done += kBodiesAtOnce) {
        const std::size_t now = std::min<std::size_t>(kBodiesAtOnce, position_mass.size() - done);
        rows_->read(part_.first + first + done, now, some_);
        std::ranges::copy(some_.position_mass, position_mass.begin() + static_cast<std::ptrdiff_t>(done));
        std::ranges::copy(some_.velocity, velocity.begin() + static_cast<std::ptrdiff_t>(done));
    }
}

void SnapshotPart::take_labels(const Bodies& some, std::uint64_t first) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), part_.last - first));
    const auto append = [&](const auto& from, auto& to) {
        if (!from.empty()) to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
    };
    append(some.ids, labels_.ids), append(some.species, labels_.species);
    for (std::size_t i = 0; i < count; ++i) {
        masses_.push_back(some.position_mass[i].w);
        if (masses_.back() == 0) ++massless_of_[static_cast<std::size_t>(some.species_of(i))];
    }
}

BodySurvey SnapshotPart::survey() {
    const std::string name = rows_->about().id;
    const std::uint64_t end = std::min(rows_->size(), whole_blocks(part_.last));
    BodySurvey survey{rows_->size()};
    FileProgress progress{"reading", part_.count(), sizeof(Vec4d)};
    labels_.ids.reserve(size()), masses_.reserve(size());
    for (std::uint64_t first = part_.first, next; first < end; first = next) {
        const std::uint64_t block = whole_blocks(first);
        next = std::min(first < block ? block : first + kBodiesAtOnce, end);
        rows_->read(first, static_cast<std::size_t>(next - first), some_);
        for (std::size_t i = 0; i < some_.size(); ++i)
            validate_body(name, static_cast<std::size_t>(first) + i, some_.position_mass[i], some_.velocity[i]);
        if (first == block) survey.add(first, some_.position_mass, some_.velocity);
        if (first < part_.last) take_labels(some_, first);
        progress.add(some_.size());
    }
    if (labels_.ids.empty()) labels_.ids = {};
    if (std::ranges::adjacent_find(masses_, std::ranges::not_equal_to{}) == masses_.end() && !masses_.empty())
        masses_ = std::vector<double>{masses_.front()};
    return survey;
}

void SnapshotPart::adopt(BodySurvey survey, SnapshotInParts& opened) {
    Scene& scene = opened.settings;
    survey.join(ranks_);
    Counts massless{};
    for (const Counts& each : from_all(ranks_, massless_of_))
        for (std::size_t k = 0; k < kSpeciesCount; ++k) massless[k] += each[k];
    if (!(survey.mass() > 0)) usage_error(fmt::format("{}: no body has a mass", scene.id));
    scene.gravity.softening = rows_->softening(survey);
    scene.dt = rows_->dt(survey, scene.gravity);
    opened.facts.softening_suggested = scene.gravity.softening == survey.softening();
    opened.facts.dt_suggested = scene.dt == survey.dt(scene.gravity);
    note_massless(scene, massless, rows_->size(), !labels_.species.empty());
    sample_ = survey.sample();
    opened.mass = survey.mass();
}

namespace {

void require_same_number(Ranks& ranks, const std::filesystem::path& path, std::uint64_t bodies) {
    const std::vector<std::uint64_t> all = from_all(ranks, bodies);
    const auto other = std::ranges::find_if(all, [&](std::uint64_t each) { return each != all.front(); });
    if (other != all.end())
        usage_error(fmt::format("{}: rank {} of {} has opened another file than rank 0", path.string(),
                                other - all.begin(), all.size()));
}

}  // namespace

std::optional<SnapshotInParts> open_in_parts(const std::filesystem::path& path, Ranks& ranks) {
    SnapshotInParts opened;
    std::unique_ptr<SnapshotRows> rows;
    on_all(ranks, [&] { rows = open_rows(path, opened.facts); });
    if (rows && (!rows->complete() || rows->size() <= BodySurvey::kFewest)) rows.reset();
    require_same_number(ranks, path, rows ? rows->size() : 0);
    if (!rows) return std::nullopt;
    opened.settings = rows->about(), opened.all = rows->size();
    const auto part = std::make_shared<SnapshotPart>(std::move(rows), ranks);
    std::optional<BodySurvey> survey;
    on_all(ranks, [&] { survey = part->survey(); });
    part->adopt(std::move(*survey), opened);
    opened.bodies = part;
    return opened;
}

}  // namespace orrery
