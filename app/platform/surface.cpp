// SPDX-License-Identifier: MIT
#include "app/platform/surface.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace orrery {
namespace {

char32_t lower(char32_t sign) { return sign >= U'A' && sign <= U'Z' ? sign + (U'a' - U'A') : sign; }

bool is_digit(char32_t sign) { return sign >= U'0' && sign <= U'9'; }

/// Greek, Cyrillic, Arabic and so on, which no shortcut uses.
bool of_another_script(char32_t sign) {
    constexpr char32_t kGreek = 0x370, kPunctuation = 0x2000, kGlagolitic = 0x2c00, kSurrogates = 0xd800;
    return (sign >= kGreek && sign < kPunctuation) || (sign >= kGlagolitic && sign < kSurrogates);
}

}  // namespace

bool is_sign_key(int key) { return key > GLFW_KEY_SPACE && key <= GLFW_KEY_WORLD_2; }

char32_t us_sign(int key) { return key < GLFW_KEY_WORLD_1 ? lower(static_cast<char32_t>(key)) : kNoSign; }

char32_t meant_sign(int key, int mods, char32_t plain, char32_t typed) {
    plain = lower(plain), typed = lower(typed);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
        const char32_t digit = us_sign(key);
        if (is_digit(typed)) return typed;
        // Only the digit 0 has a meaning with Ctrl; French keyboards have the minus at the position of 6.
        if ((mods & GLFW_MOD_CONTROL) && digit != U'0' && plain != 0) return plain;
        const bool third_level = typed != 0 && plain != 0 && typed != plain;  // AltGr
        if (!(mods & GLFW_MOD_SHIFT) && !third_level) return digit;
    }
    const char32_t sign = typed != 0 ? typed : plain;
    return sign == 0 || of_another_script(sign) ? us_sign(key) : sign;
}

}  // namespace orrery
