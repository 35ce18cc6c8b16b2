// SPDX-License-Identifier: MIT
#include "app/serve/served_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/serve/files.hpp"
#include "app/serve/imgui_keys.hpp"
#include "app/ui/words.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

constexpr int kFirstWidth = 1280, kFirstHeight = 720;  // until somebody drives

constexpr float kNarrow = 700;  // points: the sidebar would leave less than half of the page to the bodies

/// H.264 halves the colour in both directions.
int even(double pixels) { return std::max(2, static_cast<int>(pixels) & ~1); }

}  // namespace

ServedWindow::ServedWindow(const Config& config, Viewers& viewers, Inbox& inbox, Encoding& encoding)
    : config_{config},
      viewers_{viewers},
      inbox_{inbox},
      encoding_{encoding},
      context_{cuda_info().available ? 0 : -1},  // the device that computes draws too, where it can
      readback_{context_.gl_info(), 1} {
    picture_.emplace(even(std::min(kFirstWidth, config.most_width)), even(std::min(kFirstHeight, config.most_height)));
}

ServedWindow::~ServedWindow() = default;

WindowEvents ServedWindow::poll() {
    began_ = Viewers::Clock::now();
    for (Input& input : inbox_.take()) waiting_.push_back(std::move(input)), stirred_ = true;
    changed_ = {}, moved_ = false;
    while (!waiting_.empty() && take(waiting_.front())) waiting_.pop_front();
    return std::exchange(events_, {});
}

/// False: not in this frame. ImGui sees the state of the mouse once per frame, so a button that goes down and up again,
/// and a place to which the mouse goes afterwards, take one more; so does a button that goes up after a movement, which
/// would else be a click.
bool ServedWindow::take(const Input& input) {
    if (!take_event(input.event)) return false;
    if (input.driver != 0) driver_ = input.driver, inputs_ = input.count;
    return true;
}

bool ServedWindow::take_event(const InputEvent& event) {
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
        events_.scroll += wheel->notches;
        ImGui::GetIO().MouseWheel += static_cast<float>(wheel->notches);
    } else if (const auto* stroke = std::get_if<KeyStroke>(&event)) {
        events_.keys.push_back({stroke->key, stroke->action, stroke->mods, stroke->sign});
        const auto key = static_cast<std::size_t>(stroke->key);
        keys_[key] = stroke->action != GLFW_RELEASE;
        if (keys_[key]) signs_[key] = stroke->sign;  // one that goes up is the one that went down
        tell_imgui_key(stroke->key, keys_[key], stroke->mods, signs_[key]);
    } else if (const auto* typed = std::get_if<Typed>(&event)) {
        typed_ += typed->text;
    } else if (const auto* clipboard = std::get_if<ClipboardText>(&event)) {
        clipboard_ = clipboard->text;
    } else if (const auto* size = std::get_if<ViewerSize>(&event)) {
        take_size(*size);
    } else if (const auto* file = std::get_if<DroppedFile>(&event)) {
        uploads_ = file->path.parent_path().parent_path();
        events_.dropped.push_back(file->path);
    } else {
        let_go();
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

void ServedWindow::let_go() {
    for (std::size_t key = 0; key < kKeys; ++key) {
        if (!keys_[key]) continue;
        events_.keys.push_back({static_cast<int>(key), GLFW_RELEASE, 0});
        tell_imgui_key(static_cast<int>(key), false, 0, signs_[key]);
    }
    keys_.reset();
    buttons_ = {};
    x_ = y_ = -1;
}

bool ServedWindow::wait(double seconds) { return !waiting_.empty() || inbox_.wait(seconds); }

/// A picture that nobody could take yet is drawn again, until somebody has.
bool ServedWindow::stirred() { return std::exchange(stirred_, false) || unsent_ || !on_the_way_.empty(); }

bool ServedWindow::key_down(int key) const {
    return key >= 0 && key < static_cast<int>(kKeys) && keys_[static_cast<std::size_t>(key)];
}

char32_t ServedWindow::sign_at(int key) const {
    return key >= 0 && key < static_cast<int>(kKeys) ? signs_[static_cast<std::size_t>(key)] : 0;
}

void ServedWindow::close() {
    viewers_.tell_driver(notice_message("The program goes on: Ctrl + C where it was started ends it"));
}

void ServedWindow::set_title(const std::string& title) { viewers_.keep_telling(title_message(title)); }

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
        window.viewers_.tell_driver(clipboard_message(text));
    };
}

void ServedWindow::begin_imgui_frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(picture_->width()), static_cast<float>(picture_->height())};
    io.DisplayFramebufferScale = {1, 1};
    const bool away = x_ < 0 || y_ < 0;
    io.MousePos = away ? ImVec2{-FLT_MAX, -FLT_MAX} : ImVec2{static_cast<float>(x_), static_cast<float>(y_)};
    for (std::size_t i = 0; i < buttons_.size(); ++i) io.MouseDown[i] = buttons_[i];
    io.AddInputCharactersUTF8(std::exchange(typed_, {}).c_str());
    show_cursor();
    if (std::exchange(language_, spoken()) != spoken()) viewers_.keep_telling(language_message(spoken()));
}

std::string ServedWindow::readable(std::string message) const {
    std::error_code gone;
    return without_folders(std::move(message), uploads_, std::filesystem::current_path(gone));
}

void ServedWindow::show_cursor() {
    const int cursor = ImGui::GetMouseCursor();
    if (std::exchange(cursor_, cursor) != cursor) viewers_.keep_telling(cursor_message(cursor));
}

void ServedWindow::swap(std::int64_t step) {
    if (const std::string why = encoding_.failure(); !why.empty()) environment_error(why);
    unsent_ = !encoding_.room() || readback_.in_flight() == Readback::kMost;
    if (!unsent_ && !minimised()) {
        WindowPhoto photo{
            .width = picture_->width(), .height = picture_->height(), .driver = driver_, .inputs = inputs_};
        if (gl_info().software) glFinish();  // drawing, which is not what reading takes
        photo.drawn = Viewers::Clock::now();
        photo.costs.step = step;
        photo.costs.draw = seconds_of(photo.drawn - began_);
        photograph(photo);
        on_the_way_.push_back(std::move(photo));
    }
    send();
}

void ServedWindow::photograph(WindowPhoto& photo) {
    const double part = encoding_.scale();
    const int width = even(part * photo.width), height = even(part * photo.height);
    photo.costs.width = width, photo.costs.height = height;
    if (width == photo.width && height == photo.height) return readback_.begin(*picture_);
    if (!smaller_ || smaller_->width() != width || smaller_->height() != height) smaller_.emplace(width, height);
    glBlitNamedFramebuffer(picture_->framebuffer(), smaller_->framebuffer(), 0, 0, photo.width, photo.height, 0, 0,
                           width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    readback_.begin(*smaller_);
}

/// Those that have arrived. What looks as the last one did is not sent again, unless it answers an input.
void ServedWindow::send() {
    while (readback_.ready()) {
        WindowPhoto photo = std::move(on_the_way_.front());
        on_the_way_.pop_front();
        photo.image = readback_.take();
        photo.costs.read = seconds_of(Viewers::Clock::now() - photo.drawn);
        const bool same = last_ && last_->width == photo.image->width && last_->rgba == photo.image->rgba;
        last_ = photo.image;
        if (!same) encoding_.add(std::move(photo));
    }
}

}  // namespace orrery
