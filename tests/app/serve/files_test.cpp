// SPDX-License-Identifier: MIT
#include "app/serve/files.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace orrery {
namespace {

TEST(ServeFiles, NamesLoseFoldersAndSpecialCharacters) {
    EXPECT_EQ(safe_name("a.tipsy"), "a.tipsy");
    EXPECT_EQ(safe_name("../../etc/passwd"), "passwd");
    EXPECT_EQ(safe_name("C:\\x\\b c\".csv"), "b c_.csv");
    EXPECT_EQ(safe_name("junk ümläut (2).tipsy"), "junk ümläut (2).tipsy");
    EXPECT_EQ(safe_name("a\nb\x1b*?.csv"), "a_b___.csv");
    EXPECT_EQ(safe_name("..hidden"), "hidden");
    for (const char* nothing : {"", ".", "..", "a/"}) EXPECT_EQ(safe_name(nothing), "file");
    EXPECT_EQ(safe_name(std::string(300, 'x') + ".csv").size(), 200u);
    std::string long_name = "x";
    for (int i = 0; i < 150; ++i) long_name += "ü";
    EXPECT_EQ(safe_name(long_name + ".csv"), long_name.substr(long_name.size() - 196) + ".csv");
    EXPECT_EQ(safe_name(long_name + "a.csv"), long_name.substr(long_name.size() - 194) + "a.csv")
        << "at a UTF-8 boundary";
}

TEST(ServeFiles, HeaderContainsAnAsciiNameAndTheUtf8Name) {
    EXPECT_EQ(content_disposition("a.png"), "attachment; filename=\"a.png\"; filename*=UTF-8''a.png");
    EXPECT_EQ(content_disposition("ü\" b.png"), "attachment; filename=\"___ b.png\"; filename*=UTF-8''%C3%BC_%20b.png");
}

TEST(ServeFiles, MessagesOmitFoldersOfTheServer) {
    const auto reads = [](const char* message) { return without_folders(message, "/tmp/orrery-x", "/srv/here"); };
    EXPECT_EQ(reads("/tmp/orrery-x/12/junk ü.tipsy: too short"), "junk ü.tipsy: too short");
    EXPECT_EQ(reads("Recording to /srv/here/a.mp4 and /srv/here/b/c.mp4"), "Recording to a.mp4 and b/c.mp4");
    EXPECT_EQ(reads("/data/typed.csv: no such file"), "/data/typed.csv: no such file");
    EXPECT_EQ(reads("/tmp/orrery-x/"), "");
    EXPECT_EQ(without_folders("/a: no", {}, "/"), "/a: no");
}

TEST(ServeFiles, UploadIsReturnedWhenCompleteAndDeletedAtExit) {
    std::filesystem::path path;
    {
        Uploads uploads{10};
        uploads.begin("a", 4);
        EXPECT_FALSE(uploads.add("12"));
        path = uploads.add("34").value();
        EXPECT_EQ(std::filesystem::file_size(path), 4u);
        EXPECT_THROW(uploads.add("5"), Error);       // no upload has begun
        EXPECT_THROW(uploads.begin("b", 7), Error);  // 11 bytes in total
        EXPECT_THROW(uploads.begin("b", ~0ull), Error);
        uploads.begin("b", 6);
        EXPECT_THROW(uploads.add("1234567"), Error);
        uploads.begin("b", 6);  // a dropped upload does not count
        uploads.drop();
        uploads.begin("c", 6);
    }
    EXPECT_FALSE(std::filesystem::exists(path.parent_path().parent_path()));
}

TEST(ServeFiles, OnlyRegisteredRegularFilesAreFound) {
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
