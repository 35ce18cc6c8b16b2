// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/base/child_process.hpp"
#include "core/base/error.hpp"
#include "core/formats/hdf5_server.hpp"
#include "core/formats/input_file.hpp"

namespace orrery::hdf5 {

/// The path of the reader program in other programs that link this library; the CMake package adds the definition.
extern const char kInstalledReader[] __attribute__((weak));

namespace {

// Limits of the process: memory for the open files, time for all files opened so far. The library holds metadata and
// one compressed chunk; the bodies are in our own memory. Numbers that compress well, such as velocities of 0, may
// unpack to a thousand times the size of the file.
constexpr std::uint64_t kMemory = 256ull << 20, kMemoryPerByte = 4;
constexpr std::uint64_t kSeconds = 10, kBytesPerSecond = 1 << 20, kUnpackedPerSecond = 16 << 20, kFilesPerSecond = 20;

std::function<LocalServer(std::span<std::byte>)> start_local;  // empty: files are read by the reader program

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

/// Searches the signature where the library does: at the beginning, and after a header of 512, 1024, 2048, ... bytes.
bool has_signature(InputFile& file) {
    for (std::uintmax_t at = 0; at + kSignature.size() <= file.size(); at = at == 0 ? 512 : 2 * at) {
        std::array<char, kSignature.size()> found{};
        file.seek(at);
        file.read(std::as_writable_bytes(std::span{found}));
        if (std::string_view{found.data(), found.size()} == kSignature) return true;
    }
    return false;
}

std::filesystem::path reader_program() {
    if (&kInstalledReader != nullptr && ::access(kInstalledReader, X_OK) == 0) return kInstalledReader;
    return companion_program(ORRERY_READER, "which reads HDF5 files");
}

}  // namespace

void read_in_this_process(std::function<LocalServer(std::span<std::byte>)> start) { start_local = std::move(start); }

/// Answers the requests of Readers, all of one thread.
class ReaderProcess {
public:
    ReaderProcess() {
        if (start_local)
            own_memory_.resize(kShared), server_ = start_local(own_memory_);
        else
            child_.emplace(reader_program(), kShared);
    }
    /// Sends a request and returns the reply. Throws ChildEnded.
    Packet ask(const Packet& request, int descriptor) {
        if (server_) return server_(request, Descriptor{descriptor < 0 ? -1 : ::dup(descriptor)});
        child_->send(request, descriptor);
        return child_->receive();
    }
    /// Call before a file of this size is opened.
    void admit(std::uint64_t bytes) {
        open_bytes_ += bytes, bytes_ += bytes, ++files_;
        limit();
    }
    /// Errors are ignored here: the next request reports them.
    void close(std::uint32_t file, std::uint64_t bytes) noexcept {
        try {
            ask(Packet{}.put(Ask::kClose).put(file), -1);
            open_bytes_ -= bytes;
        } catch (...) {
        }
    }
    /// Call before this many bytes of numbers are read; compressed data may exceed the size of the file.
    void admit_unpacked(std::uint64_t bytes) {
        unpacked_ += bytes;
        limit();
    }
    std::uint64_t memory() const { return kMemory + kMemoryPerByte * open_bytes_; }
    std::span<const std::byte> shared() const { return child_ ? child_->shared() : own_memory_; }

private:
    void limit() {
        if (!child_) return;
        child_->limit(memory(),
                      kSeconds + bytes_ / kBytesPerSecond + unpacked_ / kUnpackedPerSecond + files_ / kFilesPerSecond);
    }

    std::optional<ChildProcess> child_;
    std::vector<std::byte> own_memory_;
    LocalServer server_;
    std::uint64_t open_bytes_ = 0;                        // of the open files
    std::uint64_t bytes_ = 0, unpacked_ = 0, files_ = 0;  // of all files so far
};

template <class Taken>
auto Reader::ask(const Packet& request, Taken taken, int descriptor) const {
    try {
        Packet reply = process_->ask(request, descriptor);
        const Answer answer = reply.take<Answer>();
        if (answer == Answer::kOk) return taken(reply);
        if (answer == Answer::kNoMemory)
            refuse(
                fmt::format("malformed: the HDF5 library needs more than {} MB to read it", process_->memory() >> 20));
        throw Error{answer == Answer::kUsage ? Blame::kUsage : Blame::kEnvironment, reply.take_text()};
    } catch (const ChildEnded& error) {
        refuse(fmt::format("malformed: the process that reads it with the HDF5 library {}", error.what()));
    } catch (const std::out_of_range& error) {
        refuse(fmt::format("malformed: the process that reads it with the HDF5 library returned {}", error.what()));
    }
}

Reader::Reader(std::filesystem::path path) : Reader{std::move(path), std::shared_ptr<ReaderProcess>{}} {}
Reader::Reader(std::filesystem::path path, const Reader& beside) : Reader{std::move(path), beside.process_} {}

Reader::Reader(std::filesystem::path path, std::shared_ptr<ReaderProcess> process)
    : path_{std::move(path)}, process_{std::move(process)} {
    InputFile file{path_};                       // reports what is wrong with the path
    if (!has_signature(file)) refuse(kNotHdf5);  // before starting a process
    if (!process_) process_ = std::make_shared<ReaderProcess>();
    bytes_ = file.size();
    process_->admit(bytes_);
    file_ = ask(
        Packet{}.put(Ask::kOpen).put(kProtocol).put_text(path_.string()),
        [](Packet& reply) { return reply.take<std::uint32_t>(); }, file.descriptor());
}

Reader::~Reader() {
    if (process_ && process_.use_count() > 1)
        process_->close(file_, bytes_);  // otherwise the process ends with this Reader
}

void Reader::refuse(const std::string& what) const { usage_error(fmt::format("{}: {}", path_.string(), what)); }

bool Reader::has(const std::string& object) const {
    return ask(Packet{}.put(Ask::kHas).put(file_).put_text(object), [](Packet& reply) { return reply.take_flag(); });
}

void Reader::require_group(const std::string& object) const {
    ask(Packet{}.put(Ask::kRequireGroup).put(file_).put_text(object), [](Packet&) {});
}

std::optional<std::vector<double>> Reader::numbers(const std::string& group, const std::string& name) const {
    return ask(Packet{}.put(Ask::kNumbers).put(file_).put_text(group).put_text(name),
               [](Packet& reply) -> std::optional<std::vector<double>> {
                   if (!reply.take_flag()) return std::nullopt;
                   return reply.take_all<double>();
               });
}

std::optional<double> Reader::number(const std::string& group, const std::string& name) const {
    const auto values = numbers(group, name);
    return values && !values->empty() ? std::optional{values->front()} : std::nullopt;
}

std::optional<std::string> Reader::text(const std::string& group, const std::string& name) const {
    return ask(Packet{}.put(Ask::kText).put(file_).put_text(group).put_text(name),
               [](Packet& reply) -> std::optional<std::string> {
                   if (!reply.take_flag()) return std::nullopt;
                   return reply.take_text();
               });
}

std::string Reader::first_of(const std::vector<std::string>& objects) const {
    return ask(Packet{}.put(Ask::kFirstOf).put(file_).put_texts(objects), [&](Packet& reply) -> std::string {
        const auto place = reply.take<std::uint32_t>();
        return place == 0 || place > objects.size() ? "" : objects[place - 1];
    });
}

Shape Reader::shape(const std::string& data_set) const {
    return ask(Packet{}.put(Ask::kShape).put(file_).put_text(data_set), [](Packet& reply) -> Shape {
        const auto rows = reply.take<std::uint64_t>(), columns = reply.take<std::uint64_t>(),
                   bytes = reply.take<std::uint64_t>();
        return {rows, columns, bytes, reply.take<H5T_class_t>()};
    });
}

std::vector<std::string> Reader::data_sets(const std::string& group) const {
    return ask(Packet{}.put(Ask::kDataSets).put(file_).put_text(group),
               [](Packet& reply) { return reply.take_texts(); });
}

ReadColumn Reader::column(const std::string& object, std::uint64_t rows, std::uint64_t columns,
                          H5T_class_t kind) const {
    return ask(Packet{}.put(Ask::kColumn).put(file_).put_text(object).put(rows).put(columns).put(kind),
               [&](Packet& reply) -> ReadColumn {
                   return {reply.take<std::uint32_t>(), rows, columns, object};
               });
}

void Reader::read(const ReadColumn& column, std::uint64_t first, std::uint64_t rows, Number type, void* into) const {
    const std::uint64_t row = column.columns * size_of(type), most = kHalf / row;
    auto* to = static_cast<std::byte*>(into);
    for (const std::uint64_t end = first + rows; first < end;) {
        const std::uint64_t count = std::min(most, end - first);
        process_->admit_unpacked(count * row);
        const std::size_t half =
            ask(Packet{}.put(Ask::kRead).put(file_).put(column.index).put(first).put(count).put(type),
                [](Packet& reply) { return reply.take<std::uint8_t>() & 1u; });
        std::memcpy(to, process_->shared().data() + half * kHalf, count * row);
        to += count * row, first += count;
    }
}

}  // namespace orrery::hdf5
