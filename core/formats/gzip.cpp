// SPDX-License-Identifier: MIT
#include "core/formats/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {
namespace {

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
