// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "core/base/error.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {

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
