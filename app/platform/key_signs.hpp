// SPDX-License-Identifier: MIT
// Characters of keys. Shortcuts go by characters, not by positions, because keyboard layouts differ between countries.
#pragma once

namespace orrery {

/// A key that types nothing by itself, such as a dead key for accents.
inline constexpr char32_t kNoSign = 0xfffd;

/// Whether this GLFW_KEY_*, which names a position on a US keyboard, is a key that types a character.
bool is_sign_key(int key);
/// The character that this key types on a US keyboard, in lower case.
char32_t us_sign(int key);

/// The character meant by pressing the key at this position. `plain`: what it types without modifiers on this keyboard;
/// `typed`: what the system has reported for this press; 0: unknown. Digits go by position, because some keyboards need
/// Shift for them; so do letters of other scripts, because no shortcut uses them.
char32_t meant_sign(int key, int mods, char32_t plain, char32_t typed);

}  // namespace orrery
