// SPDX-License-Identifier: MIT
#include "app/serve/served_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/serve/files.hpp"
#include "app/ui/keypad_enter.hpp"
#include "app/ui/words.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

constexpr int kFirstWidth = 1280, kFirstHeight = 720;  // until there is a controller

constexpr float kNarrow = 700;  // points: the sidebar would leave less than half of the page for the bodies

/// H.264 halves the chroma in both directions.
int even(double pixels) { return std::max(2, static_cast<int>(pixels) & ~1); }

struct KeyPair {
    int glfw;
    ImGuiKey imgui;
};
constexpr std::array kKeyPairs{KeyPair{GLFW_KEY_TAB, ImGuiKey_Tab},
                               KeyPair{GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
                               KeyPair{GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
                               KeyPair{GLFW_KEY_UP, ImGuiKey_UpArrow},
                               KeyPair{GLFW_KEY_DOWN, ImGuiKey_DownArrow},
                               KeyPair{GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
                               KeyPair{GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
                               KeyPair{GLFW_KEY_HOME, ImGuiKey_Home},
                               KeyPair{GLFW_KEY_END, ImGuiKey_End},
                               KeyPair{GLFW_KEY_INSERT, ImGuiKey_Insert},
                               KeyPair{GLFW_KEY_DELETE, ImGuiKey_Delete},
                               KeyPair{GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
                               KeyPair{GLFW_KEY_SPACE, ImGuiKey_Space},
                               KeyPair{GLFW_KEY_ENTER, ImGuiKey_Enter},
                               KeyPair{GLFW_KEY_ESCAPE, ImGuiKey_Escape},
                               KeyPair{GLFW_KEY_KP_ENTER, kKeypadEnter},
                               KeyPair{GLFW_KEY_A, ImGuiKey_A},
                               KeyPair{GLFW_KEY_C, ImGuiKey_C},
                               KeyPair{GLFW_KEY_V, ImGuiKey_V},
                               KeyPair{GLFW_KEY_X, ImGuiKey_X},
                               KeyPair{GLFW_KEY_Y, ImGuiKey_Y},
                               KeyPair{GLFW_KEY_Z, ImGuiKey_Z}};

#if IMGUI_VERSION_NUM < 18700

/// Keys have GLFW's numbers; modifiers come from the host's hold_short_presses().
void map_imgui_keys() {
    for (const KeyPair& pair : kKeyPairs) ImGui::GetIO().KeyMap[pair.imgui] = pair.glfw;
}

/// `key`: GLFW_KEY_*. ImGuiHost maps letters to their positions on the keyboard.
void forward_imgui_key(int key, bool down, int /*mods*/, char32_t /*sign*/) { ImGui::GetIO().KeysDown[key] = down; }

#else

void map_imgui_keys() {}

/// GLFW_KEY_*, GLFW_MOD_*, and the character on the key; 0: unknown.
void forward_imgui_key(int key, bool down, int mods, char32_t sign) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, (mods & GLFW_MOD_CONTROL) != 0);
    io.AddKeyEvent(ImGuiMod_Shift, (mods & GLFW_MOD_SHIFT) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (mods & GLFW_MOD_ALT) != 0);
    io.AddKeyEvent(ImGuiMod_Super, (mods & GLFW_MOD_SUPER) != 0);
    if (sign >= U'a' && sign <= U'z') key = GLFW_KEY_A + static_cast<int>(sign - U'a');
    const auto pair = std::ranges::find(kKeyPairs, key, &KeyPair::glfw);
    if (pair != kKeyPairs.end()) io.AddKeyEvent(pair->imgui, down);
}

#endif

}  // namespace

ServedWindow::ServedWindow(const Config& config, Viewers& viewers, Inbox& inbox, Encoding& encoding)
    : config_{config},
      viewers_{viewers},
      inbox_{inbox},
      context_{cuda_info().available ? 0 : -1},  // draw on the device that computes, if it can
      frames_{context_.gl_info(), encoding} {
    picture_.emplace(even(std::min(kFirstWidth, config.most_width)), even(std::min(kFirstHeight, config.most_height)));
}

ServedWindow::~ServedWindow() = default;

WindowEvents ServedWindow::poll() {
    began_ = Viewers::Clock::now();
    for (Input& input : inbox_.take()) waiting_.push_back(std::move(input)), needs_redraw_ = true;
    controls_.begin_frame();
    while (!waiting_.empty() && take(waiting_.front())) waiting_.pop_front();
    return std::exchange(events_, {});
}

bool ServedWindow::take(const Input& input) {
    if (!take_event(input.event)) return false;
    if (input.controller != 0) controller_ = input.controller, inputs_ = input.count;
    return true;
}

bool ServedWindow::take_event(const InputEvent& event) {
    if (const auto* clipboard = std::get_if<ClipboardText>(&event)) {
        clipboard_ = clipboard->text;
    } else if (const auto* size = std::get_if<ViewerSize>(&event)) {
        take_size(*size);
    } else if (const auto* file = std::get_if<DroppedFile>(&event)) {
        uploads_ = file->path.parent_path().parent_path();
        events_.dropped.push_back(file->path);
    } else {
        return controls_.take(event, events_);
    }
    return true;
}

void ServedWindow::take_size(const ViewerSize& wanted) {
    const double fits = std::min({1.0, static_cast<double>(config_.most_width) / wanted.width,
                                  static_cast<double>(config_.most_height) / wanted.height});
    const int width = even(fits * wanted.width), height = even(fits * wanted.height);
    const bool narrow = static_cast<float>(wanted.width) < kNarrow * wanted.scale;
    events_.narrowed |= narrow && !narrow_;
    narrow_ = narrow;
    scale_ = std::max(0.5f, static_cast<float>(fits) * wanted.scale);
    if (width != picture_->width() || height != picture_->height()) picture_.emplace(width, height);
}

bool ServedWindow::wait(double seconds) { return !waiting_.empty() || inbox_.wait(seconds); }

/// A frame that no viewer could receive yet is drawn again until one has.
bool ServedWindow::needs_redraw() { return std::exchange(needs_redraw_, false) || unsent_ || !frames_.empty(); }

void ServedWindow::close() {
    viewers_.send_to_controller(notice_message("The program keeps running; press Ctrl + C in its terminal to end it"));
}

void ServedWindow::set_title(const std::string& title) { viewers_.send_state(title_message(title)); }

void ServedWindow::attach_imgui() {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "orrery_serve";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    map_imgui_keys();
    io.ClipboardUserData = this;
    io.GetClipboardTextFn = [](void* self) { return static_cast<ServedWindow*>(self)->clipboard_.c_str(); };
    io.SetClipboardTextFn = [](void* self, const char* text) {
        auto& window = *static_cast<ServedWindow*>(self);
        window.clipboard_ = text;
        window.viewers_.send_to_controller(clipboard_message(text));
    };
}

void ServedWindow::begin_imgui_frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(picture_->width()), static_cast<float>(picture_->height())};
    io.DisplayFramebufferScale = {1, 1};
    controls_.pass_to_imgui();
    show_cursor();
    if (std::exchange(language_, language()) != language()) viewers_.send_state(language_message(language()));
}

std::string ServedWindow::readable(std::string message) const {
    std::error_code gone;
    return without_folders(std::move(message), uploads_, std::filesystem::current_path(gone));
}

void ServedWindow::show_cursor() {
    const int cursor = ImGui::GetMouseCursor();
    if (std::exchange(cursor_, cursor) != cursor) viewers_.send_state(cursor_message(cursor));
}

void ServedWindow::swap(std::int64_t step) {
    unsent_ = !frames_.room();
    if (!unsent_ && !minimised()) {
        CapturedFrame frame{
            .width = picture_->width(), .height = picture_->height(), .controller = controller_, .inputs = inputs_};
        if (gl_info().software) glFinish();  // excludes drawing from the read time
        frame.drawn = Viewers::Clock::now();
        frame.costs.step = step;
        frame.costs.draw = seconds_of(frame.drawn - began_);
        frames_.add(std::move(frame), *picture_);
    }
    frames_.send();
}

bool FrameCapture::room() const {
    if (const std::string why = encoding_.failure(); !why.empty()) environment_error(why);
    return encoding_.room() && readback_.in_flight() != Readback::kMost;
}

void FrameCapture::add(CapturedFrame frame, const RenderTarget& picture) {
    const double part = encoding_.scale();
    const int width = even(part * frame.width), height = even(part * frame.height);
    frame.costs.width = width, frame.costs.height = height;
    if (width == frame.width && height == frame.height) {
        readback_.begin(picture);
    } else {
        if (!smaller_ || smaller_->width() != width || smaller_->height() != height) smaller_.emplace(width, height);
        glBlitNamedFramebuffer(picture.framebuffer(), smaller_->framebuffer(), 0, 0, frame.width, frame.height, 0, 0,
                               width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
        readback_.begin(*smaller_);
    }
    in_flight_.push_back(std::move(frame));
}

void FrameCapture::send() {
    while (readback_.ready()) {
        CapturedFrame frame = std::move(in_flight_.front());
        in_flight_.pop_front();
        frame.image = readback_.take();
        frame.costs.read = seconds_of(Viewers::Clock::now() - frame.drawn);
        const bool same = last_ && last_->width == frame.image->width && last_->rgba == frame.image->rgba;
        last_ = frame.image;
        if (!same) encoding_.add(std::move(frame));
    }
}

bool ControllerInput::take(const InputEvent& event, WindowEvents& events) {
    const bool clicked = std::ranges::any_of(changed_, std::identity{});
    if (const auto* moved = std::get_if<PointerMoved>(&event)) {
        if (clicked) return false;
        x_ = moved->x, y_ = moved->y, moved_ = true;
    } else if (const auto* button = std::get_if<PointerButton>(&event)) {
        if (clicked) return false;
        const auto which = static_cast<std::size_t>(button->button);
        moved_ |= x_ != button->x || y_ != button->y;
        x_ = button->x, y_ = button->y;
        if (!button->down && buttons_[which] && moved_) return false;
        changed_[which] = true;
        buttons_[which] = button->down;
    } else if (const auto* wheel = std::get_if<Wheel>(&event)) {
        events.scroll += wheel->notches;
        ImGui::GetIO().MouseWheel += static_cast<float>(wheel->notches);
    } else if (const auto* stroke = std::get_if<KeyStroke>(&event)) {
        events.keys.push_back({stroke->key, stroke->action, stroke->mods, stroke->sign});
        const auto key = static_cast<std::size_t>(stroke->key);
        keys_[key] = stroke->action != GLFW_RELEASE;
        if (keys_[key]) signs_[key] = stroke->sign;  // a release has the character of its press
        forward_imgui_key(stroke->key, keys_[key], stroke->mods, signs_[key]);
    } else if (const auto* typed = std::get_if<Typed>(&event)) {
        typed_ += typed->text;
    } else {
        release_all(events);
    }
    return true;
}

void ControllerInput::release_all(WindowEvents& events) {
    for (std::size_t key = 0; key < kKeys; ++key) {
        if (!keys_[key]) continue;
        events.keys.push_back({static_cast<int>(key), GLFW_RELEASE, 0});
        forward_imgui_key(static_cast<int>(key), false, 0, signs_[key]);
    }
    keys_.reset();
    buttons_ = {};
    x_ = y_ = -1;
}

bool ControllerInput::key_down(int key) const {
    return key >= 0 && key < static_cast<int>(kKeys) && keys_[static_cast<std::size_t>(key)];
}

char32_t ControllerInput::sign_at(int key) const {
    return key >= 0 && key < static_cast<int>(kKeys) ? signs_[static_cast<std::size_t>(key)] : 0;
}

void ControllerInput::pass_to_imgui() {
    ImGuiIO& io = ImGui::GetIO();
    const bool away = x_ < 0 || y_ < 0;
    io.MousePos = away ? ImVec2{-FLT_MAX, -FLT_MAX} : ImVec2{static_cast<float>(x_), static_cast<float>(y_)};
    for (std::size_t i = 0; i < buttons_.size(); ++i) io.MouseDown[i] = buttons_[i];
    io.AddInputCharactersUTF8(std::exchange(typed_, {}).c_str());
}

}  // namespace orrery
