// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace orrery::test {

/// The processes of `program` with this working folder, as listed by the system.
inline std::vector<pid_t> processes_in(const std::filesystem::path& folder, const std::filesystem::path& program) {
    std::vector<pid_t> found;
    for (const auto& process : std::filesystem::directory_iterator{"/proc"}) {
        std::error_code gone;
        if (std::filesystem::read_symlink(process.path() / "exe", gone) != program || gone) continue;
        if (std::filesystem::read_symlink(process.path() / "cwd", gone) != folder || gone) continue;
        found.push_back(std::stoi(process.path().filename()));
    }
    return found;
}

/// Seconds of processor time used by a process.
inline double processor_seconds(pid_t process) {
    std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
    std::string text;
    std::getline(file, text);
    std::istringstream fields{text.substr(text.rfind(')') + 2)};
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace orrery::test
