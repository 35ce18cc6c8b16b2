// SPDX-License-Identifier: MIT
#include "core/base/companion_program.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"

namespace orrery {

std::filesystem::path companion_program(const std::filesystem::path& relative, std::string_view purpose) {
    const std::string program = relative.filename().string();
    Dl_info here{};
    link_map* object = nullptr;  // the program's has no name
    ::dladdr1(reinterpret_cast<const void*>(&companion_program), &here, reinterpret_cast<void**>(&object),
              RTLD_DL_LINKMAP);
    const bool is_library = object && object->l_name[0] != '\0';
    const char* const own_path = is_library ? object->l_name : "/proc/self/exe";
    std::error_code error;
    std::filesystem::path folder =
        is_library ? std::filesystem::canonical(own_path, error) : std::filesystem::read_symlink(own_path, error);
    struct stat own = {}, first = {};
    if (error || ::stat(own_path, &own) != 0)
        environment_error(fmt::format("{} cannot be searched: {} is missing", program, own_path));
    std::vector<std::string> searched;
    for (int above = 0; above <= 4 && folder != folder.parent_path(); ++above) {
        folder = folder.parent_path();
        searched.push_back((folder / relative).string());
        if (::access(searched.back().c_str(), X_OK) == 0 &&
            ::lstat((folder / *relative.begin()).c_str(), &first) == 0 &&
            (first.st_uid == own.st_uid || first.st_uid == ::geteuid() || first.st_uid == 0))
            return searched.back();
    }
    environment_error(fmt::format("{}, {}, is missing or belongs to another user; searched: {}", program, purpose,
                                  fmt::join(searched, ", ")));
}

}  // namespace orrery
