// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Fills `into` with the bytes of a file from `offset` on. Returns their number, which is smaller at the end of the
/// file, or empty with errno if reading fails. Does not move the file offset.
std::optional<std::size_t> read_at(int descriptor, std::uint64_t offset, std::span<std::byte> into) noexcept;

/// Owns a file descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// Returns false and sets errno if not all bytes were written.
    bool write(std::span<const std::byte> bytes) noexcept;
    /// Returns false and sets errno if written data may be lost.
    bool close() noexcept;

private:
    int number_ = -1;
};

/// Destination of an output. Symbolic links are followed: their target is replaced, not the link. Devices, FIFOs and
/// sockets are written directly, because they have no content to preserve. All functions throw Error{kEnvironment} that
/// names the path as requested.
class Destination {
public:
    explicit Destination(std::filesystem::path asked);

    const std::filesystem::path& asked() const noexcept { return asked_; }
    const std::filesystem::path& file() const noexcept { return file_; }  ///< after following links
    /// True for a regular file or a path that does not exist yet.
    bool replaceable() const noexcept { return replaceable_; }
    /// A name in the same folder that no other process uses.
    const std::filesystem::path& temporary() const noexcept { return temporary_; }
    /// Opens the temporary file, which must not exist, with the mode of the file it will replace. Opens the file itself
    /// if it is not replaceable.
    Descriptor open() const;
    /// Renames the temporary file to the file. `durable`: syncs its content before and its name after.
    void replace(bool durable) const;
    void remove_temporary() const noexcept;
    /// Throws if the file is not writable. Leaves no temporary file, removes those of dead processes, and does not open
    /// FIFOs.
    void require_writable() const;
    /// Removes temporary files of this destination left by dead processes.
    void remove_abandoned() const;
    /// Throws an Error with the text of errno.
    [[noreturn]] void fail() const;

private:
    std::filesystem::path asked_, file_, temporary_;
    bool replaceable_ = true;
};

/// Opens a file for incremental writing, creates it if needed, and locks it against other processes of this program
/// while the descriptor is open. Throws Error{kEnvironment} if another process holds the lock. Does not lock what is
/// not a regular file.
Descriptor lock_output(const std::filesystem::path& path);

/// A lock file that shows other processes that this one is alive; the lock lasts as long as the descriptor.
struct LifeSign {
    Descriptor file;      ///< empty: not locked
    bool others = false;  ///< another live process holds the lock
};
/// Never blocks, and locks only regular files: a FIFO of that name does not indicate a live process.
LifeSign take_life_sign(const std::filesystem::path& path);

/// kYes: the file survives a power loss once commit() has returned, which takes milliseconds.
enum class Durable { kNo, kYes };

/// A file that appears under its name only when complete: written to a temporary file that commit() renames, removed if
/// destroyed before. Throws Error{kEnvironment} naming the path if the disk fails.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path path, Durable durable = Durable::kNo);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    void commit();

private:
    void flush();

    Destination to_;
    Durable durable_;
    Descriptor file_;
    std::vector<std::byte> buffer_;
};

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
