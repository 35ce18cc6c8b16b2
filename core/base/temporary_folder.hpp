// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>

namespace orrery {

/// A folder for files of this process, in TMPDIR or /tmp, readable only for this user. Removed with the object, and
/// when SIGINT, SIGTERM or SIGHUP ends the process; handlers that are already installed for these signals stay.
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

/// Removes the folders of all TemporaryFolders of this process. Makes only system calls.
void remove_temporary_folders() noexcept;
/// Handler of a signal: removes the folders of all TemporaryFolders of this process, then lets the signal end it.
void remove_temporary_folders_and_end(int signal) noexcept;

}  // namespace orrery
