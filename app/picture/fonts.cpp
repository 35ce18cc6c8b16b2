// SPDX-License-Identifier: MIT
#include "app/picture/fonts.hpp"

#include <dlfcn.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "assets/assets.hpp"

namespace orrery {
namespace {

constexpr std::array kIcons{Icon::kAttract, Icon::kBackward, Icon::kBody,      Icon::kClose,   Icon::kCluster,
                            Icon::kDelete,  Icon::kDisc,     Icon::kDuplicate, Icon::kEnlarge, Icon::kFiles,
                            Icon::kFollow,  Icon::kForward,  Icon::kNext,      Icon::kPause,   Icon::kPicture,
                            Icon::kPin,     Icon::kPlay,     Icon::kPrevious,  Icon::kRecord,  Icon::kRedo,
                            Icon::kRepel,   Icon::kRestart,  Icon::kRing,      Icon::kStir,    Icon::kStop,
                            Icon::kTearOff, Icon::kUndo,     Icon::kUnpin,     Icon::kWatch};

}  // namespace

std::span<const Icon> icons() { return kIcons; }

std::string icon_text(Icon icon) {
    if (icon == Icon::kNone) return {};
    const auto code = static_cast<unsigned>(icon);
    return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
            static_cast<char>(0x80 | (code & 0x3f))};
}

namespace {

// The functions of fontconfig in use, as declared in its manual
// (https://www.freedesktop.org/wiki/Software/fontconfig).
using Config = void;
using Pattern = void;
using CharSet = void;
constexpr int kMatch = 0;  // FcResultMatch
constexpr int kMatchPattern = 0;

struct Fontconfig {
    void* library = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL);
    template <class Function>
    bool find(Function& function, const char* name) const {
        function = library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
        return function != nullptr;
    }
    Config* (*load)() = nullptr;
    Pattern* (*pattern)() = nullptr;
    void (*drop_pattern)(Pattern*) = nullptr;
    CharSet* (*letters)() = nullptr;
    void (*drop_letters)(CharSet*) = nullptr;
    int (*add_letter)(CharSet*, std::uint32_t) = nullptr;
    int (*has_letter)(const CharSet*, std::uint32_t) = nullptr;
    int (*want_letters)(Pattern*, const char*, const CharSet*) = nullptr;
    int (*want_flag)(Pattern*, const char*, int) = nullptr;
    int (*substitute)(Config*, Pattern*, int) = nullptr;
    void (*defaults)(Pattern*) = nullptr;
    Pattern* (*match)(Config*, Pattern*, int*) = nullptr;
    int (*text)(const Pattern*, const char*, int, unsigned char**) = nullptr;
    int (*number)(const Pattern*, const char*, int, int*) = nullptr;
    int (*flag)(const Pattern*, const char*, int, int*) = nullptr;
    int (*letters_of)(const Pattern*, const char*, int, CharSet**) = nullptr;
    bool complete = find(load, "FcInitLoadConfigAndFonts") && find(pattern, "FcPatternCreate") &&
                    find(drop_pattern, "FcPatternDestroy") && find(letters, "FcCharSetCreate") &&
                    find(drop_letters, "FcCharSetDestroy") && find(add_letter, "FcCharSetAddChar") &&
                    find(has_letter, "FcCharSetHasChar") && find(want_letters, "FcPatternAddCharSet") &&
                    find(want_flag, "FcPatternAddBool") && find(substitute, "FcConfigSubstitute") &&
                    find(defaults, "FcDefaultSubstitute") && find(match, "FcFontMatch") &&
                    find(text, "FcPatternGetString") && find(number, "FcPatternGetInteger") &&
                    find(flag, "FcPatternGetBool") && find(letters_of, "FcPatternGetCharSet");
};

struct Found {
    std::string path;
    int number = 0;
};

std::optional<Found> described(const Fontconfig& fc, const Pattern* font, char16_t first) {
    unsigned char *path = nullptr, *format = nullptr;
    CharSet* has = nullptr;
    Found found;
    if (fc.text(font, "file", 0, &path) != kMatch || fc.text(font, "fontformat", 0, &format) != kMatch)
        return std::nullopt;
    if (fc.letters_of(font, "charset", 0, &has) != kMatch || !fc.has_letter(has, first)) return std::nullopt;
    const std::string_view kind{reinterpret_cast<const char*>(format)};
    int variable = 0;
    if (fc.flag(font, "variable", 0, &variable) == kMatch && variable != 0) return std::nullopt;
    if (kind != "TrueType" && kind != "CFF") return std::nullopt;
    found.path = reinterpret_cast<const char*>(path);
    if (fc.number(font, "index", 0, &found.number) != kMatch) found.number = 0;
    found.number &= 0xffff;  // high bits: the named instance of a variable font
    return found;
}

std::optional<Found> best_font(std::u16string_view letters) {
    static const Fontconfig fc;
    static Config* const config = fc.complete ? fc.load() : nullptr;
    if (!config) return std::nullopt;
    CharSet* wanted = fc.letters();
    for (const char16_t letter : letters) fc.add_letter(wanted, letter);
    Pattern* pattern = fc.pattern();
    fc.want_letters(pattern, "charset", wanted);
    fc.want_flag(pattern, "scalable", 1);
    fc.want_flag(pattern, "variable", 0);
    fc.substitute(config, pattern, kMatchPattern);
    fc.defaults(pattern);
    int result = kMatch;
    Pattern* font = fc.match(config, pattern, &result);
    std::optional<Found> found;
    if (font) {
        found = described(fc, font, letters.front());
        fc.drop_pattern(font);
    }
    fc.drop_pattern(pattern);
    fc.drop_letters(wanted);
    return found;
}

struct Loaded {
    std::string bytes;
    MachineFont font;
};

constexpr float kTextSize = 16, kSmallSize = 14, kLargeSize = 36, kMonoSize = 14;  // pixels at scale 1
constexpr float kDejaVuSize = 0.96f;  // relative to Inter, for lower-case letters of equal height
constexpr float kIconSize = 0.94f;

// Pairs of first and last. A test compares them with the strings of the sources and fails if a character is missing.
constexpr ImWchar kLatinAndGreek[] = {0x20,   0xff,   0x391,  0x3c9,  0x2010, 0x2026, 0x2192, 0x2192,
                                      0x2212, 0x221e, 0x2264, 0x2265, 0x2609, 0x2609, 0};
/// Combining macron and overline; superscripts and subscripts; primes, thirds, arrows; mathematical signs; lines, small
/// triangles; planets; the replacement character.
constexpr ImWchar kSigns[] = {0x304,  0x305,  0x1d40, 0x1d40, 0x2032, 0x2033, 0x2070, 0x2094, 0x2153, 0x215e,
                              0x2190, 0x2199, 0x21d0, 0x21d4, 0x2202, 0x2202, 0x2208, 0x2208, 0x222b, 0x222b,
                              0x2248, 0x2248, 0x2260, 0x2261, 0x2295, 0x2295, 0x2308, 0x230b, 0x2500, 0x2503,
                              0x25b2, 0x25c3, 0x263f, 0x2647, 0xfffd, 0xfffd, 0};
/// Boxes and marks of drawings in text.
constexpr ImWchar kDrawings[] = {0x2500, 0x257f, 0x25cf, 0x25cf, 0x2715, 0x2715, 0};
/// For names: Latin Extended-A, Romanian letters, the rest of Greek, Cyrillic, Vietnamese.
constexpr ImWchar kNames[] = {0x100, 0x17f, 0x218, 0x21b, 0x386, 0x390, 0x3ca, 0x3ce, 0x400, 0x4ff, 0x1e80, 0x1ef9, 0};

/// Limit for characters of a scene's names; an atlas has a maximum size.
constexpr std::size_t kMostExtra = 2000;

/// How a file contributes to a font: as its first one, or with the glyphs that the earlier ones lack. Rare ones are
/// drawn without oversampling, in a third of the memory.
enum class Part { kFirst, kMore, kRare };

/// `file` must outlive the atlas.
ImFont* add_file(ImFontAtlas& atlas, std::string_view file, int number, float pixels, const ImWchar* glyphs, Part part,
                 float advance = 0) {
    ImFontConfig config;
    config.FontNo = number;
    config.MergeMode = part != Part::kFirst;
    if (part == Part::kRare) config.OversampleH = 1;
    if (advance > 0) config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = advance;
    ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(file.data()), static_cast<int>(file.size()), pixels,
                                              &config, glyphs);
    atlas.ConfigData.back().FontDataOwnedByAtlas = false;  // set before, it would make ImGui copy the file
    return font;
}

/// ImGui keeps the address of these ranges.
const ImWchar* icon_ranges() {
    static const std::vector<ImWchar> ranges = [] {
        std::vector<ImWchar> all;
        for (const Icon icon : icons()) all.push_back(static_cast<ImWchar>(icon)), all.push_back(all.back());
        all.push_back(0);
        return all;
    }();
    return ranges.data();
}

enum class Weight { kRegular, kSemiBold };

std::string_view inter(Weight weight) {
    return assets::file(weight == Weight::kRegular ? "fonts/Inter-Regular.otf" : "fonts/Inter-SemiBold.otf");
}

constexpr ImWchar kDigits[] = {'0', '9', 0};

/// Advance of the widest digit. Inter's digits have different widths by default, and ImGui does not read the font's
/// table of tabular ones.
float digit_width(Weight weight, float pixels) {
    ImFontAtlas trial;
    const ImFont* digits = add_file(trial, inter(weight), 0, pixels, kDigits, Part::kFirst);
    trial.Build();
    float widest = 0;
    for (ImWchar digit = '0'; digit <= '9'; ++digit) widest = std::max(widest, digits->GetCharAdvance(digit));
    return std::ceil(widest);
}

/// Digits of equal width, the other glyphs of Inter, then those of DejaVu Sans that Inter lacks; the first of `all` is
/// in common use.
ImFont* add(ImFontAtlas& atlas, Weight weight, float pixels, std::initializer_list<const ImWchar*> all) {
    const std::string_view file = inter(weight);
    ImFont* font = add_file(atlas, file, 0, pixels, kDigits, Part::kFirst, digit_width(weight, pixels));
    const auto add_all = [&](std::string_view from, float size) {
        for (const ImWchar* glyphs : all)
            add_file(atlas, from, 0, size, glyphs, glyphs == *all.begin() ? Part::kMore : Part::kRare);
    };
    add_all(file, pixels);
    add_all(assets::file("fonts/DejaVuSans.ttf"), std::round(kDejaVuSize * pixels));
    add_file(atlas, assets::file("fonts/FontAwesome.ttf"), 0, std::round(kIconSize * pixels), icon_ranges(),
             Part::kMore);
    return font;
}

ImFont* add_mono_font(ImFontAtlas& atlas, float pixels) {
    const std::string_view file = assets::file("fonts/DejaVuSansMono.ttf");
    ImFont* font = add_file(atlas, file, 0, pixels, kLatinAndGreek, Part::kFirst);
    add_file(atlas, file, 0, pixels, kSigns, Part::kRare);
    add_file(atlas, file, 0, pixels, kDrawings, Part::kRare);
    return font;
}

/// ImGui aborts the program if an atlas in use contains a font file that it cannot read.
bool readable(const MachineFont& font) {
    static std::vector<std::pair<const MachineFont*, bool>> known;
    const auto found = std::ranges::find(known, &font, &std::pair<const MachineFont*, bool>::first);
    if (found != known.end()) return found->second;
    constexpr ImWchar kOne[] = {0x20, 0x20, 0};
    ImFontAtlas trial;
    add_file(trial, font.file, font.number, 12, kOne, Part::kFirst);
    return known.emplace_back(&font, trial.Build()).second;
}

bool within(const ImWchar* ranges, ImWchar glyph) {
    for (; ranges[0] != 0; ranges += 2)
        if (ranges[0] <= glyph && glyph <= ranges[1]) return true;
    return false;
}

/// In ImGui's format. ImGui keeps the address until the atlas is built, and with its configuration afterwards.
const ImWchar* ranges_of(const Glyphs& glyphs) {
    static std::vector<std::pair<Glyphs, std::vector<ImWchar>>> all;
    const auto known = std::ranges::find(all, glyphs, &std::pair<Glyphs, std::vector<ImWchar>>::first);
    if (known != all.end()) return known->second.data();
    std::vector<ImWchar> ranges;
    for (const char16_t glyph : glyphs) ranges.push_back(glyph), ranges.push_back(glyph);
    ranges.push_back(0);
    return all.emplace_back(glyphs, std::move(ranges)).second.data();
}

}  // namespace

const MachineFont* machine_font_for(std::u16string_view letters) {
    static std::list<Loaded> loaded;  // a list: addresses are stable
    if (letters.empty()) return nullptr;
    const auto found = best_font(letters);
    if (!found) return nullptr;
    for (const Loaded& known : loaded)
        if (known.font.path == found->path && known.font.number == found->number) return &known.font;
    std::ifstream file{found->path, std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (bytes.empty()) return nullptr;
    Loaded& one = loaded.emplace_back(Loaded{std::move(bytes), {found->path, {}, found->number}});
    one.font.file = one.bytes;
    return &one.font;
}

Glyphs extra_glyphs(const std::vector<std::string>& names) {
    Glyphs glyphs;
    for (const std::string& name : names)
        for (const char *at = name.data(), *end = at + name.size(); at < end;) {
            unsigned glyph = 0;
            const int bytes = ImTextCharFromUtf8(&glyph, at, end);
            at += std::max(1, bytes);
            if (glyph < 0x80 || glyph > 0xffff || glyph == 0xfffd) continue;
            const auto wide = static_cast<ImWchar>(glyph);
            if (within(kLatinAndGreek, wide) || within(kSigns, wide) || within(kNames, wide)) continue;
            glyphs.push_back(static_cast<char16_t>(glyph));
        }
    std::ranges::sort(glyphs);
    glyphs.erase(std::unique(glyphs.begin(), glyphs.end()), glyphs.end());
    if (glyphs.size() > kMostExtra) glyphs.resize(kMostExtra);
    return glyphs;
}

ImFont* add_text_font(ImFontAtlas& atlas, float pixels, const Glyphs& extra) {
    if (extra.empty()) return add(atlas, Weight::kRegular, pixels, {kLatinAndGreek, kSigns, kNames});
    ImFont* font = add(atlas, Weight::kRegular, pixels, {kLatinAndGreek, kSigns, kNames, ranges_of(extra)});
    if (const MachineFont* other = machine_font_for(extra); other && readable(*other))
        add_file(atlas, other->file, other->number, pixels, ranges_of(extra), Part::kRare);
    return font;
}

Fonts add_window_fonts(ImFontAtlas& atlas, float scale, const Glyphs& extra) {
    const auto pixels = [&](float size) { return std::round(size * scale); };
    return {.text = add_text_font(atlas, pixels(kTextSize), extra),
            .bold = add(atlas, Weight::kSemiBold, pixels(kTextSize), {kLatinAndGreek, kSigns}),
            .large = add(atlas, Weight::kRegular, pixels(kLargeSize), {kLatinAndGreek, kSigns}),
            .small = add(atlas, Weight::kRegular, pixels(kSmallSize), {kLatinAndGreek, kSigns}),
            .mono = add_mono_font(atlas, pixels(kMonoSize))};
}

}  // namespace orrery
