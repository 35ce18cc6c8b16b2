// SPDX-License-Identifier: MIT
#pragma once
#include <hdf5.h>

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files.hpp"
#include "core/formats/limits.hpp"

namespace orrery::hdf5 {

inline constexpr std::uint64_t kRows = 1 << 15;  ///< rows of a column held in memory at a time

/// Owns an HDF5 identifier. The library may write buffered data only when an object is closed, so a failed close means
/// lost data: it is counted, also in destructors, and a Writer then refuses to commit.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close closer) : id_{id}, close_{closer} {}
    Handle(Handle&& other) noexcept : id_{std::exchange(other.id_, -1)}, close_{other.close_} {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_), std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { close(); }
    hid_t id() const noexcept { return id_; }
    explicit operator bool() const noexcept { return id_ >= 0; }
    bool close() {
        const bool closed = id_ < 0 || close_(std::exchange(id_, -1)) >= 0;
        failed_closes_ += !closed;
        return closed;
    }
    static unsigned failed_closes() noexcept { return failed_closes_; }  ///< of this thread

private:
    static inline thread_local unsigned failed_closes_ = 0;
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// A column of a file: a data set of `rows` rows of `columns` numbers.
struct Column {
    Handle set, space;
    std::uint64_t rows = 0, columns = 1;
};

/// A file that appears under its name on commit(). Throws Error{kEnvironment} when the disk fails. The library is used
/// by one thread at a time: a second Writer waits until the first is destroyed.
class Writer {
public:
    Writer(std::filesystem::path path, std::size_t user_block);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();

    void group(const std::string& name);
    void number(const std::string& group, const char* name, double value);
    void numbers(const std::string& group, const char* name, const std::vector<double>& values);
    void integers(const std::string& group, const char* name, const std::vector<std::int64_t>& values);
    void text(const std::string& group, const char* name, const std::string& value);
    /// `compress`: deflate level, 1 to 9, of chunks of kRows rows; 0: contiguous.
    Column column(const std::string& name, std::uint64_t rows, std::uint64_t columns, hid_t type, int compress = 0);
    void write(const Column& column, std::uint64_t first, std::uint64_t rows, hid_t type, const void* from);
    void close();  ///< afterwards the HDF5 part is on disk
    const std::filesystem::path& temporary() const noexcept { return to_.temporary(); }
    void commit();  ///< flushes to disk, then renames
    [[noreturn]] void fail() const;

private:
    void attribute(const std::string& group, const char* name, hid_t type, const Handle& space, const void* value);

    std::unique_lock<std::mutex> library_;
    Destination to_;
    Handle file_;
    unsigned failed_closes_ = Handle::failed_closes();  ///< when the file was opened
    bool done_ = false;
};

/// Disables the library's own error messages and its exit handler. At exit the handler would try again to write what a
/// full disk refused, and crash (HDF5 1.10).
inline void silence_library() {
    static const herr_t no_end_of_its_own = H5dont_atexit();
    static_cast<void>(no_end_of_its_own);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace orrery::hdf5
