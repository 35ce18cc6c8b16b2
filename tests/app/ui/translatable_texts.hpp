// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace orrery::test {

/// The English texts that C++ source passes to translating functions: the literals in the first argument of calls such
/// as tr("…"), phrase("…") and notice("…"), and in all of ui.button("…", "…"). Omits ImGui ids after ### and texts
/// without two consecutive letters.
std::set<std::string> translatable_texts(std::string_view source);

}  // namespace orrery::test
