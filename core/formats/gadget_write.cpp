// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/files.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_files.hpp"
#include "core/formats/gadget_order.hpp"
#include "core/formats/limits.hpp"

namespace orrery::gadget {
namespace {

constexpr std::size_t kLargestElement = 12;

class Writer {
public:
    Writer(const Scene& scene, const std::filesystem::path& path, Dialect dialect)
        : scene_{scene},
          bodies_{scene.bodies},
          dialect_{dialect},
          file_{path, Durable::kYes},
          progress_{"writing", 28 * scene.bodies.size()} {
        buffer_.reserve(kBlock + kLargestElement);
    }

    void write() {
        const auto header = header_bytes(this->header(), dialect_.order);
        begin("HEAD", header.size());
        buffer_.insert(buffer_.end(), header.begin(), header.end());
        end(header.size());
        const std::uint64_t n = bodies_.size();
        column("POS ", 12 * n, [&](std::size_t i) {
            const Vec4d& p = bodies_.position_mass[i];
            for (const double x : {p.x, p.y, p.z}) put(static_cast<float>(x));
        });
        column("VEL ", 12 * n, [&](std::size_t i) {
            const Vec3d& v = bodies_.velocity[i];
            for (const double x : {v.x, v.y, v.z}) put(static_cast<float>(x));
        });
        write_ids();
        column("MASS", 4 * n, [&](std::size_t i) { put(static_cast<float>(bodies_.position_mass[i].w)); });
        flush();
        file_.commit();
    }

private:
    Header header() const {
        Header header;
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            ++header.counts[static_cast<std::size_t>(bodies_.species_of(i))];
        std::ranges::copy(header.counts, header.totals.begin());
        header.time = scene_.time;
        return header;
    }

    void write_ids() {
        const bool given = !bodies_.ids.empty();
        const std::uint64_t largest = given ? *std::ranges::max_element(bodies_.ids) : bodies_.size();
        const bool wide = largest > std::numeric_limits<std::uint32_t>::max();
        column("ID  ", (wide ? 8 : 4) * std::uint64_t{bodies_.size()}, [&](std::size_t i) {
            const std::uint64_t id = given ? bodies_.ids[i] : i + 1;
            wide ? put(id) : put(static_cast<std::uint32_t>(id));
        });
    }

    template <class F>
    void column(const char* label, std::uint64_t bytes, F element) {
        begin(label, bytes);
        in_order(bodies_, [&](std::size_t i) {
            element(i);
            if (buffer_.size() >= kBlock) flush();
        });
        end(bytes);
    }

    void begin(std::string_view label, std::uint64_t bytes) {
        if (dialect_.labelled) {
            put(std::uint32_t{kLabelBytes});
            for (const char c : label) put(c);
            put(static_cast<std::uint32_t>(bytes + 2 * kMarker));  // distance to the next label
            put(std::uint32_t{kLabelBytes});
        }
        put(static_cast<std::uint32_t>(bytes));
    }
    void end(std::uint64_t bytes) { put(static_cast<std::uint32_t>(bytes)); }

    template <class T>
    void put(T value) {
        const std::size_t at = buffer_.size();
        buffer_.resize(at + sizeof(T));
        std::byte* to = buffer_.data() + at;
        store(to, value, dialect_.order);
    }
    void flush() {
        file_.write(buffer_);
        progress_.add(buffer_.size());
        buffer_.clear();
    }

    const Scene& scene_;
    const Bodies& bodies_;
    Dialect dialect_;
    OutputFile file_;
    std::vector<std::byte> buffer_;
    FileProgress progress_;
};

}  // namespace

void write(const Scene& scene, const std::filesystem::path& path, Dialect dialect) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    check_single_precision(scene, path.string(), "Gadget", most);
    check_unit_constant(scene, path.string(), "Gadget");
    Writer{scene, path, dialect}.write();
}

}  // namespace orrery::gadget
