// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/picture/format.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/gallery/gallery_control.hpp"
#include "app/window/overlays.hpp"
#include "core/base/text.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

// Pixels at scale 1.
constexpr float kMargin = 28, kMostWidth = 1920, kCardWidth = 196, kCardGap = 12, kSearchWidth = 300;
constexpr float kPictureShape = 9.0f / 16;
constexpr int kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

bool contains(std::string_view text, const std::string& wanted) {
    return lower_case(text).find(wanted) != std::string::npos;
}

bool is_shown(const GalleryCard& card, const GalleryState& gallery) {
    const std::string wanted = lower_case(gallery.search);
    if (!wanted.empty()) return contains(card.label, wanted) || contains(card.doc, wanted) || contains(card.id, wanted);
    return gallery.page == kAllPage || card.family == gallery.page;
}

float title_height(const std::string& title, float width) {
    return ImGui::CalcTextSize(title.c_str(), nullptr, false, width).y;
}

/// The picture with its name below, which has room for `title_lines` lines. Returns true if it was clicked.
bool card_button(Widgets& ui, const GalleryCard& card, float width, float title_lines, std::uintptr_t picture) {
    const float line = ImGui::GetTextLineHeight(), tall = width * kPictureShape;
    const bool hovered =
        ui.canvas(card.label, width, tall + (title_lines + 1) * line + 3 * ui.scale(), card.doc, CanvasUse::kButton);
    const bool clicked = ImGui::IsItemActivated();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high{low.x + width, low.y + tall};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float round = 4 * ui.scale();
    draw->AddRectFilled(low, high, IM_COL32(0, 0, 0, 255), round);
    if (!card.map.empty())
        draw_map_picture(*draw, low, high, card.map, hovered);
    else if (picture != 0)
        draw->AddImageRounded((ImTextureID)picture, low, high, {0, 0}, {1, 1}, IM_COL32(255, 255, 255, 255), round);
    draw->AddRect(low, high, hovered ? ImGui::GetColorU32(ImGuiCol_ButtonActive) : ImGui::GetColorU32(ImGuiCol_Border),
                  round, 0, (hovered ? 2.0f : 1.0f) * ui.scale());
    const float below = high.y + 3 * ui.scale();
    const std::string title{tr(card.label)};
    draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {low.x, below}, ImGui::GetColorU32(ImGuiCol_Text),
                  title.c_str(), nullptr, width);
    draw->AddText({low.x, below + title_height(title, width)}, ImGui::GetColorU32(ImGuiCol_TextDisabled),
                  phrase("{} bodies", grouped(card.bodies)).c_str());
    return clicked;
}

void cards(Widgets& ui, const GalleryState& gallery, Thumbnails& pictures, UiRequests& requests) {
    const float gap = kCardGap * ui.scale(), room = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((room + gap) / (kCardWidth * ui.scale() + gap)));
    const float width = (room - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
    float title_lines = 1;
    for (const GalleryCard& card : gallery.cards)
        if (is_shown(card, gallery) &&
            title_height(std::string{tr(card.label)}, width) > 1.5f * ImGui::GetTextLineHeight())
            title_lines = 2;
    int place = 0;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
    for (const GalleryCard& card : gallery.cards) {
        if (!is_shown(card, gallery)) continue;
        if (place++ % columns != 0) ImGui::SameLine();
        ImGui::PushID(card.id.c_str());
        if (card_button(ui, card, width, title_lines, pictures.of(card.id)))
            requests.open = card.id, requests.gallery.close = true;
        ImGui::PopID();
    }
    ImGui::PopStyleVar();
    if (place == 0) ui.note(phrase("No match. Files: {}", tr(kFilesPage)));
}

void lines(Widgets& ui, const std::vector<GalleryFile>& files, UiRequests& requests) {
    for (const GalleryFile& file : files) {
        const std::string name = verbatim(file.folder ? file.name + "/" : file.name);
        const bool pressed = ui.tab(name, false, file.folder ? "Shows this folder" : verbatim(file.path),
                                    0.55f * ImGui::GetContentRegionAvail().x);
        if (!file.what.empty()) {
            ImGui::SameLine();
            ImGui::AlignTextToFramePadding();
            write_dim(if_known(file.what));
        }
        if (!pressed) continue;
        if (file.folder)
            requests.gallery.folder = file.path;
        else
            requests.open = file.path, requests.gallery.close = true;
    }
}

/// Each format once: the labels of its variants differ after a comma or in brackets.
std::string known_formats() {
    std::vector<std::string_view> names;
    for (const FormatEntry& entry : formats()) {
        const std::string_view name = entry.label.substr(0, entry.label.find_first_of(",("));
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// First row of a folder with several snapshots.
bool play_all(Widgets& ui, std::size_t snapshots) {
    return ui.tab(phrase("Play these {} snapshots", snapshots), true,
                  "Plays the snapshots of this folder in the order of their times. A click on a file below opens only "
                  "that file, to continue from it",
                  0.55f * ImGui::GetContentRegionAvail().x);
}

void folder_page(Widgets& ui, const UiState& state, UiRequests& requests) {
    const GalleryState& gallery = state.gallery;
    std::string typed = gallery.typed;
    if (state.gallery.type_file) ui.type_into_next();
    if (ui.path("Folder", typed, "path",
                "A folder, or a file that Enter opens; Tab completes the path, ~ is your home. Key Ctrl + O",
                gallery.base))
        requests.gallery.typed = typed;
    if (ui.entered()) {
        std::error_code unknown;
        const std::filesystem::path path = typed_path(typed, gallery.base);
        if (std::filesystem::is_directory(path, unknown))
            requests.gallery.folder = path.string();
        else if (!typed.empty())
            requests.open = path.string(), requests.gallery.close = std::filesystem::exists(path, unknown);
    }
    ImGui::Spacing();
    if (!gallery.problem.empty()) ui.note(verbatim(gallery.problem));
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    if (gallery.snapshots > 1 && play_all(ui, gallery.snapshots))
        requests.open = gallery.folder, requests.gallery.close = true;
    lines(ui, gallery.files, requests);
    ImGui::PopStyleVar();
    if (gallery.problem.empty() && gallery.files.size() <= 1)
        ui.note(phrase("No snapshot, scene or checkpoint here. Supported formats: {}", known_formats()));
}

void recent_page(Widgets& ui, const GalleryState& gallery, UiRequests& requests) {
    if (gallery.recent.empty()) return ui.note("No file has been opened yet");
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    lines(ui, gallery.recent, requests);
    ImGui::PopStyleVar();
}

/// Pages of the gallery: all cards, shipped scenes, each family of presets, recent files, a folder.
std::vector<std::string_view> gallery_pages(const GalleryState& gallery) {
    std::vector<std::string_view> pages{kAllPage};
    for (const GalleryCard& card : gallery.cards)
        if (std::ranges::find(pages, card.family) == pages.end()) pages.push_back(card.family);
    pages.push_back(kRecentPage);
    pages.push_back(kFilesPage);
    return pages;
}

void head(Widgets& ui, const GalleryState& gallery, const Fonts& fonts, UiRequests& requests) {
    ImGui::PushFont(fonts.large);
    write_text("Orrery");
    ImGui::PopFont();
    const float width = kSearchWidth * ui.scale(), close = 72 * ui.scale(), gap = ImGui::GetStyle().ItemSpacing.x;
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SameLine(right - width - close - gap);
    if (ImGui::BeginChild("search", {width, ImGui::GetFrameHeight()}, false, kBare | ImGuiWindowFlags_NoBackground)) {
        std::string search = gallery.search;
        if (ui.text("Search", search, "name or word", "Shows matching scenes and presets"))
            requests.gallery.search = search;
    }
    ImGui::EndChild();
    ImGui::SameLine(right - close);
    if (ui.button("Close###gallery", "Key Esc", close)) requests.gallery.close = true;
    for (const std::string_view page : gallery_pages(gallery)) {
        if (ui.tab(page, page == gallery.page && gallery.search.empty()))
            requests.gallery.page = page, requests.gallery.search = "";
        ImGui::SameLine();
        const std::string_view words = tr(page);
        const float next = text_width(words);
        if (ImGui::GetContentRegionAvail().x < 1.5f * next) ImGui::NewLine();
    }
    ImGui::NewLine();
    ImGui::Separator();
}

void foot(Widgets& ui, const GalleryState& gallery, UiRequests& requests) {
    ImGui::Separator();
    bool at_start = gallery.at_start;
    if (ui.toggle("Open with the program", at_start, "Shows this gallery at startup if no scene is named"))
        requests.gallery.at_start = at_start;
    ImGui::SameLine();
    if (gallery.last_run) {
        if (ui.button("Continue the last run",
                      phrase("The bodies when the window was closed: {}", gallery.last_run->what)))
            requests.open = gallery.last_run->path, requests.gallery.close = true;
        ImGui::SameLine();
    }
    const std::string hint{tr("G these pictures · H all keys · Space pause · Esc close")};
    const float width = text_width(hint), right = ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetCursorPosX() + width < right) {
        ImGui::SameLine(right - width);
        write_dim(hint);
    } else {
        ImGui::NewLine();
    }
}

void page(Widgets& ui, const UiState& state, const Fonts& fonts, Thumbnails& pictures, UiRequests& requests) {
    const GalleryState& gallery = state.gallery;
    head(ui, gallery, fonts, requests);
    const float below = ImGui::GetFrameHeightWithSpacing() + 2 * ImGui::GetStyle().ItemSpacing.y;
    if (ImGui::BeginChild("cards", {0, -below}, false, ImGuiWindowFlags_NoBackground)) {
        const std::string_view shown = gallery.search.empty() ? gallery.page : kAllPage;
        if (shown == kFilesPage)
            folder_page(ui, state, requests);
        else if (shown == kRecentPage)
            recent_page(ui, gallery, requests);
        else
            cards(ui, gallery, pictures, requests);
    }
    ImGui::EndChild();
    foot(ui, gallery, requests);
}

using namespace command_table;

void toggle_gallery(Window& w, int) { w.gallery.toggle(); }

void type_file(Window& w, int) {
    w.gallery.open(kFilesPage);
    w.core.state.layout.help = w.core.state.palette.on = false;
    w.core.state.gallery.type_file = true;
}

constexpr auto kGalleryCommands = std::to_array<WindowCommand>({
    anywhere(line(Command::kGallery, toggle_gallery, GLFW_KEY_G, "G", "scenes and files by their pictures")),
    anywhere(with(kControl, line(Command::kTypeFile, type_file, GLFW_KEY_O, "Ctrl + O",
                                 "open a file: choose it, or type its path"))),
});

nlohmann::json gallery_json(const GalleryState& gallery) {
    return {{"on", gallery.on},
            {"page", std::string{gallery.page}},
            {"search", gallery.search},
            {"at_start", gallery.at_start},
            {"folder", gallery.folder},
            {"files", gallery.files.size()},
            {"snapshots", gallery.snapshots},
            {"recent", gallery.recent.size()}};
}

/// Shows scenes and presets by their pictures, and files by folder, over the whole window.
void gallery_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, Thumbnails& pictures,
                     UiRequests& requests) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float margin = kMargin * ui.scale(), width = std::min(screen.x - 2 * margin, kMostWidth * ui.scale());
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    // Stay above everything else, unless autosaved bodies are offered: taking the focus in each frame would release the
    // buttons of that offer.
    const bool offers = !state.autosave.offers.empty();
    if (!offers) keep_in_front("gallery");
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0, 0, 0, 0.55f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    const bool open = ImGui::Begin("gallery", nullptr, kBare);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (open) {
        if (offers) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        ImGui::SetCursorPos({(screen.x - width) / 2, margin});
        ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16 * ui.scale(), 12 * ui.scale()});
        ImGui::BeginChild("page", {width, screen.y - 2 * margin}, true, ImGuiWindowFlags_NoScrollbar);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
        page(ui, state, fonts, pictures, requests);
        ImGui::EndChild();
        // A click beside the page closes the gallery.
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered()) requests.gallery.close = true;
    }
    ImGui::End();
}

void draw_gallery(Window& w, DrawnFrame& frame) {
    if (!frame.state.gallery.on) return;
    Thumbnails& pictures = w.gallery.thumbnails();
    pictures.begin_frame();
    gallery_overlay(frame.ui, frame.state, w.imgui.fonts(), pictures, frame.requests);
}

constexpr auto kGalleryOverlays = std::to_array<Overlay>({
    {Layer::kGallery, draw_gallery, [](const UiState& state) { return state.gallery.on; }},
});

void describe_gallery(nlohmann::json& map, const UiState& state) { map["gallery"] = gallery_json(state.gallery); }

}  // namespace

FeatureEntry gallery_feature() {
    return {.commands = kGalleryCommands, .overlays = kGalleryOverlays, .describe = describe_gallery};
}

}  // namespace orrery
