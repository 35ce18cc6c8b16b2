// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/serve/viewers.hpp"
#include "core/base/output_file.hpp"

namespace orrery {

/// What the pictures that went to the viewer who drives have cost, one by one as CSV and all together in one line.
class ServeTimes {
public:
    using Clock = Pacing::Clock;
    /// `path`: of the CSV; empty: none. Throws Error{kEnvironment} if it cannot be written.
    explicit ServeTimes(const std::filesystem::path& path);

    /// The last byte of this picture has been handed to the system. Any thread.
    void sent(const EncodedPicture& picture, Clock::time_point now);
    /// Completes the CSV. The line has medians in milliseconds; empty if nothing was sent.
    std::string finish();

private:
    struct Row {
        double seconds, draw, read, encode, send;
        std::int64_t step;
        std::size_t bytes;
        int width, height;
        PictureCodec codec;
        bool key;
    };
    static constexpr std::size_t kMost = 1'000'000;
    std::string csv() const;
    double median_ms(double Row::*part) const;

    std::mutex mutex_;
    std::optional<Destination> file_;
    const Clock::time_point start_ = Clock::now();
    std::vector<Row> rows_;
};

}  // namespace orrery
