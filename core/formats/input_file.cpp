// SPDX-License-Identifier: MIT
#include "core/formats/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/formats/limits.hpp"

namespace orrery {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int why) {
    const bool missing = why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG;
    if (missing) usage_error(fmt::format("{}: no such file: {}", path.string(), std::strerror(why)));
    environment_error(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(why)));
}

std::uintmax_t size_of_regular_file(int descriptor, const std::filesystem::path& path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) fail(path, errno);
    if (S_ISDIR(status.st_mode)) usage_error(fmt::format("{}: is a folder, expected a snapshot file", path.string()));
    if (!S_ISREG(status.st_mode)) usage_error(fmt::format("{}: is not a regular file", path.string()));
    if (status.st_size == 0) usage_error(fmt::format("{}: is empty, expected a snapshot", path.string()));
    return static_cast<std::uintmax_t>(status.st_size);
}

constexpr std::size_t kPacked = std::size_t{1} << 16, kUnpacked = std::size_t{1} << 18;  // bytes at a time
constexpr std::uintmax_t kAnyRatio = std::uintmax_t{64} << 20, kMostRatio = 200;         // numbers of bodies: 2 to 10
constexpr std::uintmax_t kLeftFree = std::uintmax_t{64} << 20;                           // bytes, for others
constexpr int kGzip = 16 + MAX_WBITS;                                                    // and no format of zlib's own

class Inflater {
public:
    explicit Inflater(const std::filesystem::path& path) : file_{path}, in_(kPacked), out_(kUnpacked) {
        if (inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc{};
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    const InputFile& file() const { return file_; }
    /// The next bytes; empty: all were given.
    std::span<const std::byte> next() {
        while (!done_) {
            stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
            stream_.avail_out = static_cast<uInt>(out_.size());
            if (stream_.avail_in == 0) fill();
            const int result = inflate(&stream_, Z_NO_FLUSH);
            if (result == Z_MEM_ERROR) throw std::bad_alloc{};
            if (result == Z_STREAM_END)
                end_member();
            else if (result != Z_OK)
                refuse(stream_.msg ? fmt::format("is damaged: {}", stream_.msg) : "is damaged");
            const std::size_t made = out_.size() - stream_.avail_out;
            if (made > 0) return std::span{out_}.first(made);
        }
        return {};
    }
    [[noreturn]] void refuse(const std::string& what) const {
        usage_error(fmt::format("{}: is compressed by gzip, and {}", file_.path().string(), what));
    }

private:
    void fill() {
        const auto count = static_cast<std::size_t>(std::min<std::uintmax_t>(in_.size(), left()));
        if (count == 0) refuse("truncated");
        file_.read(std::span{in_}.first(count));
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = static_cast<uInt>(count);
    }
    /// Another one may follow, as where two files were put one behind the other, or zeros of a tape.
    void end_member() {
        while (true) {
            if (stream_.avail_in == 0 && left() == 0) return void(done_ = true);
            if (stream_.avail_in == 0) fill();
            if (*stream_.next_in != 0) break;
            ++stream_.next_in, --stream_.avail_in;
        }
        inflateReset(&stream_);
    }
    std::uintmax_t left() const { return file_.size() - file_.position(); }

    InputFile file_;
    std::vector<std::byte> in_, out_;
    z_stream stream_{};
    bool done_ = false;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

bool begins_as_gzip(const std::filesystem::path& path) {
    InputFile file{path};
    std::array<std::byte, 2> head{};
    if (file.size() < head.size()) return false;
    file.read(head);
    return is_gzip(head);
}

}  // namespace

InputFile::InputFile(std::filesystem::path path) : path_{std::move(path)} {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe must not block
    if (descriptor_ < 0) fail(path_, errno);
    try {
        size_ = size_of_regular_file(descriptor_, path_);
    } catch (...) {
        ::close(descriptor_);  // no destructor runs for an object whose constructor throws
        throw;
    }
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::span<std::byte> bytes) {
    const auto done = read_at(descriptor_, position_, bytes);
    if (!done) fail(path_, errno);
    if (*done < bytes.size()) environment_error(fmt::format("{}: was truncated while it was read", path_.string()));
    position_ += bytes.size();
}

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

PlainFile::PlainFile(const std::filesystem::path& asked) : asked_{asked}, path_{asked} {
    if (!begins_as_gzip(asked)) return;
    folder_.emplace();
    path_ = folder_->path() / unpacked_name(asked);
    unpack(asked, path_);
}

std::string PlainFile::named(std::string message) const {
    if (!unpacked()) return message;
    replace_all(message, path_.string(), asked_.string());
    replace_all(message, (folder_->path() / "").string(), (asked_.parent_path() / "").string());
    return message;
}

bool is_gzip(std::span<const std::byte> head) {
    return head.size() >= 2 && head[0] == std::byte{0x1f} && head[1] == std::byte{0x8b};
}

std::filesystem::path unpacked_name(const std::filesystem::path& packed) {
    return lower_case(packed.extension().string()) == ".gz" ? packed.stem() : packed.filename();
}

std::vector<std::byte> unpacked_head(const std::filesystem::path& packed, std::size_t most) {
    std::vector<std::byte> head;
    Inflater inflater{packed};
    for (auto bytes = inflater.next(); !bytes.empty() && head.size() < most; bytes = inflater.next())
        head.insert(head.end(), bytes.begin(), bytes.end());
    head.resize(std::min(head.size(), most));
    return head;
}

void unpack(const std::filesystem::path& packed, const std::filesystem::path& to) {
    Inflater inflater{packed};
    FileProgress progress{"unpacking", inflater.file().size()};
    OutputFile file{to};
    std::error_code unknown;
    const std::filesystem::space_info space = std::filesystem::space(to.parent_path(), unknown);
    const std::uintmax_t room = unknown ? UINTMAX_MAX : space.available - std::min(space.available, kLeftFree);
    std::uintmax_t unpacked = 0;
    for (auto bytes = inflater.next(); !bytes.empty(); bytes = inflater.next()) {
        unpacked += bytes.size();
        if (unpacked > kAnyRatio && unpacked / kMostRatio > inflater.file().size())
            inflater.refuse(fmt::format("unpacks to more than {} times its size, unlike any snapshot", kMostRatio));
        if (unpacked > room)
            environment_error(fmt::format(
                "{}: is compressed by gzip, and holds more than the {:.3g} GB that {} has space for; the variable "
                "TMPDIR names another folder",
                packed.string(), 1e-9 * static_cast<double>(room), to.parent_path().parent_path().string()));
        file.write(bytes);
        progress.reach(inflater.file().position());
    }
    if (unpacked == 0) inflater.refuse("holds nothing");
    file.commit();
}

}  // namespace orrery
