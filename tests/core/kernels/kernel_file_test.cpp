// SPDX-License-Identifier: MIT
#include "core/kernels/kernel_file.hpp"

#include <gmock/gmock.h>

#include <string>

#include "core/base/error.hpp"
#include "core/kernels/exactness.hpp"

namespace orrery::test {
namespace {

std::string refusal_of(std::string_view text) {
    try {
        parse_kernel(text, "my.cpp");
        return {};
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        return error.what();
    }
}

constexpr std::string_view kHead = "//! kind = pair\n//! language = c++\n";

TEST(KernelFile, ReadsItsHead) {
    const KernelFile file = parse_kernel(
        "// a remark\n//! title = \"My force\"\n//! author = A. Student\n//! kind = forces\n//! language = glsl\n"
        "//! law = own\n//! threads = 128\n//! rows = 256\n//!\n"
        "//! parameter length = 0.5 [0.01, 10] range of the force\n//! parameter n = -2 [-3, 3]\n"
        "void forces() {}\n//! this is code\n",
        "my.glsl");
    EXPECT_EQ(file.title, "My force");
    EXPECT_EQ(file.author, "A. Student");
    EXPECT_EQ(file.kind, KernelKind::kForces);
    EXPECT_EQ(file.language, KernelLanguage::kGlsl);
    EXPECT_TRUE(file.own_law);
    EXPECT_EQ(file.threads, 128);
    EXPECT_EQ(file.rows, 256);
    ASSERT_EQ(file.parameters.size(), 2u);
    EXPECT_EQ(file.parameters[0].name, "length");
    EXPECT_EQ(file.parameters[0].low, 0.01);
    EXPECT_EQ(file.parameters[0].high, 10);
    EXPECT_EQ(file.parameters[0].doc, "range of the force");
    EXPECT_THAT(file.values(), ::testing::ElementsAre(0.5, -2));
}

TEST(KernelFile, WithoutATitleHasTheNameOfTheFile) { EXPECT_EQ(parse_kernel(kHead, "a/b.cpp").title, "a/b.cpp"); }

TEST(KernelFile, NamesTheLineOfAnErrorInItsHead) {
    const std::string head{kHead};
    EXPECT_EQ(refusal_of("\n//! kind = par\n"), "my.cpp:2: kind: expected one of pair, forces, map, found 'par'");
    EXPECT_EQ(refusal_of("//! kind = pair\n"), "my.cpp:1: the head has no line `//! language = …`");
    EXPECT_EQ(refusal_of(""), "my.cpp:1: the head has no line `//! kind = …`");
    EXPECT_EQ(refusal_of(head + "//! kind = map\n"), "my.cpp:3: kind is given twice");
    EXPECT_THAT(refusal_of(head + "//! colour = red\n"), ::testing::StartsWith("my.cpp:3: unknown key 'colour'"));
    EXPECT_EQ(refusal_of(head + "//! nonsense\n"), "my.cpp:3: expected `key = value`, found 'nonsense'");
    EXPECT_EQ(refusal_of(head + "//! threads = 0\n"),
              "my.cpp:3: threads: expected a whole number from 1 to 1024, found '0'");
    EXPECT_EQ(refusal_of(head + "//! parameter 2x = 1 [0, 2]\n"), "my.cpp:3: '2x' is not a name of a parameter");
    EXPECT_EQ(refusal_of(head + "//! parameter x = 1\n"),
              "my.cpp:3: parameter x: expected `value [low, high]`, found '1'");
    EXPECT_EQ(refusal_of(head + "//! parameter x = 3 [0, 2]\n"), "my.cpp:3: parameter x: 3 is not in the range [0, 2]");
    EXPECT_EQ(refusal_of(head + "//! parameter x = 1 [0, nan]\n"),
              "my.cpp:3: parameter x: expected `value [low, high]`, found '1 [0, nan]'");
    EXPECT_EQ(refusal_of(head + "//! parameter x = 1 [0, 2]\n//! parameter x = 1 [0, 2]\n"),
              "my.cpp:4: parameter x is given twice");
    EXPECT_EQ(refusal_of(head + std::string("int\0x;", 6)), "my.cpp:3: not a text: it has a zero byte");
    EXPECT_THAT(refusal_of(head + std::string(kMostKernelBytes, 'x')),
                ::testing::HasSubstr("a kernel has at most 49152 bytes"));
    EXPECT_EQ(refusal_of("//! kind = map\n//! language = c++\n//! law = own\n"), "my.cpp:1: a map has no law");
}

TEST(KernelFile, ChangesAParameterInItsText) {
    const std::string text = std::string{kHead} + "//! parameter x = 1 [0, 2] doc\nint code;\n";
    const KernelFile file = parse_kernel(text);
    const KernelFile changed = parse_kernel(with_parameter(file, "x", 1.5));
    EXPECT_EQ(changed.text, std::string{kHead} + "//! parameter x = 1.5 [0, 2] doc\nint code;\n");
    EXPECT_THAT(changed.values(), ::testing::ElementsAre(1.5));
    EXPECT_THROW(with_parameter(file, "x", 2.5), Error);
    EXPECT_THROW(with_parameter(file, "y", 1), Error);
}

TEST(KernelFile, FindsTheLineOfAnErrorMessage) {
    EXPECT_EQ(line_of_error("my.cpp:12: 'x' was not declared", "my.cpp"), 12);
    EXPECT_EQ(line_of_error("my.cpp: the kernel does not end", "my.cpp"), 0);
    EXPECT_EQ(line_of_error("other.cpp:12: 'x' was not declared", "my.cpp"), 0);
    EXPECT_EQ(line_of_error("my.cpp:0: nothing", "my.cpp"), 0);
    EXPECT_EQ(line_of_error("", "my.cpp"), 0);
}

TEST(KernelFile, IsRecognisedByItsName) {
    EXPECT_TRUE(is_kernel_path("a/b.cpp"));
    EXPECT_TRUE(is_kernel_path("b.glsl"));
    EXPECT_FALSE(is_kernel_path("b.toml"));
    EXPECT_FALSE(is_kernel_path("cpp"));
}

/// A map that loses a tile from 37 rows on.
TEST(MapVerdict, KeepsItsEvaluationsByRows) {
    const EvaluatedMap map{[](std::uint32_t rows) {
                               return Grid{rows, rows};
                           },
                           [](std::uint32_t rows, std::uint64_t first, std::uint64_t last, Tile* out) {
                               for (std::uint64_t i = first; i < last; ++i) {
                                   const auto row = static_cast<std::uint32_t>(i / rows);
                                   const auto col = static_cast<std::uint32_t>(i % rows);
                                   *out++ = row == 36 && col == 36 ? Tile{0, 0} : Tile{row, col};
                               }
                           }};
    const MapVerdict verdict = judge_map(map, 4096);
    ASSERT_TRUE(verdict.first_wrong);
    EXPECT_EQ(verdict.first_wrong->rows, 37u);
    ASSERT_EQ(verdict.samples.size(), 37u);
    for (std::uint32_t i = 0; i < 37; ++i) {
        EXPECT_EQ(verdict.samples[i].rows, i + 1);
        EXPECT_EQ(verdict.samples[i].exact(), i < 36);
    }
    int calls = 0;
    EXPECT_EQ(judge_map(map, 4096, [&] { return ++calls > 5; }).samples.size(), 5u);
}

}  // namespace
}  // namespace orrery::test
