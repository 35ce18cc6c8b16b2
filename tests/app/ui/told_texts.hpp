// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace orrery::test {

/// The English texts that a source of C++ hands to what translates: the literals in the first argument of calls such as
/// tr("…"), phrase("…"), notice("…") and ui.button("…"). Names for ImGui after ### are left out, and so are texts
/// without two letters in a row.
std::set<std::string> told_texts(std::string_view source);

}  // namespace orrery::test
