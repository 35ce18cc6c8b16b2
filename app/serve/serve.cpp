// SPDX-License-Identifier: MIT
#include "app/serve/serve.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cfloat>
#include <cmath>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/platform/machine.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/platform/surface.hpp"
#include "app/render/readback.hpp"
#include "app/serve/access.hpp"
#include "app/serve/encoding.hpp"
#include "app/serve/files.hpp"
#include "app/serve/server.hpp"
#include "app/serve/viewers.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

/// The controller's mouse and keyboard, as the window and ImGui read them.
class ControllerInput {
public:
    void begin_frame() { changed_ = {}, moved_ = false; }
    /// Takes an event of mouse or keyboard and adds it to `events`. Returns false to defer it to the next frame: ImGui
    /// reads the mouse once per frame, so a second change of a button, and a movement after it, must wait; so must a
    /// release after a movement, which would otherwise be a click.
    bool take(const InputEvent& event, WindowEvents& events);
    bool key_down(int key) const;
    char32_t sign_at(int key) const;
    void pass_to_imgui();  ///< mouse and characters; keys are passed when they are taken

private:
    static constexpr std::size_t kKeys = 349;  // GLFW_KEY_LAST + 1

    void release_all(WindowEvents& events);

    std::bitset<kKeys> keys_;
    std::array<char32_t, kKeys> signs_{};        // characters of pressed keys, if the browser has sent them
    std::array<bool, 3> buttons_{}, changed_{};  // down; changed in this frame
    bool moved_ = false;                         // the pointer, in this frame
    double x_ = -1, y_ = -1;
    std::string typed_;
};

/// Reads frames of the window back while later ones are drawn, and passes them to the encoder.
class FrameCapture {
public:
    FrameCapture(const GlInfo& gl, Encoding& encoding) : encoding_{encoding}, readback_{gl, 1} {}

    /// True if a frame can be captured now. Throws Error{kEnvironment} if the encoder has failed.
    bool room() const;
    bool empty() const { return in_flight_.empty(); }
    void add(CapturedFrame frame, const RenderTarget& picture);
    /// Passes frames that have arrived to the encoder. A frame equal to the last one is not sent again.
    void send();

private:
    Encoding& encoding_;
    std::optional<RenderTarget> smaller_;
    Readback readback_;
    std::deque<CapturedFrame> in_flight_;  // frames being read back
    SharedImage last_;
};

/// The window in the browsers of viewers. It has the size of the controller's canvas, up to a maximum.
class ServedWindow final : public Surface {
public:
    struct Config {
        int most_width = 1920, most_height = 1080;  ///< maximum size of the window, pixels
        std::function<void(const std::filesystem::path&)> made_file;
    };
    /// Throws Error{kEnvironment} without OpenGL 4.5 offscreen.
    ServedWindow(const Config& config, Viewers& viewers, Inbox& inbox, Encoding& encoding);
    ~ServedWindow() override;

    const GlInfo& gl_info() const noexcept override { return context_.gl_info(); }
    GLuint framebuffer() const override { return picture_->framebuffer(); }
    int framebuffer_width() const override { return picture_->width(); }
    int framebuffer_height() const override { return picture_->height(); }
    float content_scale() const override { return scale_; }
    void swap(std::int64_t step) override;

    WindowEvents poll() override;
    bool wait(double seconds) override;
    bool needs_redraw() override;
    bool key_down(int key) const override { return controls_.key_down(key); }
    char32_t sign_at(int key) const override { return controls_.sign_at(key); }
    bool minimised() const override { return viewers_.count() == 0; }
    void raise() override {}
    bool should_close() const override { return false; }  // a signal ends the program
    void close() override;
    bool toggle_fullscreen() override { return false; }  // done by the page
    std::optional<WindowSize> windowed_size() const override { return std::nullopt; }
    void set_title(const std::string& title) override;
    void made_file(const std::filesystem::path& file) override { config_.made_file(file); }
    bool elsewhere() const override { return true; }
    std::string readable(std::string message) const override;
    bool show_folder(const std::filesystem::path&) override { return false; }

    void attach_imgui() override;
    void begin_imgui_frame() override;
    void detach_imgui() override {}

private:
    bool take(const Input& input);
    bool take_event(const InputEvent& event);
    void take_size(const ViewerSize& wanted);
    void show_cursor();

    Config config_;
    Viewers& viewers_;
    Inbox& inbox_;
    OffscreenContext context_;
    std::optional<RenderTarget> picture_;
    FrameCapture frames_;
    float scale_ = 1;
    bool needs_redraw_ = true, unsent_ = false;

    std::deque<Input> waiting_;
    WindowEvents events_;
    std::uint32_t controller_ = 0, inputs_ = 0;  // of the last input taken
    ControllerInput controls_;
    std::string clipboard_;
    int cursor_ = 0;
    bool narrow_ = false;
    std::string_view language_;      // last sent to the viewers
    std::filesystem::path uploads_;  // folder of uploaded files
    Viewers::Clock::time_point began_;
};

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

constexpr double kMebi = 1024 * 1024;

bool use_h264(const ServeConfig& config) {
    if (config.codec == ServeCodec::kJpeg) return false;
    const std::string why = Encoding::why_no_h264();
    if (!why.empty() && config.codec == ServeCodec::kH264) environment_error("--codec h264: " + why);
    return why.empty();
}

ServerConfig server_config(const ServeConfig& config) {
    return {.address = config.address,
            .port = config.port,
            .certificate = config.certificate,
            .key = config.key,
            .framed = config.framed,
            .base = config.base_url.empty() ? std::nullopt : std::optional{base_url(config.base_url)},
            .lasting_token = config.token_file.empty() ? std::string{} : token_of_file(config.token_file)};
}

/// Prints the line that users and scripts wait for. It omits a lasting token, because logs keep such lines.
void invite(const ServeConfig& config, const Server& server) {
    if (config.token_file.empty())
        to_stdout("orrery: open {}\n", server.link());
    else
        to_stdout("orrery: open {} with the token in {}\n", server.address(), config.token_file.string());
    output_error();
    if (config.open && !open_on_desktop(server.link()))
        to_stderr("orrery: --open: xdg-open is missing, which opens the browser\n");
}

}  // namespace

std::string why_no_serve() { return {}; }

int run_serve(const ServeConfig& config) {
    ServeTimes times{config.times};
    Inbox inbox;
    const auto upload_bytes = static_cast<std::uint64_t>(std::llround(config.upload_limit * kMebi));
    Viewers viewers{{.viewers = static_cast<std::size_t>(config.viewers),
                     .bits_per_second = 1e6 * config.bandwidth,
                     .h264 = use_h264(config),
                     .upload_bytes = upload_bytes},
                    inbox};
    Uploads uploads{upload_bytes};
    MadeFiles made;
    Encoding encoding{viewers};
    Server server{server_config(config), viewers, uploads, made, times};
    viewers.when_changed([&server] { server.wake(); }, [&encoding] { encoding.wake(); });
    const ServedWindow::Config window{
        .most_width = config.width, .most_height = config.height, .made_file = [&](const std::filesystem::path& path) {
            if (const auto file = made.add(path))
                viewers.send_to_all(file_message(file->id, file->size, safe_name(file->path.filename().string())));
        }};
    run_window(config.window, [&](int, int) {
        auto surface = std::make_unique<ServedWindow>(window, viewers, inbox, encoding);
        invite(config, server);
        return surface;
    });
    viewers.when_changed([] {}, [] {});
    if (const std::string summary = times.finish(); !summary.empty()) to_stdout("orrery: {}\n", summary);
    return 0;
}

}  // namespace orrery
