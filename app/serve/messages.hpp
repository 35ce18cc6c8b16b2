// SPDX-License-Identifier: MIT
// The messages between `orrery serve` and its page, each a binary WebSocket frame: a byte with the kind, then fields
// without padding, little-endian. docs/serve.md has the table. All data from viewers passes through parse_message(),
// which tests/fuzz tests with arbitrary input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace orrery {

inline constexpr std::uint8_t kServeVersion = 1;
inline constexpr std::size_t kLongestMessage = 65536;  ///< from a viewer, bytes
inline constexpr int kSmallestSide = 64, kLargestSide = 8192;

/// The viewer's canvas, in pixels, and its pixels per point of the page.
struct ViewerSize {
    int width, height;
    float scale;
};

struct Hello {
    std::uint8_t version;  ///< of the protocol; if it is not kServeVersion, the rest is meaningless
    bool h264;             ///< the viewer can decode H.264
    ViewerSize size;
};
struct Shown {
    std::uint32_t serial;  ///< of the frame
};
struct PointerMoved {
    int x, y;  ///< in pixels of the window, from the upper left
};
struct PointerButton {
    int button;  ///< 0 left, 1 right, 2 middle
    bool down;
    int x, y;
};
struct Wheel {
    double notches;  ///< positive: away from the user
};
struct KeyStroke {
    int key, action, mods;  ///< as in KeyEvent
    char32_t sign = 0;      ///< as in KeyEvent
};
struct Typed {
    std::string text;  ///< UTF-8
};
struct ClipboardText {
    std::string text;  ///< UTF-8
};
struct TakeOver {};
struct LetGo {};  ///< releases all keys and buttons: the page has lost the focus
struct FileBegins {
    std::uint64_t size;
    std::string name;  ///< UTF-8, as in the browser
};
struct FilePart {
    std::string bytes;
};

using ViewerMessage = std::variant<Hello, Shown, PointerMoved, PointerButton, Wheel, KeyStroke, Typed, ClipboardText,
                                   ViewerSize, TakeOver, LetGo, FileBegins, FilePart>;

/// Returns nothing unless the bytes are exactly one message, with every field in its range.
std::optional<ViewerMessage> parse_message(std::span<const std::uint8_t> bytes);

enum class PictureCodec : std::uint8_t { kJpeg = 1, kH264 = 2 };

struct PictureHeader {
    static constexpr std::size_t kBytes = 19;
    PictureCodec codec;
    bool key;                  ///< can be decoded without earlier frames
    std::uint32_t serial;      ///< frame counter
    std::uint32_t controller;  ///< id of the controller; 0: none
    std::uint32_t inputs;      ///< number of the controller's inputs that the frame reflects
    int width, height;         ///< of the window: the units of mouse positions
};
/// The header as sent; the encoded frame follows.
std::string header_bytes(const PictureHeader& header);

std::string welcome_message(std::uint32_t id, std::uint64_t most_upload_bytes);
/// Message to a viewer: it is the controller, the number of viewers, there is a controller.
std::string role_message(bool controls, std::size_t viewers, bool controlled);
std::string clipboard_message(std::string_view text);  ///< text copied in the window
std::string cursor_message(int cursor);                ///< ImGuiMouseCursor; -1: none
std::string file_message(std::uint32_t id, std::uint64_t size, std::string_view name);
std::string notice_message(std::string_view text);
std::string title_message(std::string_view text);
std::string end_message();                          ///< the program ends
std::string language_message(std::string_view id);  ///< of the window

}  // namespace orrery
