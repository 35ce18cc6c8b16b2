// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/formats/formats.hpp"
#include "core/formats/gadget.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

struct Case {
    std::endian order;
    bool labelled;
};

/// Builds snapshots by hand, so that the reader is not tested against our own writer alone.
class Gadget : public Scratch, public testing::WithParamInterface<Case> {
protected:
    struct Header {
        std::array<std::int32_t, 6> counts{1, 2, 0, 0, 1, 0};
        std::array<double, 6> masses{0, 0.5, 0, 0, 0, 0};
        double time = 1.5, redshift = 0;
        std::array<std::int32_t, 6> totals{};
        std::int32_t files = 1;
        double box = 0, omega = 0;
    };

    template <class T>
    static std::string bytes(T value) {
        const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        return GetParam().order == std::endian::native ? std::string{raw.begin(), raw.end()}
                                                       : std::string{raw.rbegin(), raw.rend()};
    }
    template <class T>
    static std::string row(const std::vector<T>& values) {
        std::string text;
        for (const T value : values) text += bytes(value);
        return text;
    }
    static std::string record(const std::string& data) {
        const std::string length = bytes(static_cast<std::uint32_t>(data.size()));
        return length + data + length;
    }
    static std::string block(const std::string& label, const std::string& data) {
        const std::string next = bytes(static_cast<std::uint32_t>(data.size() + 8));
        return (GetParam().labelled ? record(label + next) : "") + record(data);
    }
    static std::string header(const Header& h) {
        std::string text;
        for (const auto n : h.counts) text += bytes(n);
        for (const double m : h.masses) text += bytes(m);
        text += bytes(h.time) + bytes(h.redshift) + bytes(std::int64_t{0});
        for (const auto n : h.totals) text += bytes(n);
        text += bytes(std::int32_t{0}) + bytes(h.files) + bytes(h.box) + bytes(h.omega);
        text.resize(256, '\0');
        return block("HEAD", text);
    }
    /// Four bodies with numbers of type Real and ids of type Id: gas, two of the halo with the header's mass, a star.
    template <class Real, class Id>
    static std::string four(const Header& h = {}) {
        return header(h) + block("POS ", row<Real>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})) +
               block("VEL ", row<Real>({0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4})) + block("ID  ", row<Id>({8, 7, 6, 5})) +
               block("MASS", row<Real>({2, 3}));
    }
    static std::string id() {  // id of the format
        return std::string{"gadget"} + (GetParam().labelled ? "-snap2" : "") +
               (GetParam().order == std::endian::big ? "-big" : "");
    }
    template <class... Words>
    void expect_refused(const std::string& content, Words... words) const {
        expect_error([&] { read_snapshot(save("a.gadget", content)); }, Blame::kUsage, "a.gadget", words...);
    }
};

TEST_P(Gadget, ReadsNumbersOfEitherWidth) {
    for (const std::string& content :
         {four<float, std::uint32_t>(), four<double, std::uint64_t>(), four<float, std::uint64_t>(),
          four<float, std::uint32_t>() + block("U   ", row<float>({7})) + block("RHO ", row<float>({8}))}) {
        const Scene scene = read_snapshot(save("a", content));
        const Bodies& b = scene.bodies;
        ASSERT_EQ(b.size(), 4u);
        EXPECT_EQ(scene.time, 1.5);
        EXPECT_EQ(b.position_mass[0], (Vec4d{1, 2, 3, 2}));
        EXPECT_EQ(b.position_mass[1], (Vec4d{4, 5, 6, 0.5}));
        EXPECT_EQ(b.position_mass[2], (Vec4d{7, 8, 9, 0.5}));
        EXPECT_EQ(b.position_mass[3], (Vec4d{10, 11, 12, 3}));
        EXPECT_EQ(b.velocity[2], (Vec3d{0, 0, 3}));
        EXPECT_THAT(b.ids, testing::ElementsAre(8, 7, 6, 5));
        EXPECT_THAT(b.species, testing::ElementsAre(Species::kGas, Species::kHalo, Species::kHalo, Species::kStars));
    }
}

TEST_P(Gadget, NamesUnreadBlocks) {
    const std::string two =
        four<float, std::uint32_t>() + block("U   ", row<float>({7})) + block("ABC ", row<float>({8, 9, 10}));
    EXPECT_THAT(
        read_snapshot(save("a", two)).notes,
        testing::Contains(testing::HasSubstr(
            GetParam().labelled
                ? "further blocks, read on request (--fields): block \"U\" (internal energy), block \"ABC\""
                : "further blocks, read on request (--fields): block \"U\" (internal energy), block 6 of the file")));
}

TEST_P(Gadget, ReadsSeveralFilesFromAnyOfThem) {
    const Header part{.counts{1, 2, 0, 0, 1, 0}, .totals{2, 4, 0, 0, 2, 0}, .files = 2};
    save("s.0", four<float, std::uint32_t>(part));
    save("s.1", four<float, std::uint32_t>(part));
    for (const char* name : {"s.0", "s.1"}) {
        const Scene scene = read_snapshot(path(name));
        EXPECT_EQ(scene.bodies.size(), 8u);
        EXPECT_EQ(scene.bodies.position_mass[7], (Vec4d{10, 11, 12, 3}));
        EXPECT_EQ(scene.bodies.species_of(4), Species::kGas);
        EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("id 8 occurs more than once")));
    }
    save("t", four<float, std::uint32_t>(part));
    expect_error([&] { read_snapshot(path("t")); }, Blame::kUsage, "one of 2 files");
    save("u.0", four<float, std::uint32_t>(part));
    expect_error([&] { read_snapshot(path("u.0")); }, Blame::kUsage, "u.1", "no such file");
    save("u.1", four<float, std::uint32_t>());
    expect_error([&] { read_snapshot(path("u.0")); }, Blame::kUsage, "u.1", "not of the same snapshot");
    Header heavier = part;
    heavier.masses[1] = 0.75;
    save("u.1", four<float, std::uint32_t>(heavier));
    expect_error([&] { read_snapshot(path("u.0")); }, Blame::kUsage, "u.1", "not of the same snapshot");
    Header other = part;
    other.totals[1] = 5;
    save("u.1", four<float, std::uint32_t>(other));
    expect_error([&] { read_snapshot(path("u.0")); }, Blame::kUsage, "u.1", "not of the same snapshot");
    save("s.", four<float, std::uint32_t>(part));
    expect_error([&] { read_snapshot(path("s.")); }, Blame::kUsage, "one of 2 files");
    Header wrong = part;
    wrong.totals[1] = 5;
    for (const char* name : {"v.0", "v.1"}) save(name, four<float, std::uint32_t>(wrong));
    expect_error([&] { read_snapshot(path("v.0")); }, Blame::kUsage, "expected 5 halo bodies", "found 4");
}

TEST_P(Gadget, NotesIgnoredHeaderFields) {
    const auto notes = [&](const Header& h) { return read_snapshot(save("a", four<float, std::uint32_t>(h))).notes; };
    using testing::Contains;
    using testing::HasSubstr;
    EXPECT_THAT(notes({}), testing::ElementsAre(HasSubstr("no units")));
    EXPECT_THAT(notes({.box = 50}), Contains(HasSubstr("side 50")));
    EXPECT_EQ(read_head(path("a")).box, 50);
    EXPECT_THAT(notes({.redshift = 2}), Contains(HasSubstr("redshift 2")));
    EXPECT_THAT(notes({.totals{1, 1, 1, 1, 1, 1}}), Contains(HasSubstr("total numbers")));
}

TEST_P(Gadget, RefusesAnInconsistentHeader) {
    const std::string good = four<float, std::uint32_t>();
    const auto with = [&](const Header& h) {
        const std::string head = header(h);
        return head + good.substr(head.size());
    };
    expect_refused(with({.counts{2, 2, 0, 0, 1, 0}}), "POS ", "5 bodies", "found 48");
    const auto byte = [&](std::size_t at) {
        return "byte " + std::to_string((GetParam().labelled ? 20 : 4) + at) + ":";
    };
    expect_refused(with({.counts{-1, 2, 0, 0, 1, 0}}), byte(0), "gas", "found -1");
    expect_refused(with({.counts{1, -2, 0, 0, 1, 0}}), byte(4), "halo", "found -2");
    expect_refused(header({.counts{0, 0, 0, 0, 0, 0}}), "no bodies");
    expect_refused(with({.masses{0, -1, 0, 0, 0, 0}}), byte(32), "halo", "found -1");
    expect_refused(with({.masses{0, 0, 0, 0, 0, 0}}), "MASS", "found 8");
    expect_refused(with({.time = std::numeric_limits<double>::quiet_NaN()}), byte(72), "time is nan");
    expect_refused(with({.files = -3}), byte(124), "number of files", "-3");
}

TEST_P(Gadget, ErrorsNameTheByteOfAnInvalidNumber) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string good = four<float, std::uint32_t>();
    const std::size_t pos = header({}).size() + (GetParam().labelled ? 20 : 4);
    std::string bad = good;
    bad.replace(pos + 16, 4, bytes(nan));
    expect_refused(bad, "byte " + std::to_string(pos + 16), "body 1 (halo)", "finite number as y", "nan");
    bad = good;
    bad.replace(bad.size() - 8, 4, bytes(-3.0f));
    expect_refused(bad, "byte " + std::to_string(bad.size() - 8), "body 3 (stars)", "non-negative finite", "found -3");
}

TEST_P(Gadget, ErrorsNameTheByteOfAnUnterminatedRecord) {
    const std::string good = four<float, std::uint32_t>();
    const std::size_t pos = header({}).size() + (GetParam().labelled ? 16 : 0), end = pos + 4 + 48;
    const auto byte = [](std::size_t at) { return "byte " + std::to_string(at) + ": "; };
    std::string bad = good;
    bad.replace(end, 4, bytes(std::uint32_t{7}));
    expect_refused(bad, byte(end) + "expected the length 48 repeated at the end of the record, found 7");
    expect_refused(good.substr(0, end + 3),
                   byte(pos) + "truncated: expected a record of 48 bytes, found 55 bytes to the end of the file");
    expect_refused(good.substr(0, pos + 3), byte(pos) + "truncated: expected the length of a record");
    if (!GetParam().labelled) return;
    bad = good;
    bad.replace(4, 4, "TAIL");
    expect_refused(bad, byte(4) + "expected the label HEAD");
    bad = good;
    bad.replace(header({}).size(), 4, bytes(std::uint32_t{7}));
    expect_refused(bad, byte(header({}).size()) + "expected a label, a record of 8 bytes");
}

TEST_P(Gadget, RefusesMissingAndDuplicateBlocks) {
    const Header h;
    const std::string pos = block("POS ", row<float>(std::vector<float>(12, 1)));
    if (GetParam().labelled) {
        expect_refused(header(h) + pos, "VEL ", "missing");
        expect_refused(header(h) + pos + pos, "POS ", "twice");
        const std::string odd = block("A~\x7f\x1f", "");
        expect_refused(header(h) + odd + odd, "block A~?? occurs twice");
    } else {
        expect_refused(header(h) + pos, "VEL ", "missing");
        expect_refused(header(h) + pos + pos, "ID  ", "missing");
    }
}

TEST_P(Gadget, HeaderKeeps64BitTotals) {
    gadget::Header header;
    for (std::uint32_t k = 0; k < kSpeciesCount; ++k)
        header.counts[k] = 10 + k, header.masses[k] = 0.5 * k,
        header.totals[k] = (std::uint64_t{k} + 1) << 32 | (20 + k);
    header.time = 2.5, header.files = 7;
    const auto raw = gadget::header_bytes(header, GetParam().order);
    ASSERT_EQ(raw.size(), 256u);
    const gadget::Header back = gadget::parse_header(raw.data(), GetParam().order);
    EXPECT_EQ(back.counts, header.counts);
    EXPECT_EQ(back.masses, header.masses);
    EXPECT_EQ(back.totals, header.totals);
    EXPECT_EQ(back.time, 2.5);
    EXPECT_EQ(back.files, 7);
    EXPECT_EQ(back.redshift, 0);
    EXPECT_EQ(back.box, 0);
    EXPECT_EQ(back.omega, 0);
}

TEST_P(Gadget, WritesTheLayoutOfTheUserGuide) {
    using enum Species;
    Scene scene;
    for (const double x : {4.0, 2.0, 1.0, 3.0}) scene.bodies.add({x, 2 * x, 3 * x}, {-x, 0, x}, x);
    scene.bodies.species = {kStars, kHalo, kGas, kHalo};
    scene.bodies.ids = {8, 7, 6, 5};
    scene.time = 1.5;
    format(id()).write(scene, BodyStretches{scene.bodies}, path("a"));
    const Header h{.counts{1, 2, 0, 0, 1, 0}, .masses{}, .time = 1.5, .totals{1, 2, 0, 0, 1, 0}};
    EXPECT_EQ(content(path("a")), header(h) + block("POS ", row<float>({1, 2, 3, 2, 4, 6, 3, 6, 9, 4, 8, 12})) +
                                      block("VEL ", row<float>({-1, 0, 1, -2, 0, 2, -3, 0, 3, -4, 0, 4})) +
                                      block("ID  ", row<std::uint32_t>({6, 7, 5, 8})) +
                                      block("MASS", row<float>({1, 2, 3, 4})));
}

TEST_P(Gadget, KeepsTheUniverseOfTheSource) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {}, 1);
    scene.box = 50, scene.time = scene.scale_factor = 0.5;
    scene.cosmology = gadget_convention(0.25, 0.75, 0.7, 0.5);
    format(id()).write(scene, BodyStretches{scene.bodies}, path("a"));
    const Scene read = read_snapshot(path("a"));
    EXPECT_EQ(read.cosmology, scene.cosmology);
    EXPECT_EQ(read.box, 50);
    EXPECT_EQ(read.scale_factor, 0.5);
}

TEST_P(Gadget, Writes32BitIdsIfAllFit) {
    Scene scene;
    for (const double x : {1.0, 2.0, 3.0}) scene.bodies.add({x, 0, 0}, {}, 1);
    const auto bytes_of_ids = [&] {
        format(id()).write(scene, BodyStretches{scene.bodies}, path("a"));
        return gadget::Part{path("a")}.block("ID  ").bytes;
    };
    EXPECT_EQ(bytes_of_ids(), 12u);
    EXPECT_THAT(read_snapshot(path("a")).bodies.ids, testing::ElementsAre(1, 2, 3));
    scene.bodies.ids = {5, 0xffffffff, 7};
    EXPECT_EQ(bytes_of_ids(), 12u);
    scene.bodies.ids[1] += 1;
    EXPECT_EQ(bytes_of_ids(), 24u);
    EXPECT_EQ(read_snapshot(path("a")).bodies.ids, scene.bodies.ids);
}

/// Detects the dialect from as much of a file's head as is available.
TEST_P(Gadget, IsRecognisedByItsFirstRecord) {
    const auto dialect = [](const std::string& head) { return gadget::dialect_of(std::as_bytes(std::span{head})); };
    const gadget::Dialect plain{GetParam().order, false}, labelled{GetParam().order, true};
    const std::string marker = bytes(std::uint32_t{256}), label = bytes(std::uint32_t{8});
    EXPECT_EQ(dialect(marker), plain);
    EXPECT_EQ(dialect(marker.substr(0, 3)), std::nullopt);
    EXPECT_EQ(dialect(marker + std::string(259, 'x')), plain) << "too short for the second length";
    EXPECT_EQ(dialect(marker + std::string(256, 'x') + marker), plain);
    EXPECT_EQ(dialect(marker + std::string(260, 'x')), std::nullopt);
    EXPECT_EQ(dialect(label + "HEADxxxx" + label), labelled);
    EXPECT_EQ(dialect(label + "HEADxxxx" + label.substr(0, 3)), std::nullopt);
    EXPECT_EQ(dialect(label + "HEADxxxx" + marker), std::nullopt);
    EXPECT_EQ(dialect(marker.substr(0, 2) + "HEADxxxx" + label), std::nullopt);
}

/// Six species, some of which have a common mass, too many for one part; the error about an invalid number names its
/// index among all bodies.
TEST_P(Gadget, ReadsTheSameBodiesInParts) {
    constexpr std::size_t kBodies = 300'000;
    Scene scene;
    for (std::size_t i = 0; i < kBodies; ++i) {
        const auto x = static_cast<double>(i);
        const std::size_t kind = i / 50'000;
        scene.bodies.add({x, -x, 1}, {1, x, 2}, kind % 2 == 0 ? 0.5 : 1 + static_cast<double>(i % 7));
        scene.bodies.species.push_back(static_cast<Species>(kind));
    }
    const auto file = path(std::string{GetParam().order == std::endian::big ? "a.be" : "a"} +
                           (GetParam().labelled ? ".snap2" : ".gadget"));
    write_snapshot(scene, file);
    const Scene whole = read_snapshot(file);
    Bodies all;
    int parts = 0;
    const Scene about = read_snapshot_in_parts(file, [&](const Bodies& some) {
        ++parts;
        const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        add(all.position_mass, some.position_mass), add(all.velocity, some.velocity), add(all.species, some.species);
    });
    EXPECT_EQ(parts, 3);
    EXPECT_EQ(about.time, whole.time);
    EXPECT_TRUE(all.position_mass == whole.bodies.position_mass);
    EXPECT_TRUE(all.velocity == whole.bodies.velocity);
    EXPECT_TRUE(all.species == whole.bodies.species);
}

INSTANTIATE_TEST_SUITE_P(Dialects, Gadget,
                         testing::Values(Case{std::endian::little, false}, Case{std::endian::big, false},
                                         Case{std::endian::little, true}, Case{std::endian::big, true}),
                         [](const auto& instance) {
                             return std::string{instance.param.order == std::endian::big ? "big" : "little"} +
                                    (instance.param.labelled ? "2" : "1");
                         });

}  // namespace
}  // namespace orrery::test
