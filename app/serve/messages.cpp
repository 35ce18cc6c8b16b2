// SPDX-License-Identifier: MIT
#include "app/serve/messages.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace orrery {
namespace {

enum class FromViewer : std::uint8_t {
    kHello = 1,
    kShown,
    kMoved,
    kButton,
    kWheel,
    kKey,
    kTyped,
    kClipboard,
    kSize,
    kTakeOver,
    kLetGo,
    kFile,
    kPart
};
enum class ToViewer : std::uint8_t {
    kWelcome = 1,
    kPicture,
    kRole,
    kClipboard,
    kCursor,
    kFile,
    kNotice,
    kTitle,
    kEnd,
    kLanguage
};

constexpr std::size_t kLongestTyped = 256, kLongestName = 255, kLongestText = 60000;
constexpr int kLastKey = 348;  // GLFW_KEY_LAST
constexpr int kAllMods = 0xf;  // Shift, Control, Alt, Super

/// Reads fields from the front. A missing field, or one out of range, makes the whole message invalid.
class Fields {
public:
    explicit Fields(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}

    template <class Whole>
    Whole take() {
        if (bytes_.size() < sizeof(Whole)) return good_ = false, Whole{};
        std::make_unsigned_t<Whole> value = 0;
        for (std::size_t i = 0; i < sizeof(Whole); ++i)
            value =
                static_cast<decltype(value)>(value | static_cast<decltype(value)>(std::uint64_t{bytes_[i]} << 8 * i));
        bytes_ = bytes_.subspan(sizeof(Whole));
        return static_cast<Whole>(value);
    }
    template <class Whole>
    int within(int least, int most) {
        const int value = take<Whole>();
        if (value < least || value > most) good_ = false;
        return value;
    }
    std::string rest(std::size_t least, std::size_t most) {
        if (bytes_.size() < least || bytes_.size() > most) good_ = false;
        const auto taken = std::exchange(bytes_, {});
        return good_ ? std::string{taken.begin(), taken.end()} : std::string{};
    }
    std::string text(std::size_t least, std::size_t most);

    bool complete() const { return good_ && bytes_.empty(); }

private:
    std::span<const std::uint8_t> bytes_;
    bool good_ = true;
};

/// Length of the UTF-8 character (RFC 3629) at the beginning, shortest form, no surrogates; 0 if it is invalid.
std::size_t character(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = at(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at(i) & 0xc0) != 0x80) return 0;
    if ((lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) > 0x9f)) return 0;
    if ((lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) > 0x8f)) return 0;
    return length;
}

/// True for UTF-8 without null characters, which would end a C string early.
bool is_text(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character(text);
        if (length == 0 || text.front() == '\0') return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string Fields::text(std::size_t least, std::size_t most) {
    std::string taken = rest(least, most);
    if (!is_text(taken)) good_ = false;
    return taken;
}

ViewerSize size_of(Fields& fields) {
    const int width = fields.within<std::uint16_t>(kSmallestSide, kLargestSide);
    const int height = fields.within<std::uint16_t>(kSmallestSide, kLargestSide);
    const int percent = fields.within<std::uint16_t>(25, 800);
    return {width, height, static_cast<float>(percent) / 100};
}

PointerMoved place_of(Fields& fields) {
    const int x = fields.take<std::uint16_t>(), y = fields.take<std::uint16_t>();
    return {x, y};
}

std::optional<ViewerMessage> message_of(FromViewer kind, Fields& fields) {
    switch (kind) {
        case FromViewer::kHello: {
            const auto version = fields.take<std::uint8_t>();
            if (version != kServeVersion) {
                fields.rest(0, kLongestMessage);
                return Hello{version, false, {kSmallestSide, kSmallestSide, 1}};
            }
            const bool h264 = fields.within<std::uint8_t>(0, 1) == 1;
            return Hello{version, h264, size_of(fields)};
        }
        case FromViewer::kShown:
            return Shown{fields.take<std::uint32_t>()};
        case FromViewer::kMoved:
            return place_of(fields);
        case FromViewer::kButton: {
            const int button = fields.within<std::uint8_t>(0, 2);
            const bool down = fields.within<std::uint8_t>(0, 1) == 1;
            const PointerMoved at = place_of(fields);
            return PointerButton{button, down, at.x, at.y};
        }
        case FromViewer::kWheel:
            return Wheel{fields.take<std::int16_t>() / 120.0};
        case FromViewer::kKey: {
            const int key = fields.within<std::uint16_t>(32, kLastKey);
            const int action = fields.within<std::uint8_t>(0, 2);
            const int mods = fields.within<std::uint8_t>(0, kAllMods);
            return KeyStroke{key, action, mods, fields.complete() ? 0 : fields.take<std::uint32_t>()};
        }
        case FromViewer::kTyped:
            return Typed{fields.text(1, kLongestTyped)};
        case FromViewer::kClipboard:
            return ClipboardText{fields.text(0, kLongestText)};
        case FromViewer::kSize:
            return size_of(fields);
        case FromViewer::kTakeOver:
            return TakeOver{};
        case FromViewer::kLetGo:
            return LetGo{};
        case FromViewer::kFile: {
            const auto size = fields.take<std::uint64_t>();
            return FileBegins{size, fields.text(1, kLongestName)};
        }
        case FromViewer::kPart:
            return FilePart{fields.rest(1, kLongestText)};
    }
    return std::nullopt;
}

/// Composes the bytes of a message, field by field.
class Composed {
public:
    explicit Composed(ToViewer kind) { add(static_cast<std::uint8_t>(kind)); }
    template <class Whole>
    Composed& add(Whole value) {
        for (std::size_t i = 0; i < sizeof(Whole); ++i)
            bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xff));
        return *this;
    }
    std::string with(std::string_view text) { return bytes_.append(text); }
    std::string done() { return std::move(bytes_); }

private:
    std::string bytes_;
};

}  // namespace

std::optional<ViewerMessage> parse_message(std::span<const std::uint8_t> bytes) {
    if (bytes.empty() || bytes.size() > kLongestMessage) return std::nullopt;
    Fields fields{bytes.subspan(1)};
    std::optional<ViewerMessage> message = message_of(static_cast<FromViewer>(bytes[0]), fields);
    if (!fields.complete()) return std::nullopt;
    return message;
}

std::string header_bytes(const PictureHeader& header) {
    return Composed{ToViewer::kPicture}
        .add(static_cast<std::uint8_t>(header.codec))
        .add(static_cast<std::uint8_t>(header.key))
        .add(header.serial)
        .add(header.controller)
        .add(header.inputs)
        .add(static_cast<std::uint16_t>(header.width))
        .add(static_cast<std::uint16_t>(header.height))
        .done();
}

std::string welcome_message(std::uint32_t id, std::uint64_t most_upload_bytes) {
    return Composed{ToViewer::kWelcome}.add(kServeVersion).add(id).add(most_upload_bytes).done();
}

std::string role_message(bool controls, std::size_t viewers, bool controlled) {
    return Composed{ToViewer::kRole}
        .add(static_cast<std::uint8_t>(controls))
        .add(static_cast<std::uint16_t>(viewers))
        .add(static_cast<std::uint8_t>(controlled))
        .done();
}

std::string clipboard_message(std::string_view text) {
    return Composed{ToViewer::kClipboard}.with(text.substr(0, kLongestText));
}

std::string cursor_message(int cursor) {
    return Composed{ToViewer::kCursor}.add(static_cast<std::uint8_t>(cursor)).done();
}

std::string file_message(std::uint32_t id, std::uint64_t size, std::string_view name) {
    return Composed{ToViewer::kFile}.add(id).add(size).with(name);
}

std::string notice_message(std::string_view text) { return Composed{ToViewer::kNotice}.with(text); }
std::string title_message(std::string_view text) { return Composed{ToViewer::kTitle}.with(text); }
std::string end_message() { return Composed{ToViewer::kEnd}.done(); }
std::string language_message(std::string_view id) { return Composed{ToViewer::kLanguage}.with(id); }

}  // namespace orrery
