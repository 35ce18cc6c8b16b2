// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace orrery {

class DeviceRanks;
class RankLeader;

/// The processes (MPI ranks) that compute one simulation together, numbered from 0 to count() − 1.
///
/// Unless noted, calls are collective: all ranks make them in the same order with the same sizes, and each waits for
/// the data that it needs. They throw Error{kEnvironment} if other ranks cannot be reached.
class Ranks {
public:
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    virtual int rank() const = 0;
    virtual int count() const = 0;
    bool first() const { return rank() == 0; }

    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
    /// Rank r contributes whole[ends[r − 1], ends[r]), where ends[−1] is 0; afterwards every rank has all of `whole`.
    virtual void gather(std::span<std::byte> whole, std::span<const std::size_t> ends) = 0;
    /// Broadcasts a few bytes from rank 0. The other ranks may wait long, and sleep meanwhile.
    virtual void announce(std::span<std::byte> bytes) { broadcast(bytes, 0); }
    // Point to point; messages arrive in the order sent.
    virtual void send(std::span<const std::byte> bytes, int to) = 0;
    virtual void receive(std::span<std::byte> bytes, int from) = 0;

    /// The value of rank 0.
    template <class T>
    T agreed(T value) {
        broadcast(std::as_writable_bytes(std::span{&value, 1}), 0);
        return value;
    }

    // Not collective: other ranks may be in other calls.
    /// Waits until all ranks call it, at most `seconds`. Returns whether they did.
    virtual bool all_arrive(double seconds) = 0;
    /// Aborts all ranks with this exit code and a line on stderr; does not return.
    virtual void end_all(int code, const std::string& why) = 0;

    std::shared_ptr<DeviceRanks> device;  ///< created by device_ranks()
    RankLeader* leader = nullptr;         ///< set on rank 0 while the other ranks follow it
    bool own_bodies = false;  ///< body systems hold only the bodies of each rank's domain, see make_owned_system()
    bool in_place = false;    ///< the bodies given to them are on the ranks that own them, in order, from a checkpoint
};

/// The range [first, last).
struct RankPart {
    std::uint64_t first = 0, last = 0;
    std::uint64_t count() const { return last - first; }
    friend bool operator==(const RankPart&, const RankPart&) = default;
};

/// This rank's part of `count` items: consecutive, and equal in size to within one.
inline RankPart part_of(std::uint64_t count, std::uint64_t rank, std::uint64_t ranks) {
    const auto begin = [&](std::uint64_t r) { return count / ranks * r + count % ranks * r / ranks; };
    return {begin(rank), begin(rank + 1)};
}
/// Null: a single rank, which has all items.
inline RankPart part_of(std::uint64_t count, const Ranks* ranks) {
    if (!ranks) return {0, count};
    return part_of(count, static_cast<std::uint64_t>(ranks->rank()), static_cast<std::uint64_t>(ranks->count()));
}

/// Ends of all ranks' parts, in elements, if each item has `each` elements (the last may have fewer).
inline std::vector<std::size_t> ends_of_parts(const Ranks& ranks, std::uint64_t things, std::size_t each,
                                              std::size_t elements) {
    const auto all = static_cast<std::uint64_t>(ranks.count());
    std::vector<std::size_t> ends;
    for (std::uint64_t r = 0; r < all; ++r)
        ends.push_back(std::min<std::size_t>(elements, part_of(things, r, all).last * each));
    return ends;
}

/// Ranks::gather() of `whole`; rank r contributes the elements up to end_of(r).
template <class T, class EndOf>
void gather(Ranks& ranks, std::span<T> whole, const EndOf& end_of) {
    std::vector<std::size_t> ends;
    for (int r = 0; r < ranks.count(); ++r) ends.push_back(end_of(r) * sizeof(T));
    ranks.gather(std::as_writable_bytes(whole), ends);
}

/// Same for items of `each` elements (the last may have fewer) that are divided by part_of().
template <class T>
void gather_parts(Ranks& ranks, std::span<T> whole, std::uint64_t things, std::size_t each) {
    const std::vector<std::size_t> ends = ends_of_parts(ranks, things, each, whole.size());
    gather(ranks, whole, [&](int r) { return ends[static_cast<std::size_t>(r)]; });
}

/// Sums over ranks in the order of ranks, so that the result is bitwise that of a single rank that adds all terms in
/// this order. `add(first, last)` adds this rank's terms to totals[first, last), which hold the sums of the previous
/// ranks, or zeros. `totals` is processed in pieces, multiples of `unit` except the last, as a pipeline: while one rank
/// adds to a piece, the next adds to the piece before. Afterwards every rank has the totals.
template <class T, class Add>
void sum_in_order(Ranks& ranks, std::span<T> totals, std::size_t unit, const Add& add) {
    constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes
    const std::size_t step = std::max<std::size_t>(1, kPiece / sizeof(T) / unit) * unit;
    const int rank = ranks.rank(), last = ranks.count() - 1;
    for (std::size_t first = 0; first < totals.size(); first += step) {
        const std::span<T> piece = totals.subspan(first, std::min(step, totals.size() - first));
        if (rank > 0)
            ranks.receive(std::as_writable_bytes(piece), rank - 1);
        else
            std::ranges::fill(piece, T{});
        add(first, first + piece.size());
        if (rank < last) ranks.send(std::as_bytes(piece), rank + 1);
    }
    ranks.broadcast(std::as_writable_bytes(totals), last);
}

/// Throws on all ranks if any rank has an error: that of the first such rank. Collective.
void throw_on_all(Ranks& ranks, const std::optional<Error>& own);

/// Calls work(); if it throws an Error on any rank, all ranks throw the same one. `work` is not collective, or throws
/// on all ranks. Collective.
template <class Work>
void on_all(Ranks& ranks, const Work& work) {
    std::optional<Error> refused;
    try {
        work();
    } catch (const Error& error) {
        refused = error;
    }
    throw_on_all(ranks, refused);
}

}  // namespace orrery
