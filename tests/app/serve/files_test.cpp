// SPDX-License-Identifier: MIT
#include "app/serve/files.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace orrery {
namespace {

TEST(ServeFiles, NamesAreTheirLastPartWithoutWhatCouldMeanSomething) {
    EXPECT_EQ(safe_name("a.tipsy"), "a.tipsy");
    EXPECT_EQ(safe_name("../../etc/passwd"), "passwd");
    EXPECT_EQ(safe_name("C:\\x\\b c\".csv"), "b_c_.csv");
    EXPECT_EQ(safe_name("..hidden"), "hidden");
    for (const char* nothing : {"", ".", "..", "a/"}) EXPECT_EQ(safe_name(nothing), "file");
    EXPECT_EQ(safe_name(std::string(300, 'x') + ".csv").size(), 100u);
}

TEST(ServeFiles, AFileIsGivenWhenItIsCompleteAndGoesWithTheProgram) {
    std::filesystem::path path;
    {
        Uploads uploads{10};
        uploads.begin("a", 4);
        EXPECT_FALSE(uploads.add("12"));
        path = uploads.add("34").value();
        EXPECT_EQ(std::filesystem::file_size(path), 4u);
        EXPECT_THROW(uploads.add("5"), Error);       // none has begun
        EXPECT_THROW(uploads.begin("b", 7), Error);  // 11 bytes together
        EXPECT_THROW(uploads.begin("b", ~0ull), Error);
        uploads.begin("b", 6);
        EXPECT_THROW(uploads.add("1234567"), Error);
        uploads.begin("b", 6);  // what was dropped does not count
        uploads.drop();
        uploads.begin("c", 6);
    }
    EXPECT_FALSE(std::filesystem::exists(path.parent_path().parent_path()));
}

TEST(ServeFiles, OnlyMadeRegularFilesAreFound) {
    MadeFiles made;
    EXPECT_FALSE(made.find(0));
    EXPECT_FALSE(made.find(1));
    EXPECT_FALSE(made.add("/dev/null"));
    EXPECT_FALSE(made.add("/no/such/file"));
    const auto self = made.add(std::filesystem::read_symlink("/proc/self/exe"));
    ASSERT_TRUE(self);
    EXPECT_EQ(made.find(self->id), self->path);
    EXPECT_FALSE(made.find(self->id + 1));
}

}  // namespace
}  // namespace orrery
