// SPDX-License-Identifier: MIT
#include "app/window/gallery/gallery_control.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>

#include "app/record/picture_files.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/shipped.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/overlays.hpp"
#include "assets/assets.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/engines/config.hpp"
#include "core/formats/formats.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/maps/picture.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kThumbnailRows = 9;
constexpr double kBlocksPerSecond = 6;
constexpr ImU32 kIdleBlock = IM_COL32(255, 255, 255, 22), kIdleCross = IM_COL32(240, 96, 72, 200);
constexpr ImU32 kLitBlock = IM_COL32(255, 255, 255, 255);

const MapPicture& picture_of_map(const std::string& map) {
    static std::map<std::string, MapPicture> all;
    const auto known = all.find(map);
    return known != all.end() ? known->second
                              : all.emplace(map, MapPicture{map, EngineConfig{}.root, kThumbnailRows}).first->second;
}

/// From blue to amber, by the index of the block.
ImU32 color_of_block(std::uint32_t index, std::uint32_t blocks) {
    const float share = static_cast<float>(index) / static_cast<float>(std::max(1u, blocks - 1));
    const auto mixed = [&](float from, float to) { return static_cast<int>(from + share * (to - from)); };
    return IM_COL32(mixed(58, 240), mixed(110, 158), mixed(190, 72), 255);
}

/// Cells in columns and lines.
struct CellBoard {
    ImDrawList& draw;
    ImVec2 corner;
    float cell;

    void fill(std::uint32_t column, std::uint32_t line, ImU32 color) const {
        const ImVec2 at{corner.x + cell * static_cast<float>(column), corner.y + cell * static_cast<float>(line)};
        draw.AddRectFilled(at, {at.x + cell - 1, at.y + cell - 1}, color);
    }
    void cross(std::uint32_t column, std::uint32_t line) const {
        const ImVec2 at{corner.x + cell * static_cast<float>(column), corner.y + cell * static_cast<float>(line)};
        const float near = 0.25f * cell, far = 0.7f * cell;
        draw.AddLine({at.x + near, at.y + near}, {at.x + far, at.y + far}, kIdleCross);
        draw.AddLine({at.x + near, at.y + far}, {at.x + far, at.y + near}, kIdleCross);
    }
};

constexpr std::size_t kMostScanned = 2000;

bool is_snapshot(const fs::path& file) {
    try {
        std::error_code failed;
        return fs::file_size(file, failed) > 0 && !failed && may_be_snapshot(file);
    } catch (const Error&) {  // it cannot be read
        return false;
    }
}

/// Number of files per snapshot, from the header of this one; 1 for formats without a header, without reading.
std::size_t files_of_one(const fs::path& file) {
    try {
        if (!format_for(file).head) return 1;
    } catch (const Error&) {  // recognised by content only: such formats have a header
    }
    try {
        return static_cast<std::size_t>(std::max<std::uint64_t>(1, read_head(file).files));
    } catch (const Error&) {
        return 1;
    }
}

/// The files of one folder that a series of it would play: not empty, and snapshots by name or content.
std::vector<fs::path> snapshots_among(const std::vector<fs::path>& files) {
    std::vector<fs::path> found;
    std::ranges::copy_if(files, std::back_inserter(found), is_snapshot);
    return found;
}

/// Number of snapshots in these files; a snapshot in several files counts once. Reads the header of one file.
std::size_t count_snapshots(const std::vector<fs::path>& files) {
    if (files.size() < 2) return files.size();
    const std::size_t each = files_of_one(files.front());
    return (files.size() + each - 1) / each;
}

}  // namespace

void draw_map_picture(ImDrawList& draw, ImVec2 low, ImVec2 high, const std::string& map, bool moves) {
    const MapPicture& picture = picture_of_map(map);
    const float width = high.x - low.x, height = high.y - low.y, margin = 0.1f * height;
    const auto columns = static_cast<float>(picture.columns() + picture.drawn() + 2);  // 2: the gap
    const auto lines = static_cast<float>(std::max(picture.lines(), picture.drawn()));
    const float cell = std::floor(std::min((width - 2 * margin) / columns, (height - 2 * margin) / lines));
    const auto top = [&](std::uint32_t of) { return low.y + (height - cell * static_cast<float>(of)) / 2; };
    const float left = low.x + (width - cell * columns) / 2;
    const CellBoard grid{draw, {left, top(picture.lines())}, cell};
    const CellBoard tiles{draw, {left + cell * static_cast<float>(picture.columns() + 2), top(picture.drawn())}, cell};
    const std::uint32_t lit =
        moves ? static_cast<std::uint32_t>(ImGui::GetTime() * kBlocksPerSecond) % picture.blocks() : picture.blocks();
    for (std::uint32_t i = 0; i < picture.blocks(); ++i) {
        const std::uint32_t column = i % picture.columns(), line = i / picture.columns();
        const bool useful = picture.useful(i);
        const ImU32 color = i == lit ? kLitBlock : useful ? color_of_block(i, picture.blocks()) : kIdleBlock;
        grid.fill(column, line, color);
        if (useful)
            tiles.fill(picture.tile(i).col, picture.tile(i).row, color);
        else
            grid.cross(column, line);
    }
}

namespace {

unsigned texture_of(const Image& image) {
    unsigned texture = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, image.width, image.height);
    glTextureSubImage2D(texture, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    for (const auto& [name, value] :
         {std::pair{GL_TEXTURE_MIN_FILTER, GL_LINEAR}, std::pair{GL_TEXTURE_MAG_FILTER, GL_LINEAR},
          std::pair{GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE}, std::pair{GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}})
        glTextureParameteri(texture, static_cast<GLenum>(name), value);
    return texture;
}

}  // namespace

Thumbnails::~Thumbnails() {
    for (const auto& [id, texture] : textures_)
        if (texture != 0) glDeleteTextures(1, &texture);
}

std::uintptr_t Thumbnails::of(std::string_view id) {
    if (const auto known = textures_.find(id); known != textures_.end()) return known->second;
    if (left_-- <= 0) return 0;
    const std::string name = "thumbnails/" + std::string{id} + ".png";
    const std::string_view bytes = assets::file(name);
    return textures_[std::string{id}] = bytes.empty() ? 0 : texture_of(decoded_png(name, bytes));
}

namespace {

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

std::size_t count_snapshots_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry{folder, failed}, end; !failed && entry != end && files.size() < kMostScanned;
         entry.increment(failed))
        if (!entry->path().filename().string().starts_with('.') && entry->is_regular_file(failed))
            files.push_back(entry->path());
    return count_snapshots(snapshots_among(files));
}

}  // namespace orrery
