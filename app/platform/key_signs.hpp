// SPDX-License-Identifier: MIT
// Signs on keys. Shortcuts go by them, because keyboards of other countries have their letters at other places.
#pragma once

namespace orrery {

/// Of a key that writes nothing by itself, such as an accent that waits for its letter.
inline constexpr char32_t kNoSign = 0xfffd;

/// Whether this GLFW_KEY_* names the place of a sign: it says where the key lies, as on a US keyboard.
bool is_sign_key(int key);
/// What the key at this place writes on a US keyboard, in lower case.
char32_t us_sign(int key);

/// What a person means who presses the key at this place. `plain`: what it writes without modifiers on this keyboard;
/// `typed`: what the system has written for this press; 0: not known. Digits go by their place, where the keyboard
/// wants Shift for them; letters of other scripts too, because no shortcut names them.
char32_t meant_sign(int key, int mods, char32_t plain, char32_t typed);

}  // namespace orrery
