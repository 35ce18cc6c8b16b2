// SPDX-License-Identifier: MIT
// Dual tree traversal in double, compiled by Highway once per instruction set and dispatched at run time. Each
// precision has a separate unit: one for both would take minutes to compile.
#include "core/engines/cpu/fmm/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engines/cpu/fmm/interactions_double.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engines/cpu/fmm/interactions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {

FmmCounts traverse(const FmmView<double>& view, FmmScratch<double>& scratch, FmmPair pair,
                   const std::vector<bool>* blocks, std::vector<FmmPair>* left) {
    return run_traversal(view, scratch, pair, blocks, left);
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(traverse);

FmmCounts interact(const FmmView<double>& view, FmmPair pair, FmmScratch<double>& scratch) {
    return HWY_DYNAMIC_DISPATCH(traverse)(view, scratch, pair, nullptr, nullptr);
}
FmmCounts interact_down_to(const FmmView<double>& view, const std::vector<bool>& blocks, std::vector<FmmPair>& left,
                           FmmScratch<double>& scratch) {
    return HWY_DYNAMIC_DISPATCH(traverse)(view, scratch, {0, 0}, &blocks, &left);
}

}  // namespace orrery
#endif
