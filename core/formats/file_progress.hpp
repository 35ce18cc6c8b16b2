// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/progress.hpp"

namespace orrery {

inline constexpr std::uint64_t kShowProgress = 64ull << 20;  ///< bytes from which on a file takes long enough for a bar

/// The progress bar of a file that is read or written: none unless the file is large.
class FileProgress {
public:
    /// `total` rows of `bytes` bytes each, or what else the file consists of.
    FileProgress(const char* doing, std::uint64_t total, std::uint64_t bytes = 1) {
        if (total * bytes >= kShowProgress) bar_.emplace(doing, total);
    }
    /// So many more are done.
    void add(std::uint64_t rows) { reach(done_ + rows); }
    /// So many are done in all.
    void reach(std::uint64_t done) {
        done_ = done;
        if (bar_) bar_->update(done);
    }

private:
    std::optional<Progress> bar_;
    std::uint64_t done_ = 0;
};

}  // namespace orrery
