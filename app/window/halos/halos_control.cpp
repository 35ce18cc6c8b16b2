// SPDX-License-Identifier: MIT
#include "app/window/halos/halos_control.hpp"

#include <algorithm>
#include <utility>

#include "app/ui/words.hpp"
#include "app/window/hand/hand_control.hpp"
#include "app/window/recording/recording_control.hpp"
#include "app/window/scenes/scene_control.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBranchesShown = 60;
constexpr double kTextHeight = 16;      // of labels, about, in window coordinates
constexpr double kDistanceInRadii = 6;  // of the camera from a halo

}  // namespace

HalosControl::HalosControl(WindowCore& core, HandControl& hand, RecordingControl& recording, const SceneControl& scenes)
    : core_{core},
      hand_{hand},
      recording_{recording},
      scenes_{scenes},
      work_{work, [](News& news, const std::string& failure) {
                news.failure = failure;
                news.done = true;
            }} {}

void HalosControl::work(const Work::Task& task) {
    const Job& job = task.job();
    if (job.path.empty()) {
        HaloMembers members = members_in_scene(*job.catalogue, job.halo, job.sources);
        return task.publish([&](News& news) { news.members = std::move(members); });
    }
    SceneHalos found = read_halos_of(job.path, job.sources);
    auto catalogue = std::make_shared<const HaloCatalogue>(std::move(found.catalogue));
    auto progenitors = catalogue->has_tree() ? std::make_shared<const Progenitors>(*catalogue) : nullptr;
    task.publish([&](News& news) {
        news.catalogue = std::move(catalogue), news.progenitors = std::move(progenitors), news.time = found.time;
    });
}

std::vector<std::string> HalosControl::sources() const {
    const SceneRequest& request = core_.state.status.scene.request;
    std::vector<std::string> all{request.source};
    all.insert(all.end(), request.more.begin(), request.more.end());
    return all;
}

void HalosControl::open(const std::string& path) {
    HalosPage& now = page();
    now = HalosPage{.path = path, .circles = now.circles, .listing = now.listing};
    progenitors_.reset();
    work_.start({.sources = sources(), .path = path}, [](News& news) { news = {}; });
}

void HalosControl::take_news() {
    const auto news = work_.take([](News& all, bool changed) {
        return changed && all.done ? std::optional{std::exchange(all, {})} : std::nullopt;
    });
    if (!news) return;
    if (!news->failure.empty()) return core_.messages.failure(news->failure);
    HalosPage& now = page();
    if (news->catalogue) {
        now.shown = {.catalogue = news->catalogue, .circles = now.shown.circles, .time = news->time};
        progenitors_ = news->progenitors;
        now.rows.reset();
        if (!news->catalogue->notes.empty()) core_.messages.notice(verbatim(news->catalogue->notes.front()), "halos");
    }
    if (news->members) {
        now.members_by = name(news->members->by);
        now.picked = std::make_shared<const std::vector<std::uint32_t>>(std::move(news->members->bodies));
        now.shown.members = now.picked;
        hand_.pick(now.picked->empty() ? nullptr : now.picked);
    }
}

void HalosControl::choose(std::uint32_t index) {
    HalosPage& now = page();
    const Halo& halo = now.catalogue()->halos.at(index);
    now.shown.lit = index;
    now.shown.members.reset(), now.picked.reset();
    now.shown.line.reset();
    if (progenitors_)
        now.shown.line =
            std::make_shared<const std::vector<std::uint32_t>>(line_of(*now.catalogue(), *progenitors_, index));
    now.branch = now.tree ? branch_of(*now.tree, index) : kNoBranch;
    CameraPose pose = core_.camera.camera().pose();
    const Vec3d seen = core_.state.picture.space.nearest(halo.position);
    pose.target = {seen.x, seen.y, seen.z};
    if (halo.radius > 0) pose.distance = kDistanceInRadii * halo.radius;
    core_.camera.set_follow(Follow::kNothing);
    core_.camera.go_to(pose, Transition::kSmooth);
    const bool timed = core_.state.status.scene.scale_factor > 0;  // the time is the scale factor
    if (core_.state.status.source.series.on && timed && halo.scale_factor > 0)
        recording_.act(ShowTime{halo.scale_factor});
    work_.start({.sources = sources(), .catalogue = now.shown.catalogue, .halo = index}, [](News& news) { news = {}; });
}

void HalosControl::show_tree(std::uint32_t root) {
    HalosPage& now = page();
    now.tree.reset();
    now.branch = kNoBranch;
    if (root == kNoHalo || !progenitors_) return;
    now.tree = std::make_shared<const MergerTree>(merger_tree(*now.catalogue(), *progenitors_, root, kBranchesShown));
    if (now.shown.lit != kNoHalo) now.branch = branch_of(*now.tree, now.shown.lit);
}

/// Sorts the haloes of the present time if the time, the column or the catalogue has changed.
void HalosControl::list_rows() {
    HalosPage& now = page();
    const HaloCatalogue& catalogue = *now.catalogue();
    const auto time = now.shown.time ? now.shown.time : nearest_time(catalogue, core_.state.status.scene.expansion);
    const bool same = now.listing.sort == listed_.sort && now.listing.ascending == listed_.ascending;
    if (now.rows && time == now.time && same) return;
    now.time = time, listed_ = now.listing;
    std::vector<std::uint32_t> rows;
    if (time) {
        const auto at = catalogue.at(catalogue.times[*time]);
        rows.assign(at.begin(), at.end());
        const auto column = std::ranges::find(halo_columns(), now.listing.sort, &HaloColumn::id);
        sort_halos(catalogue, rows, *column, now.listing.ascending);
    }
    now.rows = std::make_shared<const std::vector<std::uint32_t>>(std::move(rows));
}

/// Haloes of a time are searched again only if it, or what is lit, changes.
const std::vector<std::uint32_t>& HalosControl::drawn_rows() {
    const ShownHalos& shown = page().shown;
    const double a = core_.state.status.scene.expansion;
    const auto time = shown.time ? shown.time : nearest_time(*shown.catalogue, a);
    const bool same = drawn_.catalogue == shown.catalogue && drawn_.time == time && drawn_.circles == shown.circles &&
                      drawn_.lit == shown.lit;
    if (!same) drawn_ = {shown.catalogue, time, shown.circles, shown.lit, shown.at(a)};
    return drawn_.rows;
}

void HalosControl::place_marks() {
    HalosPage& now = page();
    now.marks.clear(), now.dots.clear();
    const bool split = core_.state.status.compare.on && core_.state.comparison.view.mode == CompareMode::kSplit;
    if (!now.catalogue() || !scenes_.bodies_seen() || split) return;
    if (now.circles) {
        const double text = kTextHeight * core_.state.layout.scale_of_text();
        now.marks = halo_circles(now.shown, drawn_rows(), core_.shown_camera(), core_.size.x, core_.size.y, text,
                                 core_.state.picture.space);
    }
    if (now.picked && core_.state.hand.picked == now.picked) now.dots = core_.state.hand.markers;
}

void HalosControl::update() {
    HalosPage& now = page();
    const SceneStatus& scene = core_.state.status.scene;
    if (core_.state.scene.ready && !scene.loading && scene_ != scene.serial) {
        if (scene_ != 0 && now.catalogue()) now = {}, progenitors_.reset(), work_.forget([](News& n) { n = {}; });
        scene_ = scene.serial;
        if (!std::exchange(begun_, true) && !core_.config.halos.empty()) open(core_.config.halos);
    }
    take_news();
    now.busy = work_.busy();
    if (now.catalogue()) list_rows();
    place_marks();
}

void HalosControl::apply(const UiRequests&) {
    const HalosWish wish = std::exchange(page().wish, {});
    if (wish.open) open(*wish.open);
    if (wish.close) page() = {}, progenitors_.reset();
    if (!page().catalogue()) return;
    if (wish.tree_of) show_tree(*wish.tree_of);
    if (wish.choose) choose(*wish.choose);
}

}  // namespace orrery
