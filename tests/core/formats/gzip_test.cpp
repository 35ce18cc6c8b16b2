// SPDX-License-Identifier: MIT
#include "core/formats/input_file.hpp"

#include <zlib.h>

#include <cstdlib>
#include <vector>

#include "core/formats/formats.hpp"
#include "core/series/series.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kPlainText = "# orrery: time=2.5\nm,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n0.5,1,0,0,0,1,0\n";

std::string packed(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// Files are unpacked into `temporary`, which has to be empty in the end.
class Gzip : public Scratch {
protected:
    Gzip() {
        if (const char* before = std::getenv("TMPDIR")) before_ = before;
        std::filesystem::create_directory(path("temporary"));
        setenv("TMPDIR", path("temporary").c_str(), 1);
    }
    ~Gzip() override {
        EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
        before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
    }
    template <class... Words>
    void expect_refused(std::string_view content, Words... words) const {
        const auto file = save("bad.csv.gz", content);
        expect_error([&] { read_snapshot(file); }, Blame::kUsage, (file.string() + ": ").c_str(), words...);
    }

private:
    std::string before_;
};

TEST_F(Gzip, EveryFormatIsReadCompressed) {
    const Scene scene = read_snapshot(save("a.csv", kPlainText));
    for (const FormatEntry& entry : formats()) {
        if (!entry.why_not.empty()) continue;
        const std::string name = "b" + std::string{entry.extensions.front()};
        write_snapshot(scene, path(name));
        save(name + ".gz", packed(content(path(name))));
        SnapshotFacts plain, unpacked;
        const Scene expected = read_snapshot(path(name), plain), read = read_snapshot(path(name + ".gz"), unpacked);
        EXPECT_EQ(read.bodies.position_mass, expected.bodies.position_mass) << name;
        EXPECT_EQ(read.bodies.velocity, expected.bodies.velocity) << name;
        EXPECT_EQ(read.id, name + ".gz");
        EXPECT_EQ(read.label, expected.label == name ? name + ".gz" : expected.label)
            << "checkpoints keep that of a scene";
        EXPECT_EQ(read.notes.size(), expected.notes.size()) << name;
        for (const std::string& note : read.notes) EXPECT_THAT(note, StartsWith(name + ".gz: "));
        EXPECT_EQ(unpacked.format, plain.format);
        EXPECT_EQ(read_head(path(name + ".gz")).bodies, 2u) << name;
        std::size_t parts = 0;
        read_snapshot_in_parts(path(name + ".gz"), [&](const Bodies& part) { parts += part.size(); });
        EXPECT_EQ(parts, 2u) << name;
        EXPECT_TRUE(may_be_snapshot(path(name + ".gz"))) << name;
    }
}

TEST_F(Gzip, ConcatenatedFilesAreOneFile) {
    const std::string text = kPlainText;
    save("a.csv.gz", packed(text.substr(0, 60)) + packed(text.substr(60)) + std::string(512, '\0'));
    EXPECT_EQ(read_snapshot(path("a.csv.gz")).bodies.size(), 2u);
}

TEST_F(Gzip, ErrorsNameTheRequestedFile) {
    expect_refused(packed("m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,zero\n"), "line 2", "zero");
    const std::string whole = packed(kPlainText);
    expect_refused(whole.substr(0, whole.size() - 5), "gzip", "truncated");
    expect_refused(whole.substr(0, 12), "gzip", "truncated");
    std::string damaged = whole;
    damaged[whole.size() - 6] ^= 1;  // of its checksum
    expect_refused(damaged, "gzip", "damaged");
    expect_refused(whole + "rubbish", "gzip", "damaged");
    expect_refused(packed(""), "gzip", "holds nothing");
    expect_refused(packed(packed(kPlainText)), "gzip twice");
}

TEST_F(Gzip, ImplausibleCompressionIsRefusedBeforeTheDiskIsFull) {
    expect_refused(packed(std::string(std::size_t{100} << 20, ' ')), "gzip", "200 times");
}

TEST_F(Gzip, FolderOfCompressedFilesIsASeries) {
    for (const int t : {1, 2, 3})
        save("s" + std::to_string(t) + ".csv.gz",
             packed("# orrery: time=" + std::to_string(t) + "\n1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n"));
    save("notes.txt.gz", packed("no snapshot\n"));
    EXPECT_FALSE(may_be_snapshot(path("notes.txt.gz")));
    save("table.dat.gz", packed("1 0 0 0 0 0 0\n"));
    EXPECT_TRUE(may_be_snapshot(path("table.dat.gz")));
    std::filesystem::remove(path("table.dat.gz"));
    EXPECT_THAT(*Series{{path("").string()}}.times(), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace orrery::test
