// SPDX-License-Identifier: MIT
#include "core/formats/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/formats/limits.hpp"

namespace orrery {

Lines::Lines(const std::filesystem::path& path) : file_{path} {}

std::optional<std::string_view> Lines::next() {
    std::size_t end = buffer_.find('\n', begin_);
    while (end == std::string::npos) {
        const std::size_t searched = buffer_.size() - begin_;
        if (searched > kBlock)
            usage_error(fmt::format("{}: line {}: longer than {} bytes", file_.path().string(), number_ + 1, kBlock));
        if (!fill()) break;
        end = buffer_.find('\n', begin_ + searched);
    }
    if (begin_ == buffer_.size()) return std::nullopt;
    ++number_;
    ended_ = end != std::string::npos;
    const std::string_view line = std::string_view{buffer_}.substr(begin_, end - begin_);
    begin_ += line.size() + (ended_ ? 1 : 0);
    return line;
}

std::size_t Lines::count(std::size_t length) {
    std::size_t lines = 0;
    while (const auto line = next())
        if (line->size() >= length) ++lines;
    file_.seek(0);
    buffer_.clear();
    begin_ = number_ = 0;
    return lines;
}

bool Lines::fill() {
    const auto now = static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, file_.size() - file_.position()));
    if (now == 0) return false;
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + now);
    file_.read(std::as_writable_bytes(std::span{buffer_}.subspan(kept)));
    return true;
}

}  // namespace orrery
