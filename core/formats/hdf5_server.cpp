// SPDX-License-Identifier: MIT
#include "core/formats/hdf5_server.hpp"

#include <unistd.h>

#include <new>

#include "core/base/child_process.hpp"
#include "core/base/error.hpp"

namespace orrery::hdf5 {
const char* const kReaderRole = "orrery-hdf5-reader";

Server::Server(std::span<std::byte> shared) : shared_{shared} { distrust_files(); }

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
        files_.emplace_back(request.take_text(), std::move(descriptor));
        return reply.put(static_cast<std::uint32_t>(files_.size() - 1));
    }
    const std::size_t index = request.take<std::uint32_t>();
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
        columns_.push_back({file.column(object, count, columns, request.take<H5T_class_t>()), object, index});
        return reply.put(static_cast<std::uint32_t>(columns_.size() - 1));
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
    files_[from.file].read(from.column, from.name, rows.first, rows.count, rows.type, shared_.data() + half * kHalf);
}

void Server::read_ahead() {
    if (!last_) return;
    Rows next = *last_;
    last_.reset();
    const Column& column = columns_[next.column].column;
    next.first += next.count;
    next.count = std::min(next.count, column.rows - next.first);
    if (next.count == 0) return;
    try {
        read(next, 1 - half_);
        ahead_ = next;
    } catch (const Error&) {  // said again when they are asked for
    }
}

namespace {

/// Runs before main(), which is that of any program. The static objects of other files may not exist yet; nothing here
/// needs them.
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
