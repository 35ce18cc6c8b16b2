// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/child_process.hpp"
#include "core/base/error.hpp"

namespace orrery::hdf5 {
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size() && !text.empty();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

const char* const kReaderRole = "orrery-hdf5-reader";

Server::Server(std::span<std::byte> shared) : shared_{shared} { disable_external_links(); }

Packet Server::answer(Packet request, Descriptor file) {
    try {
        return answer_or_throw(request, std::move(file));
    } catch (const Error& error) {
        return Packet{}
            .put(error.blame() == Blame::kUsage ? Answer::kUsage : Answer::kEnvironment)
            .put_text(error.what());
    } catch (const std::bad_alloc&) {
        return Packet{}.put(Answer::kNoMemory);
    }
}

Packet Server::answer_or_throw(Packet& request, Descriptor descriptor) {
    const Ask what = request.take<Ask>();
    Packet reply;
    reply.put(Answer::kOk);
    if (what == Ask::kOpen) {
        files_.try_emplace(next_file_, request.take_text(), std::move(descriptor));
        return reply.put(next_file_++);
    }
    const auto index = request.take<std::uint32_t>();
    if (what == Ask::kClose) return close(index), reply;
    const Source& file = files_.at(index);
    if (what == Ask::kRead) {
        const auto column = request.take<std::uint32_t>();
        const auto first = request.take<std::uint64_t>(), count = request.take<std::uint64_t>();
        return rows({column, first, count, request.take<Number>()});
    }
    const std::string object = request.take_text();
    if (what == Ask::kHas) return reply.put_flag(file.has(object));
    if (what == Ask::kRequireGroup) return file.require_group(object), reply;
    if (what == Ask::kColumn) {
        const auto count = request.take<std::uint64_t>(), columns = request.take<std::uint64_t>();
        columns_.try_emplace(next_column_,
                             Opened{file.column(object, count, columns, request.take<H5T_class_t>()), object, index});
        return reply.put(next_column_++);
    }
    if (what == Ask::kFirstOf) return reply.put(file.first_of(lines_of(object)));
    if (what == Ask::kDataSets) return reply.put_text(fmt::format("{}", fmt::join(file.data_sets(object), "\n")));
    if (what == Ask::kShape) {
        const Shape shape = file.shape(object);
        return reply.put(shape.rows).put(shape.bytes).put(shape.kind);
    }
    const std::string name = request.take_text();
    if (what == Ask::kNumbers) {
        const auto found = file.numbers(object, name);
        reply.put_flag(found.has_value());
        return found ? reply.put_all(std::span{*found}) : reply;
    }
    const auto found = file.text(object, name);
    reply.put_flag(found.has_value());
    return found ? reply.put_text(*found) : reply;
}

Packet Server::rows(const Rows& wanted) {
    half_ = 1 - half_;
    if (ahead_ != wanted) read(wanted, half_);
    ahead_.reset();
    last_ = wanted;
    return Packet{}.put(Answer::kOk).put(static_cast<std::uint8_t>(half_));
}

void Server::read(const Rows& rows, std::size_t half) {
    const Opened& from = columns_.at(rows.column);
    files_.at(from.file).read(from.column, from.name, rows.first, rows.count, rows.type, shared_.data() + half * kHalf);
}

/// Objects open in the file would keep the library from closing it.
void Server::close(std::uint32_t file) {
    last_.reset(), ahead_.reset();
    std::erase_if(columns_, [&](const auto& column) { return column.second.file == file; });
    files_.erase(file);
}

void Server::read_ahead() {
    if (!last_) return;
    Rows next = *last_;
    last_.reset();
    const Column& column = columns_.at(next.column).column;
    next.first += next.count;
    next.count = std::min(next.count, column.rows - next.first);
    if (next.count == 0) return;
    try {
        read(next, 1 - half_);
        ahead_ = next;
    } catch (const Error&) {  // reported again when these rows are requested
    }
}

namespace {

/// Runs before main() of any program that links this file. Static objects of other files may not exist yet; nothing
/// here needs them.
__attribute__((constructor)) void serve_if_started_as_reader(int argc, char** argv, char**) {
    if (!ParentLink::is_child(kReaderRole, argc, argv)) return;
    ParentLink parent{kShared};
    Server server{parent.shared()};
    parent.confine();
    while (auto request = parent.receive()) {
        parent.send(server.answer(std::move(request->packet), std::move(request->descriptor)));
        server.read_ahead();
    }
    ::_exit(0);
}

}  // namespace
}  // namespace orrery::hdf5
