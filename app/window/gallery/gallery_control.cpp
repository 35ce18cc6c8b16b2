// SPDX-License-Identifier: MIT
#include "app/window/gallery/gallery_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/scene/scene_file.hpp"
#include "app/scene/shipped.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/overlays.hpp"
#include "app/window/scenes/snapshot_folder.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/formats/formats.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecent = 12, kMostEntries = 2000, kLongestPath = 4096;

std::vector<GalleryCard> all_cards() {
    std::vector<GalleryCard> cards;
    for (const ShippedScene& scene : shipped_scenes()) {
        const SceneFile file = scene.read();
        const SceneRequest& request = file.scene;
        cards.push_back({std::string{scene.id}, scene.label, scene.doc, kScenesPage,
                         request.bodies > 0 ? request.bodies : preset(request.source).default_bodies,
                         file.panel == "maps" ? file.engine.map : std::string{}});
    }
    for (const PresetEntry& preset : presets())
        cards.push_back({std::string{preset.id},
                         std::string{preset.label},
                         std::string{preset.doc},
                         preset.family,
                         preset.default_bodies,
                         {}});
    return cards;
}

/// "12.3 MB"
std::string size_text(std::uintmax_t bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1000 && unit + 1 < units.size(); ++unit) size /= 1000;
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", size, units[unit]);
}

/// The kind of a file, from its name; empty if it cannot be opened.
std::string kind_of(const fs::path& path) {
    if (is_scene_path(path)) return "scene";
    if (is_kernel_path(path)) return "kernel";
    try {
        return std::string{format_for(path).label};
    } catch (const Error&) {
        return {};
    }
}

GalleryFile described(const fs::path& path) {
    std::error_code unknown;
    const auto size = fs::file_size(path, unknown);
    const std::string kind = kind_of(path);
    const std::string large = unknown ? "not found" : size_text(size);
    return {path.string(), path.filename().string(), false, kind.empty() ? large : kind + ", " + large};
}

bool by_name(const GalleryFile& a, const GalleryFile& b) { return a.folder != b.folder ? a.folder : a.name < b.name; }

}  // namespace

void GalleryControl::begin(bool at_start, fs::path recent) {
    core_.state.gallery.cards = all_cards();
    core_.state.gallery.page = kAllPage;
    recent_path_ = std::move(recent);
    std::ifstream file{recent_path_};
    for (std::string line; recent_.size() < kMostRecent && std::getline(file, line);)
        if (!line.empty() && line.size() <= kLongestPath) recent_.push_back(line);
    if (at_start && core_.state.gallery.at_start) open(kAllPage);
}

void GalleryControl::open(std::string_view page) {
    GalleryState& gallery = core_.state.gallery;
    gallery.on = true;
    gallery.search.clear();
    show({.page = page, .search = {}, .folder = {}, .at_start = {}});
}

void GalleryControl::toggle() {
    if (core_.state.gallery.on) return close();
    open(core_.state.gallery.page);
}

void GalleryControl::apply(const UiRequests& requests) {
    show(requests.gallery);
    GalleryState& gallery = core_.state.gallery;
    gallery.type_file = false;
}

void GalleryControl::show(const GalleryRequest& request) {
    GalleryState& gallery = core_.state.gallery;
    if (request.page) {
        gallery.page = *request.page;
        if (gallery.page == kRecentPage) show_recent();
        if (gallery.page == kFilesPage)
            show_folder(gallery.folder.empty() ? fs::current_path().string() : gallery.folder);
    }
    if (request.search) gallery.search = *request.search;
    if (request.folder) show_folder(*request.folder);
    if (request.typed) show_typed(*request.typed);
    if (request.at_start) gallery.at_start = *request.at_start;
    if (request.close) close();
}

void GalleryControl::show_folder(const std::string& folder) {
    GalleryState& gallery = core_.state.gallery;
    gallery.typed = gallery.folder = gallery.base = folder;
    list(folder, {});
}

/// Shows a folder, or the entries of one whose names begin as typed.
void GalleryControl::show_typed(const std::string& typed) {
    GalleryState& gallery = core_.state.gallery;
    gallery.typed = typed;
    const fs::path path = typed_path(typed, gallery.base);
    std::error_code unknown;
    const bool whole = fs::is_directory(path, unknown);
    const fs::path folder = whole ? path : path.parent_path();
    gallery.folder = folder.string();
    list(folder, whole ? std::string{} : path.filename().string());
}

void GalleryControl::list(const fs::path& path, const std::string& begin) {
    GalleryState& gallery = core_.state.gallery;
    gallery.files.clear();
    gallery.snapshots = 0;
    gallery.problem.clear();
    std::error_code problem;
    fs::directory_iterator entries{path, fs::directory_options::skip_permission_denied, problem};
    if (problem) {
        gallery.problem = fmt::format("{}: {}", path.string(), problem.message());
        return;
    }
    std::vector<fs::path> files;
    for (std::size_t seen = 0; entries != fs::directory_iterator{} && seen < kMostEntries; entries.increment(problem)) {
        if (problem) break;
        const fs::path& each = entries->path();
        const std::string name = each.filename().string();
        if (name.starts_with('.') || !name.starts_with(begin)) continue;
        ++seen;
        if (entries->is_directory(problem))
            gallery.files.push_back({each.string(), each.filename().string(), true, {}});
        else if (is_scene_path(each))
            gallery.files.push_back(described(each));
        else
            files.push_back(each);
    }
    std::ranges::sort(files);
    const std::vector<fs::path> snapshots = snapshots_among(files);
    for (const fs::path& each : files)
        if (!kind_of(each).empty() || std::ranges::binary_search(snapshots, each))
            gallery.files.push_back(described(each));
    gallery.snapshots = count_snapshots(snapshots);
    std::ranges::sort(gallery.files, by_name);
    const fs::path whole = fs::absolute(path, problem).lexically_normal();
    const fs::path above = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
    gallery.files.insert(gallery.files.begin(), {above.string(), "..", true, "the folder above"});
}

void GalleryControl::show_recent() {
    std::vector<GalleryFile>& lines = core_.state.gallery.recent;
    lines.clear();
    for (const std::string& path : recent_) lines.push_back(described(path));
}

/// Presets and shipped scenes are not files; a series is listed by its first file.
void GalleryControl::opened(const SceneRequest& request) {
    const std::string& shown = core_.state.scene.shown.source;
    const fs::path named = shown.empty() ? request.source : shown;
    std::error_code unknown;
    if (!fs::is_regular_file(named, unknown)) return;
    const std::string path = fs::absolute(named, unknown).lexically_normal().string();
    if (path.find('\n') != std::string::npos) return;
    std::erase(recent_, path);
    recent_.insert(recent_.begin(), path);
    if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
    show_recent();
    write_recent();
}

void GalleryControl::write_recent() {
    if (recent_path_.empty()) return;
    std::error_code ignored;  // OutputFile reports the error
    fs::create_directories(recent_path_.parent_path(), ignored);
    core_.messages.attempt([&] {
        OutputFile file{recent_path_};
        for (const std::string& path : recent_) file.write(path + '\n');
        file.commit();
    });
}

}  // namespace orrery
