// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace orrery {

/// The page of section 1 about `orrery` (an app without a parent), or about one of its commands: troff with the macros
/// of man(7), UTF-8. All of it is what --help says, in other order. The same text for the same program, wherever it is
/// made.
std::string man_page(const CLI::App& app);

/// "orrery", "orrery-record": the name of its page.
std::string page_name(const CLI::App& app);

}  // namespace orrery
