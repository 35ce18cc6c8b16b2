// SPDX-License-Identifier: MIT
#pragma once
#include <cuda/atomic>

#include "core/base/hd.hpp"

namespace orrery::cuda {

/// The atomic operations required by tree.hpp, among all threads of the device. A load that sees another thread's store
/// also sees everything that thread wrote before.
struct DeviceAtomic {
    template <class T>
    using Ref = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;

    template <class T>
    ORRERY_HD static T load(T& place) {
        return Ref<T>{place}.load(::cuda::memory_order_acquire);
    }
    template <class T>
    ORRERY_HD static void store(T& place, T value) {
        Ref<T>{place}.store(value, ::cuda::memory_order_release);
    }
    template <class T>
    ORRERY_HD static bool exchange_if(T& place, T expected, T wanted) {
        return Ref<T>{place}.compare_exchange_strong(expected, wanted, ::cuda::memory_order_acquire,
                                                     ::cuda::memory_order_relaxed);
    }
    /// Returns the previous value.
    template <class T>
    ORRERY_HD static T add(T& place, T more) {
        return Ref<T>{place}.fetch_add(more, ::cuda::memory_order_relaxed);
    }
};

}  // namespace orrery::cuda
