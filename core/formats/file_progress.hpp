// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/progress.hpp"

namespace orrery {

inline constexpr std::uint64_t kShowProgress = 64ull << 20;  ///< smallest file that takes long enough for a bar

/// The progress bar for reading or writing a file; shown only if the file is large.
class FileProgress {
public:
    /// `total` rows (or other units) of `bytes` bytes each.
    FileProgress(const char* doing, std::uint64_t total, std::uint64_t bytes = 1) {
        if (total * bytes >= kShowProgress) bar_.emplace(doing, total);
    }
    /// Adds `rows` to the number done.
    void add(std::uint64_t rows) { reach(done_ + rows); }
    /// Sets the number done.
    void reach(std::uint64_t done) {
        done_ = done;
        if (bar_) bar_->update(done);
    }

private:
    std::optional<Progress> bar_;
    std::uint64_t done_ = 0;
};

}  // namespace orrery
