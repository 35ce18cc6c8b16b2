// SPDX-License-Identifier: MIT
// The printed arithmetic of the maps: every equation holds, and it ends at the tile of the map.
#include "core/maps/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "tests/core/maps/map_cases.hpp"

namespace orrery::test {
namespace {

/// Evaluates what explain.cpp prints: + − · / mod ⌊ ⌋ √ ½ ¼ and parentheses.
class Calculator {
public:
    explicit Calculator(std::string_view text) : rest_{text} {}
    /// Empty for a text with names.
    std::optional<double> value() {
        const double sum = parse_sum();
        skip();
        return good_ && rest_.empty() ? std::optional{sum} : std::nullopt;
    }

private:
    void skip() {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    }
    bool take(std::string_view token) {
        skip();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    double parse_sum() {
        double sum = parse_product();
        while (good_) {
            if (take("+"))
                sum += parse_product();
            else if (take("−"))
                sum -= parse_product();
            else
                break;
        }
        return sum;
    }
    double parse_product() {
        double product = parse_factor();
        while (good_) {
            if (take("·"))
                product *= parse_factor();
            else if (take("/"))
                product /= parse_factor();
            else if (take("mod"))
                product = std::fmod(product, parse_factor());
            else
                break;
        }
        return product;
    }
    double closed(std::string_view end) {
        const double inner = parse_sum();
        good_ &= take(end);
        return inner;
    }
    double parse_factor() {
        if (take("⌊")) return std::floor(closed("⌋"));
        if (take("(")) return closed(")");
        if (take("√")) return std::sqrt(parse_factor());
        if (take("½")) return 0.5;
        if (take("¼")) return 0.25;
        const std::string digits{rest_.substr(0, rest_.find_first_not_of("0123456789."))};
        rest_.remove_prefix(digits.size());
        good_ &= !digits.empty();
        return std::strtod(digits.c_str(), nullptr);
    }

    std::string_view rest_;
    bool good_ = true;
};

bool related(double a, std::string_view relation, double b) {
    if (relation == "=") return a == b;
    if (relation == "<") return a < b;
    if (relation == ">") return a > b;
    return relation == "≤" ? a <= b : a >= b;
}

/// Checks all relations between numbers in a line. Returns how many there were.
int checked_relations(const std::string& line) {
    int relations = 0;
    std::optional<double> last;
    std::string relation;
    for (std::size_t from = 0; from <= line.size();) {
        std::size_t end = line.size() + 1;
        std::string next;
        for (const char* each : {"=", "<", ">", "≤", "≥"})
            if (const std::size_t at = line.find(' ' + std::string{each} + ' ', from); at < end) end = at, next = each;
        const std::string_view side = std::string_view{line}.substr(from, end - from);
        const std::optional<double> value = Calculator{side}.value();
        if (last && value) {
            ++relations;
            EXPECT_TRUE(related(*last, relation, *value)) << line;
        }
        last = value;
        relation = next;
        from = end + next.size() + 2;
    }
    return relations;
}

/// The last number of the lines that begin with "row = ", "col = ", "i = " …
std::map<std::string, std::uint32_t> results(const std::vector<std::string>& lines) {
    std::map<std::string, std::uint32_t> found;
    for (const std::string& line : lines)
        for (const char* name : {"row", "col", "i", "j", "k"})
            if (line.starts_with(std::string{name} + " = "))
                found[name] = static_cast<std::uint32_t>(std::stoul(line.substr(line.rfind("= ") + 2)));
    return found;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "; ";
    return text;
}

class EveryMapExplained : public testing::TestWithParam<CaseOf<MapEntry>> {};

TEST_P(EveryMapExplained, PrintsTrueEquationsThatEndAtTheTileOfTheMap) {
    const auto& [map, root] = GetParam();
    for (const std::uint32_t m : {1u, 2u, 3u, 5u, 8u, 13u, 16u, 21u, 64u}) {
        const MapPlan all = plan(map->id, root->id, m);
        for (std::uint64_t index = 0; index < all.launched(); ++index) {
            const Block block = block_at(all.grid(), index);
            const std::vector<std::string> lines = worked_out(*map, *root, block, m);
            SCOPED_TRACE(std::to_string(m) + ": " + joined(lines));
            for (const std::string& line : lines) checked_relations(line);
            auto found = results(lines);
            if (all.useful(block)) {
                ASSERT_TRUE(found.contains("row") && found.contains("col"));
                ASSERT_EQ((Tile{found["row"], found["col"]}), all.tile(block));
            } else {
                const bool outside = found.contains("row") && found["row"] >= m;
                ASSERT_TRUE(outside || !found.contains("row")) << "an idle block has no tile";
            }
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST_P(EveryMapExplained, HasNameFormulaAndSource) {
    const MapEntry& note = *GetParam().map;
    EXPECT_TRUE(note.title.ends_with(" (" + std::string{note.id} + ")")) << note.title;
    EXPECT_FALSE(note.formula.empty());
    EXPECT_FALSE(note.source.empty());
    EXPECT_TRUE(GetParam().root->title.ends_with(" (" + std::string{GetParam().root->id} + ")"));
}

std::vector<CaseOf<MapEntry>> all_maps() {
    auto cases = every_case(maps());
    for (const MapEntry& entry : study_maps()) add_cases(cases, entry);
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Maps, EveryMapExplained, testing::ValuesIn(all_maps()), map_case_name<MapEntry>);

class EveryMap3Explained : public testing::TestWithParam<CaseOf<Map3Entry>> {};

TEST_P(EveryMap3Explained, PrintsTrueEquationsThatEndAtTheTripleOfTheMap) {
    const auto& [map, root] = GetParam();
    for (const std::uint32_t m : {1u, 2u, 3u, 6u, 8u, 12u}) {
        const AnyMap3 any{map->map, root->root};
        const Grid3 grid = any.grid(m);
        for (std::uint64_t index = 0; index < grid.count(); ++index) {
            const Block3 block = block_at(grid, index);
            const TileTriple triple = any(block, m);
            const std::vector<std::string> lines = worked_out(*map, *root, block, m);
            SCOPED_TRACE(std::to_string(m) + ": " + joined(lines));
            for (const std::string& line : lines) checked_relations(line);
            auto found = results(lines);
            if (useful(triple, m)) {
                ASSERT_TRUE(found.contains("i") && found.contains("j") && found.contains("k"));
                ASSERT_EQ((TileTriple{found["i"], found["j"], found["k"]}), triple);
            } else {
                ASSERT_FALSE(found.contains("i")) << "an idle block has no triple";
            }
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_TRUE(map->title.ends_with(" (" + std::string{map->id} + ")"));
}
INSTANTIATE_TEST_SUITE_P(Maps, EveryMap3Explained, testing::ValuesIn(every_case(simplex3_maps())),
                         map_case_name<Map3Entry>);

TEST(MapExplained, ShowsTheLessonOfLambda) {
    const auto lines = worked_out(map("lambda"), root("sqrt"), {53, 0}, 16);
    EXPECT_EQ(joined(lines), "ω = 53; row = ⌊√(2·53 + ¼) − ½⌋ = 9; col = 53 − 9·10/2 = 8; sqrt: √106.25 ≈ 10.30776; ");
    EXPECT_EQ(joined(worked_out(map("bb"), root("sqrt"), {5, 3}, 16)), "5 > 3; ");
}

TEST(MapExplained, CalculatorRejectsWrongEquations) {
    EXPECT_EQ(checked_relations("row = ⌊√(2·53 + ¼) − ½⌋ = 9"), 1);
    EXPECT_EQ(checked_relations("b = 4 ≤ 5 + 1 < 8"), 2);
    EXPECT_EQ(Calculator{"2 + 14 mod 4·3"}.value(), 8);
    EXPECT_FALSE(Calculator{"ω"}.value());
    EXPECT_FALSE(related(3, "≥", 4));
}

}  // namespace
}  // namespace orrery::test
