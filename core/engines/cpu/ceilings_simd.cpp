// SPDX-License-Identifier: MIT
// The highest rates of the CPU, by loops that Highway compiles once per instruction set and dispatches at run time.
#include <algorithm>
#include <barrier>
#include <cstddef>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include "core/base/clock.hpp"
#include "core/engines/ceilings.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/ceilings_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/inverse_cube-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values of chains must differ, or the compiler computes equal ones once.
template <class D>
HWY_INLINE hn::Vec<D> start(D d, int chain) {
    return hn::Set(d, static_cast<hn::TFromD<D>>(1.1 + 0.1 * chain));
}

// Each loop returns a value that depends on all of its work, so that the compiler keeps it. Twelve independent chains
// cover the latency of two pipes and fit into 16 registers.

/// `kMix`: three of the twelve chains are additions.
template <class Real, bool kMix>
Real fma_loop(std::size_t times) {
    const hn::ScalableTag<Real> d;
    const auto factor = hn::Set(d, Real(0.999)), term = hn::Set(d, Real(1e-3));
    auto a = start(d, 0), b = start(d, 1), c = start(d, 2), e = start(d, 3), f = start(d, 4), g = start(d, 5),
         h = start(d, 6), i = start(d, 7), j = start(d, 8), k = start(d, 9), l = start(d, 10), m = start(d, 11);
    for (std::size_t n = 0; n < times; ++n) {
        if constexpr (kMix)
            a = hn::Add(a, term), b = hn::Add(b, term), c = hn::Add(c, term);
        else
            a = hn::MulAdd(a, factor, term), b = hn::MulAdd(b, factor, term), c = hn::MulAdd(c, factor, term);
        e = hn::MulAdd(e, factor, term), f = hn::MulAdd(f, factor, term), g = hn::MulAdd(g, factor, term);
        h = hn::MulAdd(h, factor, term), i = hn::MulAdd(i, factor, term), j = hn::MulAdd(j, factor, term);
        k = hn::MulAdd(k, factor, term), l = hn::MulAdd(l, factor, term), m = hn::MulAdd(m, factor, term);
    }
    a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
    return hn::GetLane(hn::Add(a, hn::Add(hn::Add(j, k), hn::Add(l, m))));
}

template <class Real>
Real rsqrt_loop(std::size_t times) {
    const hn::ScalableTag<Real> d;
    using Cube = InverseCube<hn::ScalableTag<Real>>;
    auto a = start(d, 0), b = start(d, 1), c = start(d, 2), e = start(d, 3), f = start(d, 4), g = start(d, 5),
         h = start(d, 6), i = start(d, 7), j = start(d, 8), k = start(d, 9), l = start(d, 10), m = start(d, 11);
    for (std::size_t n = 0; n < times; ++n) {
        a = Cube::root(d, a), b = Cube::root(d, b), c = Cube::root(d, c), e = Cube::root(d, e);
        f = Cube::root(d, f), g = Cube::root(d, g), h = Cube::root(d, h), i = Cube::root(d, i);
        j = Cube::root(d, j), k = Cube::root(d, k), l = Cube::root(d, l), m = Cube::root(d, m);
    }
    a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
    return hn::GetLane(hn::Add(a, hn::Add(hn::Add(j, k), hn::Add(l, m))));
}

float read_loop(std::span<const float> memory) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    auto a = hn::Zero(d), b = a, c = a, e = a;
    for (std::size_t n = 0; n + 4 * lanes <= memory.size(); n += 4 * lanes) {
        a = hn::Add(a, hn::LoadU(d, &memory[n])), b = hn::Add(b, hn::LoadU(d, &memory[n + lanes]));
        c = hn::Add(c, hn::LoadU(d, &memory[n + 2 * lanes])), e = hn::Add(e, hn::LoadU(d, &memory[n + 3 * lanes]));
    }
    return hn::GetLane(hn::Add(hn::Add(a, b), hn::Add(c, e)));
}

float fma_float(std::size_t times) { return fma_loop<float, false>(times); }
double fma_double(std::size_t times) { return fma_loop<double, false>(times); }
float mix_float(std::size_t times) { return fma_loop<float, true>(times); }
double mix_double(std::size_t times) { return fma_loop<double, true>(times); }
float rsqrt_float(std::size_t times) { return rsqrt_loop<float>(times); }
double rsqrt_double(std::size_t times) { return rsqrt_loop<double>(times); }
std::size_t lanes_of_float() { return hn::Lanes(hn::ScalableTag<float>()); }

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(fma_float);
HWY_EXPORT(fma_double);
HWY_EXPORT(mix_float);
HWY_EXPORT(mix_double);
HWY_EXPORT(rsqrt_float);
HWY_EXPORT(rsqrt_double);
HWY_EXPORT(read_loop);
HWY_EXPORT(lanes_of_float);

namespace {

constexpr double kChains = 12, kTooShort = 0.002;      // kTooShort: seconds
constexpr double kEnough = 0.1;                        // seconds after which no more than kLeastTries follow
constexpr int kLeastTries = 8, kTries = 32;            // other programs disturb many of them
constexpr std::size_t kMemory = std::size_t{1} << 26;  // floats of all threads together, more than caches hold

/// Smallest of several times in seconds from the first start of work() to its last end on as many threads, after
/// `prepare` on each of them.
template <class Prepare, class Work>
double time_of_all(int threads, const Prepare& prepare, const Work& work) {
    struct Span {
        double start[kTries], end[kTries];
    };
    std::vector<Span> spans(static_cast<std::size_t>(threads));
    const TimeTaken clock;
    int tries = 0;
    bool over = false;
    std::barrier together{threads, [&]() noexcept {
                              over = tries == kTries || (tries >= kLeastTries && clock.seconds() > kEnough);
                              if (!over) ++tries;
                          }};
    {
        std::vector<std::jthread> workers;
        for (Span& span : spans)
            workers.emplace_back([&] {
                auto own = prepare();
                for (int t = 0;; ++t) {
                    together.arrive_and_wait();
                    if (over) break;
                    span.start[t] = clock.seconds();
                    work(own);
                    span.end[t] = clock.seconds();
                }
            });
    }
    double least = std::numeric_limits<double>::max();
    for (int t = 0; t < tries; ++t) {
        double start = spans[0].start[t], end = spans[0].end[t];
        for (const Span& span : spans) start = std::min(start, span.start[t]), end = std::max(end, span.end[t]);
        least = std::min(least, end - start);
    }
    return least;
}

/// Calls of loop(1) per second on all threads.
template <class Loop>
double loops_per_second(int threads, const Loop& loop) {
    volatile double kept = 0;
    std::size_t times = 1000;
    for (;; times *= 2) {
        const TimeTaken clock;
        kept = static_cast<double>(loop(times));
        if (clock.seconds() > kTooShort) break;
    }
    const double seconds = time_of_all(
        threads, [] { return 0.0; }, [&](double& result) { result += static_cast<double>(loop(times)); });
    (void)kept;
    return static_cast<double>(threads) * static_cast<double>(times) / seconds;
}

}  // namespace

template <class Real>
Ceilings measure_cpu_ceilings(int threads) {
    const auto lanes = static_cast<double>(HWY_DYNAMIC_DISPATCH(lanes_of_float)() * sizeof(float) / sizeof(Real));
    Ceilings found;
    if constexpr (sizeof(Real) == sizeof(float)) {
        found.fma = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(fma_float)(n); });
        found.mix = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(mix_float)(n); });
        found.rsqrt = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(rsqrt_float)(n); });
    } else {
        found.fma = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(fma_double)(n); });
        found.mix = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(mix_double)(n); });
        found.rsqrt = loops_per_second(threads, [](std::size_t n) { return HWY_DYNAMIC_DISPATCH(rsqrt_double)(n); });
    }
    found.fma *= kChains * lanes, found.mix *= kChains * lanes, found.rsqrt *= kChains * lanes;
    struct Part {
        std::vector<float> memory;
        volatile float sum = 0;
        explicit Part(std::size_t size) : memory(size) {}
    };
    const std::size_t each = kMemory / static_cast<std::size_t>(threads);
    const double seconds = time_of_all(
        threads, [each] { return Part{each}; },
        [](Part& part) { part.sum = HWY_DYNAMIC_DISPATCH(read_loop)(part.memory); });
    found.bytes = static_cast<double>(each * static_cast<std::size_t>(threads) * sizeof(float)) / seconds;
    return found;
}
template Ceilings measure_cpu_ceilings<float>(int threads);
template Ceilings measure_cpu_ceilings<double>(int threads);

}  // namespace orrery
#endif
