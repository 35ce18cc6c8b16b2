// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Owns an open file.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// False, with errno: not all was written.
    bool write(std::span<const std::byte> bytes) noexcept;
    /// False, with errno: what was written may be lost.
    bool close() noexcept;

private:
    int number_ = -1;
};

/// Where the bytes of an output go. Symbolic links are followed: what they point at is replaced, not they. A device, a
/// FIFO or a socket is written through, because it has no content to keep. Everything throws Error{kEnvironment}, in
/// the words of the path that was asked for.
class Destination {
public:
    explicit Destination(std::filesystem::path asked);

    const std::filesystem::path& asked() const noexcept { return asked_; }
    const std::filesystem::path& file() const noexcept { return file_; }  ///< with links followed
    /// A regular file, or nothing yet.
    bool replaceable() const noexcept { return replaceable_; }
    /// A name beside the file that no other process uses.
    const std::filesystem::path& temporary() const noexcept { return temporary_; }
    /// Opens the temporary file, which must not exist, with the mode of the file that it is to replace; or, where that
    /// is not replaceable, the file itself.
    Descriptor open() const;
    /// The temporary file takes the place of the file. `durable`: it is on disk before, and its name after.
    void replace(bool durable) const;
    void remove_temporary() const noexcept;
    /// Throws unless the file can be written; leaves nothing, nor what dead processes have left, and wakes nobody who
    /// reads a FIFO.
    void require_writable() const;
    /// Removes temporary files of this destination that dead processes have left.
    void remove_abandoned() const;
    /// With errno.
    [[noreturn]] void fail() const;

private:
    std::filesystem::path asked_, file_, temporary_;
    bool replaceable_ = true;
};

/// Opens a file to which is written bit by bit, empty if it is new, and keeps other processes of this program from the
/// same as long as the descriptor lives. Throws Error{kEnvironment} where one has it already. What is no regular file
/// is shared.
Descriptor lock_output(const std::filesystem::path& path);

/// A file by which processes tell each other that they live; the lock lasts as long as the descriptor.
struct LifeSign {
    Descriptor file;      ///< empty: not locked
    bool others = false;  ///< another process that lives has it
};
/// Never waits, and makes no lock of what is no regular file: a FIFO of that name belongs to no process that lives.
LifeSign take_life_sign(const std::filesystem::path& path);

/// Whether a file must survive a loss of power as soon as commit() has returned; that takes milliseconds.
enum class Durable { kNo, kYes };

/// A file that appears under its name only when it is complete: written under a temporary name, renamed by `commit()`,
/// removed if destroyed without. Throws Error{kEnvironment} naming the path when the disk fails.
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

}  // namespace orrery
