// SPDX-License-Identifier: MIT
// The messages between `orrery serve` and its page, each a binary frame of the WebSocket: a byte that says which, then
// fields without padding, little-endian. docs/serve.md has the table. Whatever a viewer sends comes through
// parse_message(), which tests/fuzz feeds with anything.
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
    std::uint8_t version;  ///< of the protocol; of another one than kServeVersion the rest says nothing
    bool h264;             ///< it can decode that
    ViewerSize size;
};
struct Shown {
    std::uint32_t serial;  ///< of the picture
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
    double notches;  ///< away from the user positive
};
struct KeyStroke {
    int key, action, mods;  ///< as in KeyEvent
    char32_t sign = 0;      ///< likewise
};
struct Typed {
    std::string text;  ///< UTF-8
};
struct ClipboardText {
    std::string text;  ///< UTF-8
};
struct TakeOver {};
struct LetGo {};  ///< all keys and buttons: the page has lost the focus
struct FileBegins {
    std::uint64_t size;
    std::string name;  ///< UTF-8, as the browser has it
};
struct FilePart {
    std::string bytes;
};

using ViewerMessage = std::variant<Hello, Shown, PointerMoved, PointerButton, Wheel, KeyStroke, Typed, ClipboardText,
                                   ViewerSize, TakeOver, LetGo, FileBegins, FilePart>;

/// Nothing if it is not exactly one of them, with every field in its range.
std::optional<ViewerMessage> parse_message(std::span<const std::uint8_t> bytes);

enum class PictureCodec : std::uint8_t { kJpeg = 1, kH264 = 2 };

struct PictureHeader {
    static constexpr std::size_t kBytes = 19;
    PictureCodec codec;
    bool key;              ///< it can be decoded without those before it
    std::uint32_t serial;  ///< counts pictures
    std::uint32_t driver;  ///< id of the viewer who drives, 0: nobody
    std::uint32_t inputs;  ///< how many inputs of the driver the picture answers
    int width, height;     ///< of the window: what positions of the mouse are in
};
/// The header as it is sent; the encoded picture follows.
std::string header_bytes(const PictureHeader& header);

std::string welcome_message(std::uint32_t id, std::uint64_t most_upload_bytes);
/// Whether this viewer drives, how many there are, and whether one of them drives.
std::string role_message(bool drives, std::size_t viewers, bool driven);
std::string clipboard_message(std::string_view text);  ///< what was copied in the window
std::string cursor_message(int cursor);                ///< ImGuiMouseCursor; -1: none
std::string file_message(std::uint32_t id, std::uint64_t size, std::string_view name);
std::string notice_message(std::string_view text);
std::string title_message(std::string_view text);
std::string end_message();                          ///< the program ends
std::string language_message(std::string_view id);  ///< of the window

}  // namespace orrery
