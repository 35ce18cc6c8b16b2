// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

std::string grouped(std::int64_t number);                         ///< "1 048 576"
std::string counted(std::uint64_t number, std::string_view one);  ///< "1 frame", "2 048 frames"
std::string bodies_text(std::size_t number);                      ///< "1 body", "2 048 bodies"
std::string short_number(double number);                          ///< three digits and k, M, G, T: "4.21 G"
std::string rate_text(double per_second);                         ///< the same; "–" if unknown
/// "4.21 G pairs/s"; "–" if unknown.
std::string rate_text(double per_second, std::string_view what);
std::string milliseconds_text(double seconds);  ///< "12.3 ms", "4.56 s"
std::string film_time_text(double seconds);     ///< "0.3 s", "2:05 min"
std::string film_clock_text(double seconds);    ///< "0:07", "62:05": minutes and whole seconds, rounded down
/// "3, sharing the forces"; `shared`: the engine shares its work.
std::string ranks_text(int ranks, bool shared);
/// "4.6 s, 15 steps": the age of a state.
std::string age_text(std::chrono::steady_clock::time_point then, std::int64_t steps);

}  // namespace orrery
