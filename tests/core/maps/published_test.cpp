// SPDX-License-Identifier: MIT
// How far the published forms are exact on this machine, against the table of the sources and that of docs/maps.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/maps/maps.hpp"
#include "core/maps/published.hpp"

namespace orrery::testing {
namespace {

constexpr std::uint32_t kScanned = 1u << 20;

std::string maps_page() {
    std::ifstream file{ORRERY_MAPS_PAGE};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A line of the table in docs/maps.md begins like this.
std::string line_of_table(std::string_view map, std::string_view root, std::uint32_t first_wrong) {
    const std::string row = first_wrong == kScanned ? "none below 1048576" : fmt::format("{}", first_wrong);
    return fmt::format("| `{}` | `{}` | {} | ", map, root, row);
}

template <class Map>
void expect_measured() {
    const std::uint32_t first_wrong = first_wrong_row(Map{}, kScanned);
    fmt::print("{} with {}: first wrong row {}\n", Map::name, Map::root, first_wrong);
    EXPECT_EQ(exact_rows(map(Map::name).map, root(Map::root).root), first_wrong) << Map::name << ' ' << Map::root;
    const std::string line = line_of_table(Map::name, Map::root, first_wrong);
    EXPECT_NE(maps_page().find(line), std::string::npos) << "docs/maps.md should say " << line;
    // Row edges are where a root errs first: no tile inside the rows before is wrong.
    for (std::uint32_t row = 0; row < std::min(first_wrong, 5000u); ++row)
        for (std::uint32_t col = 0; col <= row; ++col)
            ASSERT_EQ(Map{}(Block{triangular(row) + col, 0}, first_wrong), (Tile{row, col})) << Map::name;
}

TEST(Published, ExactRowsAreThoseMeasured) {
    expect_measured<LambdaPublished<SqrtRoot>>();
    expect_measured<LambdaPublished<NewtonRoot>>();
    expect_measured<LambdaPublished<RsqrtRoot>>();
    expect_measured<LambdaPublished<Fp64Root>>();
    expect_measured<LambdaOffset<SqrtRoot>>();
    expect_measured<LambdaOffset<NewtonRoot>>();
    expect_measured<LambdaOffset<RsqrtRoot>>();
    expect_measured<LambdaOffset<Fp64Root>>();
}

TEST(Published, OursHasNoWrongRow) {
    EXPECT_EQ(first_wrong_row(Lambda<RsqrtRoot>{}, kScanned), kScanned);
    EXPECT_EQ(first_wrong_row(Lambda<NewtonRoot>{}, kScanned), kScanned);
}

/// Does the thread-space form place the first and the last pair of every row?
template <Root R>
bool utm_places_edges(std::int64_t n) {
    std::int64_t k = 0;
    for (std::int64_t a = 1; a < n; k += n - a, ++a)
        if (utm_published<R>(k, n) != ThreadPair{a, a + 1} || utm_published<R>(k + n - a - 1, n) != ThreadPair{a, n})
            return false;
    return true;
}

template <Root R>
bool utm_places_all(std::int64_t n) {
    std::int64_t k = 0;
    for (std::int64_t a = 1; a < n; ++a)
        for (std::int64_t b = a + 1; b <= n; ++b)
            if (utm_published<R>(k++, n) != ThreadPair{a, b}) return false;
    return true;
}

template <Root R>
void expect_utm_measured(std::int64_t wanted, std::int64_t limit) {
    std::int64_t first_wrong = 2;
    while (first_wrong < limit && utm_places_edges<R>(first_wrong)) ++first_wrong;
    fmt::print("utm in thread space with {}: first wrong n {}\n", R::name, first_wrong);
    EXPECT_EQ(first_wrong, wanted) << R::name;
    EXPECT_TRUE(utm_places_all<R>(first_wrong - 1)) << R::name;
    const std::string said = first_wrong == limit ? "none seen" : fmt::format("{}", first_wrong);
    const std::string line = fmt::format("| `utm` in thread space | `{}` | {} | ", R::name, said);
    EXPECT_NE(maps_page().find(line), std::string::npos) << "docs/maps.md should say " << line;
}

TEST(Published, UtmInThreadSpaceEndsWhereMeasured) {
    expect_utm_measured<SqrtRoot>(5794, 6000);
    expect_utm_measured<NewtonRoot>(5794, 6000);
    expect_utm_measured<RsqrtRoot>(5794, 6000);
    expect_utm_measured<Fp64Root>(6000, 6000);
    EXPECT_TRUE(utm_places_edges<Fp64Root>(30720));
    EXPECT_TRUE(utm_places_edges<Fp64Root>(1 << 20));
}

}  // namespace
}  // namespace orrery::testing
