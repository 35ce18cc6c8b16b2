// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>

namespace orrery {

/// Lock-free, one writer and one reader: the writer always has a slot to fill, and the reader keeps the newest complete
/// one for as long as it needs.
template <class T>
class TripleBuffer {
public:
    T& back() { return slots_[back_]; }  ///< writer: the slot to fill
    void publish() { back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex; }  ///< writer

    /// Writer: true if the reader has taken the last published slot.
    bool taken() const { return !(middle_.load(std::memory_order_relaxed) & kFresh); }

    /// Reader: takes the newest slot if it is new. Returns whether it was.
    bool update() {
        if (!(middle_.load(std::memory_order_relaxed) & kFresh)) return false;
        front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
        return true;
    }
    const T& front() const { return slots_[front_]; }  ///< reader: the current slot

private:
    static constexpr unsigned kFresh = 4, kIndex = 3;
    std::array<T, 3> slots_;
    unsigned back_ = 0, front_ = 1;
    std::atomic<unsigned> middle_ = 2;
};

}  // namespace orrery
