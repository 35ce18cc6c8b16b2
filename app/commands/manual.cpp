// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "app/commands/commands.hpp"
#include "app/manual/completions.hpp"
#include "app/manual/man_page.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

void write_page(const std::filesystem::path& path, const std::string& text) {
    std::error_code ignored;  // OutputFile reports the error
    std::filesystem::create_directories(path.parent_path(), ignored);
    OutputFile file{path};
    file.write(text);
    file.commit();
    to_stdout("wrote {}\n", path.string());
}

void write_manual(const CLI::App& root, const std::filesystem::path& folder) {
    for (const CLI::App* app : apps_of(root))
        write_page(folder / "man/man1" / (page_name(*app) + ".1"), man_page(*app));
    write_page(folder / "bash-completion/completions/orrery", bash_completion(root));
    write_page(folder / "zsh/site-functions/_orrery", zsh_completion(root));
    write_page(folder / "fish/vendor_completions.d/orrery.fish", fish_completion(root));
}

}  // namespace

Work declare_manual(CLI::App& app) {
    const auto folder = std::make_shared<std::string>();
    app.add_option("FOLDER", *folder, "Folder to write into, laid out like /usr/share; created if missing")->required();
    app.footer(
        "Packages install these files; use this for a program built or unpacked by hand. Examples:\n  "
        "orrery manual ~/.local/share  for man and for the completions of bash and fish");
    return [folder, &app] {
        write_manual(*app.get_parent(), *folder);
        return 0;
    };
}

}  // namespace orrery
