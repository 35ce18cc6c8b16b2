// SPDX-License-Identifier: MIT
// The corpora of the fuzzers (tests/fuzz), given to every reader: valid bodies, or one line that says what is wrong and
// where.
#include <set>

#include "core/catalogues/catalogue_formats.hpp"
#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

void expect_one_line_about(const std::filesystem::path& path, const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.blame(), Blame::kUsage) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with(path.string())) << text;
}

TEST(KeptCorpus, EveryReaderAcceptsOrRefusesEveryFile) {
    std::size_t files = 0, sound = 0, refused = 0;
    std::set<std::string> with_corpus;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{ORRERY_CORPUS}) {
        if (!entry.is_regular_file()) continue;
        ++files;
        with_corpus.insert(entry.path().parent_path().filename().string());
        for (const FormatEntry& format : formats()) {
            if (!format.why_not.empty()) continue;
            SCOPED_TRACE(std::string{format.id} + " reads " + entry.path().string());
            try {
                validate(format.read(entry.path()).bodies, "what was read");
                ++sound;
            } catch (const Error& error) {
                expect_one_line_about(entry.path(), error);
                ++refused;
            }
        }
    }
    for (const char* reader :
         {"csv", "tipsy", "tipsy-standard", "gadget", "gadget-snap2", "gadget-hdf5", "checkpoint", "nemo", "ply"})
        EXPECT_TRUE(with_corpus.contains(reader)) << "no corpus for " << reader;
    EXPECT_GE(files, 40u);
    EXPECT_GT(sound, 0u);
    EXPECT_GT(refused, files) << "few readers can read each file";
}

/// The readers of HDF5 start a process, so they read only the files of the corpus with their name.
TEST(KeptCorpus, EveryCatalogueIsReadOrRefused) {
    std::size_t sound = 0, refused = 0;
    for (const CatalogueEntry& catalogue : catalogue_formats()) {
        if (!catalogue.why_not.empty()) continue;
        const bool text = catalogue.id != "subfind" && catalogue.id != "sublink";
        const std::filesystem::path corpus{ORRERY_CORPUS};
        for (const auto& entry : std::filesystem::recursive_directory_iterator{text ? corpus : corpus / catalogue.id}) {
            if (!entry.is_regular_file()) continue;
            SCOPED_TRACE(std::string{catalogue.id} + " reads " + entry.path().string());
            try {
                HaloCatalogue read = catalogue.read(entry.path());
                read.path = entry.path().string();
                if (!read.halos.empty()) link_halos(read);
                ++sound;
            } catch (const Error& error) {
                expect_one_line_about(entry.path(), error);
                ++refused;
            }
        }
        EXPECT_NO_THROW(catalogue.read(corpus / catalogue.id / "two")) << catalogue.id;
    }
    EXPECT_GE(sound, catalogue_formats().size());
    EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace orrery::test
