// SPDX-License-Identifier: MIT
#include "app/ui/path_completion.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/base/text.hpp"

namespace orrery {

namespace fs = std::filesystem;

fs::path typed_path(const std::string& typed, const fs::path& base) {
    const fs::path path = expand_home(typed);
    return path.is_absolute() ? path : base / path;
}

std::string completed_path(const std::string& typed, const fs::path& base) {
    if (typed == "~") return "~/";
    const std::size_t slash = typed.rfind('/');
    const std::string begin = typed.substr(slash == typed.npos ? 0 : slash + 1);
    const std::string before = typed.substr(0, typed.size() - begin.size());
    std::optional<std::string> common;
    bool one_folder = false;
    std::error_code problem;
    for (fs::directory_iterator entries{typed_path(before, base), problem};
         !problem && entries != fs::directory_iterator{}; entries.increment(problem)) {
        const std::string name = entries->path().filename().string();
        if (!name.starts_with(begin) || (begin.empty() && name.starts_with('.'))) continue;
        std::error_code unknown;
        one_folder = !common && entries->is_directory(unknown);
        if (!common) common = name;
        common->resize(static_cast<std::size_t>(std::ranges::mismatch(*common, name).in1 - common->begin()));
    }
    if (!common) return typed;
    return before + *common + (one_folder ? "/" : "");
}

}  // namespace orrery
