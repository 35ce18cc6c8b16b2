// SPDX-License-Identifier: MIT
#include "core/cloud/spill_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace orrery {

SpillFile::SpillFile(const std::filesystem::path& beside, std::span<const std::uint64_t> lengths, std::size_t buffered)
    : folder_{beside.has_parent_path() ? beside.parent_path() : std::filesystem::path{"."}} {
    std::string name = (folder_ / ".orrery-cloud-XXXXXX").string();
    file_ = Descriptor{::mkstemp(name.data())};
    if (!file_) fail();
    ::unlink(name.c_str());
    sections_.reserve(lengths.size());
    std::uint64_t first = 0;
    for (const std::uint64_t length : lengths) sections_.push_back({first, length}), first += length;
    constexpr std::size_t kLeast = 16, kMost = 1 << 16;
    most_waiting_ =
        std::clamp(buffered / sizeof(CloudRecord) / std::max<std::size_t>(1, lengths.size()), kLeast, kMost);
}

void SpillFile::fail() const {
    environment_error(fmt::format("{}: no temporary file can be written: {}", folder_.string(), std::strerror(errno)));
}

bool SpillFile::add(std::size_t section, const CloudRecord& record) {
    Section& to = sections_[section];
    if (to.written + to.waiting.size() == to.length) return false;
    if (to.waiting.capacity() == 0) to.waiting.reserve(most_waiting_);
    to.waiting.push_back(record);
    if (to.waiting.size() == most_waiting_) write(to);
    return true;
}

void SpillFile::write(Section& section) {
    auto bytes = std::as_bytes(std::span{section.waiting});
    auto at = static_cast<off_t>((section.first + section.written) * sizeof(CloudRecord));
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail();
        bytes = bytes.subspan(static_cast<std::size_t>(done)), at += done;
    }
    section.written += section.waiting.size();
    section.waiting.clear();
}

bool SpillFile::flush() {
    bool full = true;
    for (Section& section : sections_) {
        write(section);
        section.waiting = {};
        full = full && section.written == section.length;
    }
    return full;
}

void SpillFile::read(std::size_t section, std::uint64_t from, std::span<CloudRecord> into) const {
    const std::uint64_t at = (sections_[section].first + from) * sizeof(CloudRecord);
    if (read_at(file_.get(), at, std::as_writable_bytes(into)) != into.size_bytes()) fail();
}

}  // namespace orrery
