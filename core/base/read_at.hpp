// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace orrery {

/// Fills `into` with the bytes of a file from `offset` on. Returns their number, which is smaller at the end of the
/// file, or empty with errno if reading fails. Does not move the file offset.
inline std::optional<std::size_t> read_at(int descriptor, std::uint64_t offset, std::span<std::byte> into) noexcept {
    std::size_t done = 0;
    while (done < into.size()) {
        const auto at = static_cast<off_t>(offset + done);
        const ssize_t got = ::pread(descriptor, into.data() + done, into.size() - done, at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::nullopt;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

}  // namespace orrery
