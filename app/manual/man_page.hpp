// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace orrery {

/// The page in section 1 for `orrery` (an app without a parent) or one of its commands: troff with the macros of
/// man(7), UTF-8. It has the content of --help in another order, and depends only on the program.
std::string man_page(const CLI::App& app);

/// "orrery", "orrery-record": the name of the page.
std::string page_name(const CLI::App& app);

}  // namespace orrery
