// SPDX-License-Identifier: MIT
#include "core/bodies/cuda/moment_store.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/pool.hpp"

namespace orrery::cuda {
namespace {

constexpr std::size_t kStage = std::size_t{1} << 18;  // bodies converted while the previous ones are copied
constexpr std::size_t kPart = 8192;                   // bodies per task

template <class Real>
MomentColumns<Real> columns(const DeviceBuffer<Vec4<Real>>& rows) {
    return {rows.data(), rows.data() + rows.size() / 2};
}

}  // namespace

template <class Real>
MomentStore<Real>::MomentStore() = default;
template <class Real>
MomentStore<Real>::~MomentStore() = default;

template <class Real>
std::optional<typename MomentStore<Real>::Ends> MomentStore<Real>::ends_of(const Interpolation& way,
                                                                           cudaStream_t stream) {
    const std::size_t count = way.from()->bodies.size();
    if (count != count_) {
        held_.clear();
        std::size_t free = 0, all = 0;
        check(cudaMemGetInfo(&free, &all), "free memory of the device");
        count_ = count, most_ = free / 2 / std::max<std::size_t>(2 * count * sizeof(Vec4<Real>), 1);
    }
    if (most_ < 2) return std::nullopt;
    const Held *to = find(way.to()), *from = find(way.from());
    if (!from) from = &bring(way.from(), to, stream);
    if (way.whole()) to = from;
    if (!to) to = &bring(way.to(), from, stream);
    return Ends{columns(from->rows), columns(to->rows)};
}

/// Moves the entry to the front. List elements keep their addresses.
template <class Real>
const typename MomentStore<Real>::Held* MomentStore<Real>::find(const Interpolation::Moment& moment) {
    const auto found = std::ranges::find_if(held_, [&](const Held& h) { return h.of.lock() == moment; });
    if (found == held_.end()) return nullptr;
    held_.splice(held_.begin(), held_, found);
    return &held_.front();
}

template <class Real>
const typename MomentStore<Real>::Held& MomentStore<Real>::bring(const Interpolation::Moment& moment,
                                                                 const Held* beside, cudaStream_t stream) {
    held_.push_front({moment, room_for(2 * moment->bodies.size(), beside)});
    upload(moment->bodies, held_.front().rows.data(), stream);
    return held_.front();
}

/// Reuses the memory of snapshots that the host has dropped, otherwise of the least recently used one.
template <class Real>
DeviceBuffer<Vec4<Real>> MomentStore<Real>::room_for(std::size_t rows, const Held* beside) {
    auto gone = std::ranges::find_if(held_, [](const Held& h) { return h.of.expired(); });
    if (gone == held_.end() && held_.size() >= most_) {
        gone = std::prev(held_.end());
        if (&*gone == beside) gone = std::prev(gone);
    }
    if (gone == held_.end()) return DeviceBuffer<Vec4<Real>>{rows};
    DeviceBuffer<Vec4<Real>> room = std::move(gone->rows);
    held_.erase(gone);
    return room;
}

template <class Real>
void MomentStore<Real>::upload(const Bodies& bodies, Vec4<Real>* d_rows, cudaStream_t stream) {
    if (!stages_) {
        stages_.emplace();
        for (Stage& stage : *stages_) stage.rows = PinnedBuffer<Vec4<Real>>{kStage};
        pool_ = std::make_unique<Pool>(0, true);
    }
    std::size_t turn = 0;
    const auto column = [&](const auto& rounded) {
        for (std::size_t first = 0; first < bodies.size(); first += kStage) {
            Stage& stage = (*stages_)[turn++ % stages_->size()];
            stage.copied.wait();
            const std::size_t count = std::min(kStage, bodies.size() - first);
            pool_->parallel_for(0, (count + kPart - 1) / kPart, [&](std::uint64_t part) {
                const std::size_t end = std::min(count, (part + 1) * kPart);
                for (std::size_t i = part * kPart; i < end; ++i) stage.rows.data()[i] = rounded(first + i);
            });
            check(cudaMemcpyAsync(d_rows + first, stage.rows.data(), count * sizeof(Vec4<Real>), cudaMemcpyHostToDevice,
                                  stream),
                  "copying a snapshot to the device");
            stage.copied.record(stream);
        }
        d_rows += bodies.size();
    };
    column([&](std::size_t i) { return convert<Real>(bodies.position_mass[i]); });
    column([&](std::size_t i) {
        const Vec3d& v = bodies.velocity[i];
        return convert<Real>(Vec4d{v.x, v.y, v.z, 0});
    });
}

template class MomentStore<float>;
template class MomentStore<double>;

}  // namespace orrery::cuda
