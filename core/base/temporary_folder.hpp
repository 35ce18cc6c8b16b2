// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace orrery {

/// A folder for files of this process, which only this user can read, where TMPDIR says, else in /tmp. It is removed
/// with the object, and where SIGINT, SIGTERM or SIGHUP ends the process; what handles these signals already stays.
class TemporaryFolder {
public:
    TemporaryFolder();  ///< throws Error{kEnvironment}
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// Removes the folders of all TemporaryFolders of this process. A handler of a signal may call it before the process
/// ends.
void remove_temporary_folders() noexcept;

}  // namespace orrery
