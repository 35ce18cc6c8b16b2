// SPDX-License-Identifier: MIT
// The exact ranges of the published maps on this machine, against the table in the code and that of docs/maps.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <type_traits>

#include "core/lab/exactness.hpp"
#include "core/maps/maps.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

constexpr std::uint32_t kScanned = 1u << 20;

std::string maps_page() {
    std::ifstream file{ORRERY_MAPS_PAGE};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The beginning of a line of the table in docs/maps.md.
std::string line_of_table(std::string_view map, std::string_view root, std::uint32_t first_wrong, std::uint32_t limit) {
    const std::string row = first_wrong == limit ? fmt::format("none below {}", limit) : fmt::format("{}", first_wrong);
    return fmt::format("| `{}` | `{}` | {} | ", map, root, row);
}

TEST(Published, ExactRowsMatchMeasurement) {
    for (const char* form : {"lambda-published", "lambda-offset"})
        for (const RootEntry& root : roots()) {
            const AnyMap any{map(form).map, root.root};
            const std::uint32_t first_wrong = first_wrong_row(any, kScanned, Backend::kCpu);
            EXPECT_EQ(exact_rows(map(form), root.root, Backend::kCpu), first_wrong) << form << ' ' << root.id;
            const std::string line = line_of_table(form, root.id, first_wrong, kScanned);
            EXPECT_NE(maps_page().find(line), std::string::npos) << "docs/maps.md should say " << line;
            // Roots err first at the edges of rows: no tile inside the rows before is wrong.
            for (std::uint32_t row = 0; row < std::min(first_wrong, everyday(2000u, 5000u)); ++row)
                for (std::uint32_t col = 0; col <= row; ++col)
                    ASSERT_EQ(any(Block{triangular(row) + col, 0}, first_wrong), (Tile{row, col})) << form;
        }
}

TEST(Published, CorrectedLambdaHasNoWrongRow) {
    for (const RootEntry& root : roots())
        EXPECT_EQ(first_wrong_row({map_id<Rooted<Lambda>>, root.root}, kScanned, Backend::kCpu), kScanned) << root.id;
}

/// Measured on an H200; the limits of CUDA engines must match the documentation.
TEST(Published, DocumentationHasTheRangesOfTheDevice) {
    for (const char* form : {"lambda-published", "lambda-offset"}) {
        std::string line = fmt::format("| `{}` |", form);
        for (const RootEntry& root : roots()) {
            const std::uint32_t rows = exact_rows(map(form), root.root, Backend::kCuda);
            line += rows == kScanned ? fmt::format(" none below {} |", kScanned) : fmt::format(" {} |", rows);
        }
        EXPECT_NE(maps_page().find(line), std::string::npos) << "docs/maps.md should say " << line;
    }
}

bool utm_places_edges(RootId root, std::int64_t n) {
    for (std::int64_t a = 1; a < n; ++a)
        if (!utm_places_row(root, a, n)) return false;
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
void expect_utm_measured(std::uint32_t wanted, std::uint32_t limit, std::uint32_t limit_on_page) {
    const RootEntry& entry = root(R::name);
    const std::uint32_t first_wrong = first_wrong_utm(entry.root, limit, Backend::kCpu);
    EXPECT_EQ(first_wrong, wanted) << R::name;
    if (runs_long() || std::is_same_v<R, SqrtRoot>) {
        EXPECT_TRUE(utm_places_all<R>(first_wrong - 1)) << R::name;
    }
    const std::uint32_t said = first_wrong == limit ? limit_on_page : first_wrong;
    const std::string line = line_of_table("utm in thread space", R::name, said, limit_on_page);
    EXPECT_NE(maps_page().find(line), std::string::npos) << "docs/maps.md should say " << line;
}

TEST(Published, UtmInThreadSpaceHasTheMeasuredLimits) {
    // The documentation has the results of the laboratory, which checks n up to 32768 and takes longer.
    expect_utm_measured<SqrtRoot>(5794, 6000, 32768);
    expect_utm_measured<NewtonRoot>(5794, 6000, 32768);
    expect_utm_measured<RsqrtRoot>(5794, 6000, 32768);
    expect_utm_measured<Fp64Root>(6000, 6000, 32768);
    EXPECT_TRUE(utm_places_edges(root_id<Fp64Root>, 30720));
    EXPECT_TRUE(utm_places_edges(root_id<Fp64Root>, 1 << 20));
}

/// A root whose error moves the row by kRows.
template <int kRows>
struct WrongRoot {
    using Real = double;
    static constexpr std::string_view name = "wrong";
    double operator()(double x) const { return std::sqrt(x) + 2 * kRows; }
    float operator()(float x) const { return std::sqrt(x) + 2 * kRows; }
};

TEST(Published, UtmInThreadSpaceCorrectsOffByOneRows) {
    for (std::int64_t n = 2; n <= 60; ++n) {
        EXPECT_TRUE(utm_places_all<WrongRoot<0>>(n)) << n;
        EXPECT_TRUE(utm_places_all<WrongRoot<1>>(n)) << n;
        EXPECT_TRUE(utm_places_all<WrongRoot<-1>>(n)) << n;
    }
    EXPECT_FALSE(utm_places_all<WrongRoot<2>>(60));
}

}  // namespace
}  // namespace orrery::test
