// SPDX-License-Identifier: MIT
#include "app/window/autosave/autosave.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/ui/words.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/error.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "autosave-", kSuffix = ".orrery", kLock = ".lock", kLast = "last-run.orrery";
constexpr std::chrono::milliseconds kNap{5};
constexpr int kMostNaps = 2000;               // ten seconds
constexpr int kMostNapsAtTheEnd = 400;        // two
constexpr std::uint64_t kBytesPerBody = 128;  // upper bound: state in double precision, with masses, without names
constexpr std::uint64_t kMostAtTheEnd = std::uint64_t{1} << 25;  // bytes: saving more would delay closing

void remove_kept(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path.string() + std::string{kLock}, ignored);
}

std::string kept_text(const fs::path& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return {};
    const std::tm when = fmt::localtime(found.st_mtime);
    return phrase("saved on {} at {}, {:.3g} MB", fmt::format("{:%d.%m.%Y}", when), fmt::format("{:%H:%M}", when),
                  static_cast<double>(found.st_size) / 1e6);
}

}  // namespace

Autosave::Autosave(WindowCore& core, SceneControl& scenes, fs::path folder, bool offers)
    : core_{core}, scenes_{scenes}, folder_{std::move(folder)} {
    if (folder_.empty()) return;
    last_ = folder_.parent_path() / kLast;
    if (offers) find_left();
    own_ = free_file();
}

/// Another process may have had the same process id.
fs::path Autosave::free_file() const {
    fs::path path;
    std::error_code unknown;
    for (int i = 0; path.empty() || fs::exists(path, unknown); ++i)
        path = folder_ / fmt::format("{}{}-{}{}", kPrefix, getpid(), i, kSuffix);
    return path;
}

/// Skips files of windows that are still running.
void Autosave::find_left() {
    std::error_code problem;
    for (fs::directory_iterator entries{folder_, problem}; !problem && entries != fs::directory_iterator{};
         entries.increment(problem)) {
        std::error_code unknown;
        const fs::path path = entries->path();
        const std::string name = path.filename().string();
        if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
        if (entries->symlink_status(unknown).type() != fs::file_type::regular) continue;
        LifeSign lock = take_life_sign(path.string() + std::string{kLock});
        if (lock.others) continue;
        left_.push_back({path, fs::last_write_time(path, unknown), {}, std::move(lock.file)});
        try {
            check_checkpoint(path);
        } catch (const Error& error) {
            left_.back().problem = error.what();
        }
    }
    std::ranges::sort(left_, [](const Left& a, const Left& b) {
        return a.problem.empty() != b.problem.empty() ? a.problem.empty() : a.time > b.time;
    });
    for (const Left& each : left_)
        core_.state.autosave.offers.push_back({each.path.string(), kept_text(each.path), each.problem});
}

void Autosave::apply(const UiRequests& requests) {
    if (!requests.autosave) return;
    const std::string path = answer(*requests.autosave);
    if (path.empty()) return;
    core_.state.gallery.on = false;
    scenes_.open(path);
}

/// Returns the file to open; empty: none.
std::string Autosave::answer(const AutosaveAnswer& answer) {
    std::vector<AutosaveOffer>& offered = core_.state.autosave.offers;
    std::erase_if(offered, [&](const AutosaveOffer& kept) { return kept.path == answer.path; });
    if (!answer.open) {
        remove_kept(answer.path);
        std::erase_if(left_, [&](const Left& left) { return left.path == answer.path; });
        return {};
    }
    if (!std::exchange(offered, {}).empty())
        core_.messages.notice("Bodies of other windows are kept too; the next start offers them again");
    gone_on_ = answer.path;
    return answer.path;
}

std::optional<GalleryFile> Autosave::last_run() const {
    std::error_code unknown;
    if (last_.empty() || !fs::is_regular_file(last_, unknown)) return std::nullopt;
    return GalleryFile{last_.string(), last_.filename().string(), false, kept_text(last_)};
}

Autosave::Moment Autosave::now() const {
    const Status& status = core_.simulation.status();
    return {status.scene.serial, status.timeline.now.moment, status.edits.time};
}

/// True if there is anything that reopening the scene would not restore.
bool Autosave::moves() const {
    const Status& status = core_.simulation.status();
    if (!core_.simulation.ready() || status.scene.loading || status.source.series.on || status.source.cloud.on)
        return false;
    if (status.bodies * kBytesPerBody > kMostBytes) return false;
    return now().moment > 0 || now().edited;
}

bool Autosave::may_save() const { return now() != saved_ && moves(); }

void Autosave::end_frame() {
    const double minutes = core_.state.autosave.minutes, seconds = core_.clock.seconds();
    // A scene that has just been opened need not be saved.
    if (core_.simulation.ready() && now().scene != begun_.scene) begun_ = saved_ = now();
    if (own_.empty() || minutes <= 0) return;
    if (minutes != minutes_) minutes_ = minutes, next_ = seconds + 60 * minutes;  // also after a change of the interval
    if (seconds < next_ || !may_save()) return;
    next_ = seconds + 60 * minutes;
    try {
        require_checkpoints();
        if (!lock_) {
            std::error_code ignored;  // lock_output() reports the error
            fs::create_directories(folder_, ignored);
            lock_ = lock_output(own_.string() + std::string{kLock});
        }
    } catch (const Error& error) {
        own_.clear();  // reported once
        return core_.messages.notice(phrase("Autosave is off: {}", error.what()));
    }
    saved_ = now();
    asked_ = true;
    core_.simulation.send(SaveState{own_.string(), SaveState::By::kItself});
}

void Autosave::forget() {
    const Status& status = core_.simulation.status();
    const bool worth = moves() && now() != begun_ && !last_.empty() && core_.state.autosave.minutes > 0;
    const bool small = status.bodies * kBytesPerBody <= kMostAtTheEnd;
    if (asked_) finish({{}, SaveState::By::kItself}, kMostNaps);
    try {
        if (worth && small) require_checkpoints(), finish({last_.string(), SaveState::By::kItself}, kMostNapsAtTheEnd);
    } catch (const Error&) {
        // A build without checkpoints saves nothing, as update() has reported.
    }
    std::error_code unknown;
    if (worth && !small && fs::exists(own_, unknown)) fs::rename(own_, last_, unknown);
    if (asked_) remove_kept(own_);
    if (!gone_on_.empty()) remove_kept(gone_on_);
}

/// Waits until the state, or the one being written, is saved; gives up on a long step.
void Autosave::finish(SaveState wish, int most_naps) {
    core_.simulation.send(std::move(wish));
    const auto busy = [&] { return !core_.simulation.settled() || core_.simulation.status().saving.autosave_pending; };
    for (int i = 0; i < most_naps && busy(); ++i) {
        std::this_thread::sleep_for(kNap);
        core_.simulation.poll();
    }
}

namespace {

/// The first autosaved file offered; empty if there is none that can be opened.
std::string kept_path(const UiState& state) {
    return state.autosave.offers.empty() || !state.autosave.offers.front().problem.empty()
               ? std::string{}
               : state.autosave.offers.front().path;
}

void wrapped(const std::string& text, float width) {
    write_wrapped(tr(text), ImGui::GetCursorPosX() + width);
    ImGui::Dummy({width, 0});
}

/// One of several offers, with its buttons.
void kept_lines(Widgets& ui, const AutosaveOffer& kept, std::size_t place, float width, UiRequests& requests) {
    const bool sound = kept.problem.empty();
    if (!sound)
        wrapped(phrase("A window that did not close properly has left a damaged file: {}. {}", kept.text, kept.problem),
                width);
    else if (place == 0)
        wrapped(phrase("The last window did not close properly. Its bodies are kept: {}", kept.text), width);
    else
        wrapped(phrase("The bodies of another window are kept too: {}", kept.text), width);
    const auto button = [&](const char* first, const char* others, std::string_view tip, float wide) {
        const std::string label = place == 0 ? first : std::string{others} + "###" + others + std::to_string(place);
        return ui.button(label, tip, wide);
    };
    const float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (sound) {
        if (button("Continue with them", "Continue with these", "Opens the bodies as they were saved last", half))
            requests.autosave = AutosaveAnswer{kept.path, true};
        ImGui::SameLine();
    }
    if (button(sound ? "Discard them" : "Discard the damaged file", sound ? "Discard these" : "Discard this file",
               "Removes the file", sound ? half : width))
        requests.autosave = AutosaveAnswer{kept.path, false};
}

/// Offers the bodies of a window that did not close properly.
void draw_offer(WindowParts&, DrawnFrame& frame) {
    constexpr std::size_t kMost = 4;  // the others follow when these are answered
    const UiState& state = frame.state;
    if (state.autosave.offers.empty() || !state.scene.ready || state.leave.asked()) return;
    Widgets& ui = frame.ui;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), width = std::min(420 * ui.scale(), screen.x - 4 * gap);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y - 2 * gap}, ImGuiCond_Always, {0.5f, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
    if (ImGui::Begin("kept", nullptr, kDialogWindow | ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // above the gallery, which keeps the keyboard
        ui.set_tips(TipPlace::kOver);
        for (std::size_t i = 0; i < std::min(kMost, state.autosave.offers.size()); ++i)
            kept_lines(ui, state.autosave.offers[i], i, width, frame.requests);
        ui.set_tips(TipPlace::kMouse);
    }
    ImGui::End();
    ImGui::PopStyleColor(2);
}

constexpr auto kAutosaveOverlays = std::to_array<Overlay>({
    {Layer::kCards, draw_offer},
});

void describe_autosave(nlohmann::json& map, const UiState& state) {
    map["kept"] = kept_path(state);
    map["kept_files"] = state.autosave.offers.size();
    map["kept_serial"] = state.status.saving.autosaves;
}

}  // namespace

FeatureEntry autosave_feature() { return {.overlays = kAutosaveOverlays, .describe = describe_autosave}; }

}  // namespace orrery
