// SPDX-License-Identifier: MIT
#include "app/picture/machine_fonts.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <list>
#include <memory>
#include <optional>

namespace orrery {
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

}  // namespace orrery
