// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/copies.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace orrery::cuda {
namespace {

constexpr std::size_t kStop = 4 << 20;  // bytes per transfer to the host
constexpr std::size_t kShare = 8;       // a copy may use this fraction of the free memory

}  // namespace

class CopyStore::Kept final : public BodyCopy {
public:
    Kept(std::shared_ptr<CopyStore> store, DeviceBuffer<std::byte> memory, const State& state, cudaStream_t stream)
        : store_{std::move(store)}, memory_{std::move(memory)}, precision_{state.precision}, count_{state.count} {
        std::byte* to = memory_.data();
        for (const void* column : state.d_columns) {
            check(cudaMemcpyAsync(to, column, state.column_bytes, cudaMemcpyDeviceToDevice, stream),
                  "copying a state on the device");
            to += state.column_bytes;
        }
        bytes_ = state.d_columns.size() * state.column_bytes;
        ready_.record(stream);
    }
    ~Kept() override {
        cudaEventSynchronize(ready_.get());  // the copy may still be running if no caller has fetched it
        store_->give_back(std::move(memory_));
    }

    BodyState state() const override {
        BodyState state{.precision = precision_, .count = count_, .bytes = std::vector<std::byte>(bytes_)};
        store_->fetch(memory_, ready_, state.bytes);
        return state;
    }
    bool at_hand() const override { return false; }

private:
    std::shared_ptr<CopyStore> store_;
    DeviceBuffer<std::byte> memory_;
    Precision precision_;
    std::size_t count_, bytes_ = 0;
    Event ready_;
};

std::shared_ptr<const BodyCopy> CopyStore::keep(const State& state, cudaStream_t stream) {
    DeviceBuffer<std::byte> memory = take(state.d_columns.size() * state.column_bytes);
    if (memory.size() == 0) return nullptr;
    return std::make_shared<Kept>(shared_from_this(), std::move(memory), state, stream);
}

DeviceBuffer<std::byte> CopyStore::take(std::size_t bytes) {
    const std::lock_guard lock{spare_mutex_};
    if (spare_.size() == bytes) return std::exchange(spare_, {});
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "querying free memory");
    if (bytes > free / kShare) return {};
    return DeviceBuffer<std::byte>{bytes};
}

void CopyStore::give_back(DeviceBuffer<std::byte> memory) noexcept {
    const std::lock_guard lock{spare_mutex_};
    spare_ = std::move(memory);
}

/// Alternates between two staging buffers: one is filled while the other is emptied.
void CopyStore::fetch(const DeviceBuffer<std::byte>& from, const Event& ready, std::span<std::byte> to) {
    const std::lock_guard lock{way_mutex_};
    if (!way_) {
        Way way;
        for (auto& stop : way.stops) stop = PinnedBuffer<std::byte>{kStop};
        way_ = std::move(way);
    }
    const cudaStream_t stream = way_->stream.get();
    ready.hold_up(stream);
    const auto length = [&](std::size_t at) { return std::min(kStop, to.size() - at); };
    const auto send = [&](std::size_t at, std::size_t stop) {
        check(cudaMemcpyAsync(way_->stops[stop].data(), from.data() + at, length(at), cudaMemcpyDeviceToHost, stream),
              "copying a state to the host");
        way_->arrived[stop].record(stream);
    };
    if (!to.empty()) send(0, 0);
    for (std::size_t at = 0, stop = 0; at < to.size(); at += kStop, stop = 1 - stop) {
        if (at + kStop < to.size()) send(at + kStop, 1 - stop);
        way_->arrived[stop].wait();
        std::memcpy(to.data() + at, way_->stops[stop].data(), length(at));
    }
}

}  // namespace orrery::cuda
