// SPDX-License-Identifier: MIT
#include "core/base/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace orrery {

std::string environment_variable(const char* name) {
    const char* const text = std::getenv(name);
    return text ? text : "";
}

std::filesystem::path user_folder(const char* variable, const char* below_home) {
    std::filesystem::path base = environment_variable(variable);
    if (!base.is_absolute()) {
        base = environment_variable("HOME");
        if (base.empty()) return {};
        base /= below_home;
    }
    return base / "orrery";
}

std::filesystem::path program_in_path(const std::string& name) {
    const auto is_executable = [](const std::filesystem::path& path) { return ::access(path.c_str(), X_OK) == 0; };
    if (name.find('/') != std::string::npos) return is_executable(name) ? name : "";
    std::istringstream folders{environment_variable("PATH")};
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && is_executable(std::filesystem::path{folder} / name))
            return std::filesystem::path{folder} / name;
    return {};
}

}  // namespace orrery
