// SPDX-License-Identifier: MIT
#include "app/serve/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {

void Uploads::begin(std::string_view name, std::uint64_t size) {
    drop();
    name_ = name;
    if (size == 0) usage_error(fmt::format("{}: the file is empty", name_));
    if (size > most_ - used_)
        usage_error(
            fmt::format("{}: {} bytes; the limit for all files together is {} (--upload-limit)", name_, size, most_));
    if (!folder_) folder_.emplace();
    // One folder per file, so that files of a scene may have the same name.
    const std::filesystem::path own = folder_->path() / fmt::format("{}", ++count_);
    std::filesystem::create_directory(own);
    path_ = own / safe_name(name);
    file_.open(path_, std::ios::binary | std::ios::trunc);
    if (!file_) fail();
    size_ = left_ = size, used_ += size;
}

std::optional<std::filesystem::path> Uploads::add(std::string_view bytes) {
    if (path_.empty()) usage_error("data of a file that was not announced");
    if (bytes.size() > left_) {
        drop();
        usage_error(fmt::format("{}: received more bytes than announced", name_));
    }
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    left_ -= bytes.size();
    if (left_ == 0) file_.close();
    if (!file_) {
        drop();
        fail();
    }
    if (left_ > 0) return std::nullopt;
    return std::exchange(path_, {});
}

void Uploads::fail() const {
    environment_error(fmt::format("{}: cannot be written to {}", name_, folder_->path().string()));
}

void Uploads::drop() {
    if (path_.empty()) return;
    std::error_code ignored;
    used_ -= size_;
    file_.close();
    file_.clear();
    std::filesystem::remove(std::exchange(path_, {}), ignored);
}

std::string safe_name(std::string_view name) {
    constexpr std::size_t kLongest = 200;
    constexpr auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    name.remove_prefix(std::min(name.find_last_of("/\\") + 1, name.size()));
    name.remove_prefix(std::min(name.find_first_not_of(". "), name.size()));
    if (name.size() > kLongest) name.remove_prefix(name.size() - kLongest);  // keeps the extension
    while (!name.empty() && continues(name.front())) name.remove_prefix(1);
    std::string safe{name};
    for (char& c : safe) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && !std::isalnum(byte) && std::string_view{" ._+-,()=@#%"}.find(c) == std::string_view::npos)
            c = '_';
    }
    return safe.empty() ? "file" : safe;
}

std::string without_folders(std::string message, const std::filesystem::path& uploads,
                            const std::filesystem::path& working) {
    const auto drop = [&](const std::filesystem::path& folder, bool numbered) {
        const std::string prefix = folder.string() + '/';
        if (folder.empty() || prefix == "//") return;
        for (std::size_t at = 0; (at = message.find(prefix, at)) != std::string::npos;) {
            std::size_t end = at + prefix.size();
            if (numbered) end = std::min(message.find('/', end), message.size() - 1) + 1;
            message.erase(at, end - at);
        }
    };
    drop(uploads, true);
    drop(working, false);
    return message;
}

std::string content_disposition(std::string_view name) {
    const std::string safe = safe_name(name);
    std::string plain, encoded;
    for (const char c : safe) {
        const auto byte = static_cast<unsigned char>(c);
        const bool simple = std::isalnum(byte) || c == '.' || c == '_' || c == '-';
        plain += byte < 0x80 ? c : '_';
        encoded += simple ? std::string{c} : fmt::format("%{:02X}", byte);
    }
    return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain, encoded);
}

std::optional<MadeFiles::Made> MadeFiles::add(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    if (error || !std::filesystem::is_regular_file(std::filesystem::symlink_status(absolute, error)))
        return std::nullopt;
    const std::uint64_t size = std::filesystem::file_size(absolute, error);
    if (error) return std::nullopt;
    const std::lock_guard lock{mutex_};
    if (made_.size() == kMost) made_.pop_front();
    return made_.emplace_back(Made{++last_id_, absolute, size});
}

std::optional<std::filesystem::path> MadeFiles::find(std::uint32_t id) const {
    const std::lock_guard lock{mutex_};
    const auto found = std::ranges::find(made_, id, &Made::id);
    if (found == made_.end()) return std::nullopt;
    return found->path;
}

}  // namespace orrery
