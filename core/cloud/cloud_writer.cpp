// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_writer.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_sort.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/vec.hpp"
#include "core/cloud/cloud_file.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/snapshot_names.hpp"

namespace orrery {
namespace {

/// Numbers of bodies in the cells of several levels below a cell, the finest level last.
class CellCounts {
public:
    /// `cell`: the cell's key in the form of CloudNode::key, at this level.
    CellCounts(int level, std::uint64_t cell, int levels)
        : cell_{cell}, shift_{3 * (kDeepestCloudNode - level - levels)} {
        for (int k = 0; k <= levels; ++k) at_.emplace_back(std::size_t{1} << 3 * k);
    }
    int levels() const { return static_cast<int>(at_.size()) - 1; }
    std::size_t finest(std::uint64_t key) const {
        return static_cast<std::size_t>((key >> shift_) & (at_.back().size() - 1));
    }
    void add(std::uint64_t key) { ++at_.back()[finest(key)]; }
    void sum() {
        for (std::size_t k = at_.size() - 1; k > 0; --k)
            for (std::size_t i = 0; i < at_[k].size(); ++i) at_[k - 1][i / 8] += at_[k][i];
    }
    std::uint64_t operator()(int depth, std::size_t cell) const { return at_[static_cast<std::size_t>(depth)][cell]; }
    /// In the form of CloudNode::key.
    std::uint64_t key(int depth, std::size_t cell) const { return cell_ << 3 * depth | cell; }

private:
    std::uint64_t cell_;
    int shift_;
    std::vector<std::vector<std::uint64_t>> at_;
};

/// A body during the building of a cloud.
struct PlainRecord {
    float x, y, z, speed, mass;
    std::uint32_t priority;  ///< random; the sample of any cell consists of its bodies with the lowest priorities
    std::uint8_t species;
    static constexpr std::size_t kFields = 0;
    float field(std::size_t) const { return 0; }
    void set(std::size_t, float) {}
};
struct FieldsRecord : PlainRecord {
    static constexpr std::size_t kFields = kMostCloudFields;
    float fields[kFields];
    float field(std::size_t i) const { return fields[i]; }
    void set(std::size_t i, float value) { fields[i] = value; }
};
static_assert(sizeof(PlainRecord) == 28 && sizeof(FieldsRecord) == 44);  // on disk

/// Records on disk, in sections whose lengths are given in advance. The file has no name and vanishes with its owner,
/// even if the process is killed. Throws Error{kEnvironment} naming the folder when the disk fails.
template <class CloudRecord>
class SpillFile {
public:
    /// `buffered`: bytes of memory for the unwritten records of all sections.
    SpillFile(const std::filesystem::path& beside, std::span<const std::uint64_t> lengths, std::size_t buffered);

    /// Returns false, and does not take the record, if the section is full.
    bool add(std::size_t section, const CloudRecord& record);
    /// Call before the first read. Returns false if a section is not full.
    bool flush();
    /// Reads records of a section from index `from` on.
    void read(std::size_t section, std::uint64_t from, std::span<CloudRecord> into) const;

private:
    struct Section {
        std::uint64_t first, length, written = 0;
        std::vector<CloudRecord> waiting{};
    };
    void write(Section& section);
    [[noreturn]] void fail() const;

    std::filesystem::path folder_;
    Descriptor file_;
    std::vector<Section> sections_;
    std::size_t most_waiting_;
};

template <class CloudRecord>
SpillFile<CloudRecord>::SpillFile(const std::filesystem::path& beside, std::span<const std::uint64_t> lengths,
                                  std::size_t buffered)
    : folder_{beside.has_parent_path() ? beside.parent_path() : std::filesystem::path{"."}} {
    std::string name = (folder_ / ".orrery-cloud-XXXXXX").string();
    file_ = Descriptor{::mkstemp(name.data())};
    if (!file_) fail();
    ::unlink(name.c_str());
    sections_.reserve(lengths.size());
    std::uint64_t first = 0;
    for (const std::uint64_t length : lengths) sections_.push_back({first, length}), first += length;
    constexpr std::size_t kLeast = 16, kMost = 1 << 16;
    most_waiting_ =
        std::clamp(buffered / sizeof(CloudRecord) / std::max<std::size_t>(1, lengths.size()), kLeast, kMost);
}

template <class CloudRecord>
void SpillFile<CloudRecord>::fail() const {
    environment_error(fmt::format("{}: no temporary file can be written: {}", folder_.string(), std::strerror(errno)));
}

template <class CloudRecord>
bool SpillFile<CloudRecord>::add(std::size_t section, const CloudRecord& record) {
    Section& to = sections_[section];
    if (to.written + to.waiting.size() == to.length) return false;
    if (to.waiting.capacity() == 0) to.waiting.reserve(most_waiting_);
    to.waiting.push_back(record);
    if (to.waiting.size() == most_waiting_) write(to);
    return true;
}

template <class CloudRecord>
void SpillFile<CloudRecord>::write(Section& section) {
    auto bytes = std::as_bytes(std::span{section.waiting});
    auto at = static_cast<off_t>((section.first + section.written) * sizeof(CloudRecord));
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail();
        bytes = bytes.subspan(static_cast<std::size_t>(done)), at += done;
    }
    section.written += section.waiting.size();
    section.waiting.clear();
}

template <class CloudRecord>
bool SpillFile<CloudRecord>::flush() {
    bool full = true;
    for (Section& section : sections_) {
        write(section);
        section.waiting = {};
        full = full && section.written == section.length;
    }
    return full;
}

template <class CloudRecord>
void SpillFile<CloudRecord>::read(std::size_t section, std::uint64_t from, std::span<CloudRecord> into) const {
    const std::uint64_t at = (sections_[section].first + from) * sizeof(CloudRecord);
    if (read_at(file_.get(), at, std::as_writable_bytes(into)) != into.size_bytes()) fail();
}

constexpr std::uint64_t kEveryPriority = std::uint64_t{1} << 32;  // above all priorities
constexpr std::size_t kPart = 1 << 16;                            // records read at a time

/// Hash of a body's index in the snapshot: SplitMix64 (G. Steele, D. Lea and C. Flood, OOPSLA 2014).
std::uint32_t priority_of(std::uint64_t index) {
    std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ z >> 31) >> 32);
}

PlainRecord record_of(const Bodies& bodies, std::size_t i, std::uint64_t index) {
    const Vec4f p = convert<float>(bodies.position_mass[i]);
    const Vec3d& v = bodies.velocity[i];
    const auto x = static_cast<float>(v.x), y = static_cast<float>(v.y), z = static_cast<float>(v.z);
    return {p.x,
            p.y,
            p.z,
            std::sqrt(x * x + y * y + z * z),
            p.w,
            priority_of(index),
            static_cast<std::uint8_t>(bodies.species_of(i))};
}

template <class CloudRecord>
CloudRecord record_of(const Bodies& bodies, std::size_t i, std::uint64_t index,
                      std::span<const std::span<const float>> values) {
    CloudRecord record{record_of(bodies, i, index)};
    for (std::size_t f = 0; f < CloudRecord::kFields; ++f)
        record.set(f, f < values.size() && std::isfinite(values[f][i]) ? values[f][i]
                                                                       : std::numeric_limits<float>::quiet_NaN());
    return record;
}

template <class CloudRecord>
struct Keyed {
    std::uint64_t key;
    CloudRecord record;
};

/// Orders by key; the other members only make the order independent of the sort.
template <class CloudRecord>
bool before(const Keyed<CloudRecord>& a, const Keyed<CloudRecord>& b) {
    const auto rest = [](const Keyed<CloudRecord>& k) {
        const CloudRecord& r = k.record;
        return std::tuple{k.key, r.priority, r.x, r.y, r.z, r.speed, r.mass, r.species};
    };
    return a.key != b.key ? a.key < b.key : rest(a) < rest(b);
}

template <class CloudRecord>
class CloudBuilder {
public:
    using Body = Keyed<CloudRecord>;
    using Take = std::function<void(std::span<const CloudRecord>)>;
    using Feed = std::function<void(const Take&)>;

    CloudBuilder(CloudSource& source, const std::filesystem::path& path, const CloudPlan& plan)
        : source_{source}, path_{path}, plan_{plan}, most_{plan.memory / 2 / sizeof(Body)}, file_{path, Durable::kYes} {
        about_.fields = source.fields();
        file_.write(cloud_start(!about_.fields.empty()));
    }
    CloudWritten write();

private:
    /// A cell above those that fit into memory, with the bodies stored in it so far.
    struct Upper {
        std::uint64_t threshold;
        std::vector<CloudRecord> own{};
        std::size_t seen = 0;  // size of all `own` above it, when it began
    };
    struct Draft {
        CloudNode node;
        std::vector<std::uint32_t> children{};
    };

    void survey();
    [[noreturn]] void refuse_change() const;
    void feed_all(const Take& take);
    std::uint64_t threshold(std::uint64_t bodies, int level) const;
    std::uint32_t divide(const Feed& feed, int level, std::uint64_t key, std::uint64_t bodies);
    std::uint32_t divide_on_disk(const Feed& feed, int level, std::uint64_t key, std::uint64_t bodies);
    std::uint32_t grow(std::span<const Body> bodies, int level, std::uint64_t key, std::uint64_t above);
    void hand_up(std::span<const Body> bodies);
    std::size_t handed_up() const;
    std::uint32_t add(Draft draft, std::span<const CloudRecord> own);
    void finish(std::uint32_t root);

    CloudSource& source_;
    const std::filesystem::path& path_;
    const CloudPlan& plan_;
    std::uint64_t most_;  // bodies in memory
    OutputFile file_;
    CloudAbout about_;
    std::uint64_t offset_ = kCloudStart;
    std::vector<Draft> drafts_;
    std::vector<Upper> above_;  // from the root down to the current cell
    std::vector<CloudRecord> own_;
    std::optional<Progress> progress_;
    std::uint64_t done_ = 0;
    int levels_ = 0;
};

/// First pass: properties of the bodies as a whole, and their bounding box.
template <class CloudRecord>
void CloudBuilder<CloudRecord>::survey() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3d low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
    float least = std::numeric_limits<float>::infinity(), most = 0;
    source_.read([&](const Bodies& part, std::span<const std::span<const float>>) {
        for (std::size_t i = 0; i < part.size(); ++i) {
            validate_body(source_.name(), about_.bodies + i, part.position_mass[i], part.velocity[i]);
            const PlainRecord r = record_of(part, i, 0);
            for (const float number : {r.x, r.y, r.z, r.speed, r.mass})
                if (!std::isfinite(number))
                    usage_error(fmt::format("{}: body {}: does not fit a cloud's single precision", source_.name(),
                                            about_.bodies + i));
            low = {std::min<double>(low.x, r.x), std::min<double>(low.y, r.y), std::min<double>(low.z, r.z)};
            high = {std::max<double>(high.x, r.x), std::max<double>(high.y, r.y), std::max<double>(high.z, r.z)};
            least = std::min(least, r.mass), most = std::max(most, r.mass);
        }
        about_.with_species |= !part.species.empty();
        about_.bodies += part.size();
    });
    if (about_.bodies == 0) usage_error(fmt::format("{}: holds no bodies", source_.name()));
    if (!(most > 0)) usage_error(fmt::format("{}: no body has a mass", source_.name()));
    const double side = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    about_.cube = {low, side > 0 ? side * (1 + 1e-9) : 1};
    about_.with_masses = least != most;
    about_.mass_of_each = about_.with_masses ? 0 : static_cast<double>(most);
    const Scene& scene = source_.about();
    about_.time = scene.time, about_.days_per_time = scene.days_per_time;
    about_.expands = scene.scale_factor > 0 && scene.scale_factor == scene.time;
    about_.constant = scene.gravity.constant, about_.softening = scene.gravity.softening;
    about_.box = scene.box;
    about_.length_unit = scene.length_unit, about_.mass_unit = scene.mass_unit;
}

/// Throws because the second pass returned other bodies than the first.
template <class CloudRecord>
void CloudBuilder<CloudRecord>::refuse_change() const {
    usage_error(fmt::format("{}: changed while it was read; no cloud is written", source_.name()));
}

template <class CloudRecord>
void CloudBuilder<CloudRecord>::feed_all(const Take& take) {
    std::uint64_t index = 0;
    std::vector<CloudRecord> records;
    source_.read([&](const Bodies& part, std::span<const std::span<const float>> values) {
        for (std::size_t first = 0; first < part.size(); first += kPart) {
            records.clear();
            for (std::size_t i = first; i < std::min(part.size(), first + kPart); ++i)
                records.push_back(record_of<CloudRecord>(part, i, index++, values));
            take(records);
        }
    });
    if (index != about_.bodies)
        usage_error(
            fmt::format("{}: changed while it was read: {} bodies, then {}", source_.name(), about_.bodies, index));
}

/// A cell's sample consists of its bodies with priorities below this threshold, which grows from a cell to its
/// children, so that a sample contains the bodies of the parent's sample that lie in the cell.
template <class CloudRecord>
std::uint64_t CloudBuilder<CloudRecord>::threshold(std::uint64_t bodies, int level) const {
    if (bodies <= plan_.leaf || level == kDeepestCloudNode) return kEveryPriority;
    return static_cast<std::uint64_t>(static_cast<double>(kEveryPriority) * plan_.sample / static_cast<double>(bodies));
}

template <class CloudRecord>
std::uint32_t CloudBuilder<CloudRecord>::divide(const Feed& feed, int level, std::uint64_t key, std::uint64_t bodies) {
    if (bodies > most_ && level < kDeepestCloudNode) return divide_on_disk(feed, level, key, bodies);
    if (bodies > std::max<std::uint64_t>(most_, plan_.leaf))
        usage_error(fmt::format("{}: {} bodies at the same position; with this much memory a cloud allows {}",
                                source_.name(), bodies, most_));
    std::vector<Body> all;
    all.reserve(static_cast<std::size_t>(bodies));
    feed([&](std::span<const CloudRecord> part) {
        for (const CloudRecord& r : part) all.push_back({about_.cube.key(r.x, r.y, r.z), r});
    });
    tbb::parallel_sort(all.begin(), all.end(), before<CloudRecord>);
    hand_up(all);
    const std::uint32_t node = grow(all, level, key, above_.empty() ? 0 : above_.back().threshold);
    done_ += bodies;
    if (progress_) progress_->update(done_);
    return node;
}

/// Passes bodies to the cells above whose samples include them.
template <class CloudRecord>
void CloudBuilder<CloudRecord>::hand_up(std::span<const Body> bodies) {
    if (above_.empty()) return;
    for (const Body& body : bodies) {
        const std::uint64_t priority = body.record.priority;
        if (priority >= above_.back().threshold) continue;
        std::ranges::find_if(above_, [&](const Upper& u) {
            return priority < u.threshold;
        })->own.push_back(body.record);
    }
}

template <class CloudRecord>
std::size_t CloudBuilder<CloudRecord>::handed_up() const {
    std::size_t all = 0;
    for (const Upper& upper : above_) all += upper.own.size();
    return all;
}

template <class CloudRecord>
std::uint32_t CloudBuilder<CloudRecord>::grow(std::span<const Body> bodies, int level, std::uint64_t key,
                                              std::uint64_t above) {
    const std::uint64_t limit = threshold(bodies.size(), level);
    Draft draft;
    draft.node.key = key;
    draft.node.bodies = bodies.size();
    CompensatedSum mass;
    if (limit < kEveryPriority) {
        const int shift = 3 * (kDeepestCloudNode - level - 1);
        for (std::uint64_t octant = 0; octant < 8; ++octant) {
            const auto inside =
                std::ranges::equal_range(bodies, octant, {}, [&](const Body& k) { return (k.key >> shift) & 7; });
            if (inside.empty()) continue;
            const std::uint32_t child =
                grow(std::span{inside.begin(), inside.end()}, level + 1, key << 3 | octant, limit);
            draft.children.push_back(child);
            mass.add(drafts_[child].node.mass);
        }
    } else {
        for (const Body& body : bodies) mass.add(static_cast<double>(body.record.mass));
    }
    draft.node.mass = mass.value();
    own_.clear();
    for (const Body& body : bodies) {
        if (body.record.priority >= limit) continue;
        ++draft.node.shown;
        if (body.record.priority >= above) own_.push_back(body.record);
    }
    return add(std::move(draft), own_);
}

template <class CloudRecord>
std::uint32_t CloudBuilder<CloudRecord>::divide_on_disk(const Feed& feed, int level, std::uint64_t key, std::uint64_t) {
    constexpr int kLevels = 7;  // levels counted at a time: 19 MB
    CellCounts counts{level, key, std::min(kLevels, kDeepestCloudNode - level)};
    feed([&](std::span<const CloudRecord> part) {
        for (const CloudRecord& r : part) counts.add(about_.cube.key(r.x, r.y, r.z));
    });
    counts.sum();

    std::vector<std::uint64_t> lengths;
    std::vector<std::uint32_t> section_of(std::size_t{1} << 3 * counts.levels());
    const auto is_section = [&](int depth, std::size_t cell) {
        return counts(depth, cell) <= most_ || depth == counts.levels();
    };
    const auto lay_out = [&](const auto& self, int depth, std::size_t cell) -> void {
        if (counts(depth, cell) == 0) return;
        if (!is_section(depth, cell)) {
            for (std::size_t octant = 0; octant < 8; ++octant) self(self, depth + 1, 8 * cell + octant);
            return;
        }
        const int shift = 3 * (counts.levels() - depth);
        std::fill(section_of.begin() + static_cast<std::ptrdiff_t>(cell << shift),
                  section_of.begin() + static_cast<std::ptrdiff_t>((cell + 1) << shift),
                  static_cast<std::uint32_t>(lengths.size()));
        lengths.push_back(counts(depth, cell));
    };
    lay_out(lay_out, 0, 0);

    SpillFile<CloudRecord> spill{path_, lengths, plan_.memory / 4};
    feed([&](std::span<const CloudRecord> part) {
        for (const CloudRecord& r : part)
            if (!spill.add(section_of[counts.finest(about_.cube.key(r.x, r.y, r.z))], r)) refuse_change();
    });
    if (!spill.flush()) refuse_change();
    section_of = {};

    std::size_t section = 0;
    const auto build = [&](const auto& self, int depth, std::size_t cell) -> std::uint32_t {
        const std::uint64_t bodies = counts(depth, cell);
        if (is_section(depth, cell)) {
            const std::size_t mine = section++;
            const Feed own = [&, mine, bodies](const Take& take) {
                std::vector<CloudRecord> part;
                for (std::uint64_t from = 0; from < bodies; from += part.size()) {
                    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPart, bodies - from)));
                    spill.read(mine, from, part);
                    take(part);
                }
            };
            return divide(own, level + depth, counts.key(depth, cell), bodies);
        }
        const std::size_t seen = handed_up();
        above_.push_back({.threshold = threshold(bodies, level + depth), .seen = seen});
        Draft draft;
        draft.node.key = counts.key(depth, cell);
        draft.node.bodies = bodies;
        CompensatedSum mass;
        for (std::size_t octant = 0; octant < 8; ++octant) {
            if (counts(depth + 1, 8 * cell + octant) == 0) continue;
            draft.children.push_back(self(self, depth + 1, 8 * cell + octant));
            mass.add(drafts_[draft.children.back()].node.mass);
        }
        draft.node.mass = mass.value();
        draft.node.shown = static_cast<std::uint32_t>(handed_up() - above_.back().seen);
        const Upper done = std::move(above_.back());
        above_.pop_back();
        return add(std::move(draft), done.own);
    };
    return build(build, 0, 0);
}

/// Writes the bodies stored in the cell, column by column.
template <class CloudRecord>
std::uint32_t CloudBuilder<CloudRecord>::add(Draft draft, std::span<const CloudRecord> own) {
    CloudColumns columns;
    columns.fields.resize(about_.fields.size());
    for (const CloudRecord& r : own) {
        columns.places.push_back({r.x, r.y, r.z, r.speed});
        if (about_.with_masses) columns.masses.push_back(r.mass);
        if (about_.with_species) columns.species.push_back(r.species);
        for (std::size_t f = 0; f < columns.fields.size(); ++f) columns.fields[f].push_back(r.field(f));
    }
    CloudNode& node = draft.node;
    node.offset = offset_;
    node.own = static_cast<std::uint32_t>(own.size());
    node.checksum = columns.checksum();
    columns.write([&](std::span<const std::byte> bytes) { file_.write(bytes), offset_ += bytes.size(); });
    levels_ = std::max(levels_, node.level());
    drafts_.push_back(std::move(draft));
    return static_cast<std::uint32_t>(drafts_.size() - 1);
}

/// Writes the table, level by level, and the end of the file.
template <class CloudRecord>
void CloudBuilder<CloudRecord>::finish(std::uint32_t root) {
    std::vector<std::uint32_t> order{root};
    for (std::size_t i = 0; i < order.size(); ++i) {
        Draft& draft = drafts_[order[i]];
        draft.node.children = static_cast<std::uint32_t>(draft.children.size());
        draft.node.first_child = draft.children.empty() ? 0 : static_cast<std::uint32_t>(order.size());
        order.insert(order.end(), draft.children.begin(), draft.children.end());
    }
    about_.nodes = order.size();
    about_.total_mass = drafts_[root].node.mass;
    about_.table = offset_;
    about_.table_checksum = cloud_checksum({});
    std::array<std::byte, CloudNode::kBytes> bytes;
    for (const std::uint32_t draft : order) {
        encode(drafts_[draft].node, bytes.data());
        about_.table_checksum = cloud_checksum(bytes, about_.table_checksum);
        file_.write(bytes);
    }
    for (const CloudField& field : about_.fields) {
        std::array<std::byte, CloudField::kBytes> of_field;
        encode(field, of_field.data());
        about_.table_checksum = cloud_checksum(of_field, about_.table_checksum);
        file_.write(of_field);
    }
    file_.write(encode(about_));
    file_.commit();
}

template <class CloudRecord>
CloudWritten CloudBuilder<CloudRecord>::write() {
    survey();
    constexpr std::uint64_t kMany = 1 << 20;
    if (about_.bodies >= kMany) progress_.emplace("sorting", about_.bodies);
    const std::uint32_t root = divide([&](const Take& take) { feed_all(take); }, 0, 1, about_.bodies);
    finish(root);
    return {about_.bodies, about_.nodes,
            offset_ + about_.nodes * CloudNode::kBytes + about_.fields.size() * CloudField::kBytes + CloudAbout::kBytes,
            levels_};
}

void require_few(std::size_t fields, const std::string& source) {
    if (fields > kMostCloudFields)
        usage_error(fmt::format("{}: {} fields; a cloud takes up to {}", source, fields, kMostCloudFields));
}

CloudField described(const std::string& name, const std::string& unit, bool whole, const std::string& source) {
    if (name.size() > CloudField::kName || unit.size() > CloudField::kUnit)
        usage_error(fmt::format("{}: field {} in {}: a cloud takes names of {} bytes and units of {}", source, name,
                                unit, CloudField::kName, CloudField::kUnit));
    return {name, unit, whole};
}

class SceneSource final : public CloudSource {
public:
    explicit SceneSource(Scene scene) : scene_{std::move(scene)} {
        require_few(scene_.bodies.fields.size(), scene_.label);
        for (const BodyField& field : scene_.bodies.fields) {
            fields_.push_back(described(field.name, field.unit, field.whole, scene_.label));
            values_.emplace_back(*field.values);
        }
    }
    std::string name() const override { return scene_.label; }
    void read(const Take& take) override { take(scene_.bodies, values_); }
    std::vector<CloudField> fields() const override { return fields_; }
    const Scene& about() const override { return scene_; }

private:
    Scene scene_;
    std::vector<CloudField> fields_;
    std::vector<std::span<const float>> values_;
};

class SnapshotSource final : public CloudSource {
public:
    SnapshotSource(std::vector<std::string> snapshots, const std::vector<std::string>& fields)
        : snapshots_{std::move(snapshots)} {
        require_few(fields.size(), snapshots_.front());
        if (fields.empty()) return;
        for (const std::string& snapshot : snapshots_) {
            choices_.emplace_back();
            const std::vector<FieldInfo> known = fields_of(snapshot);
            for (const std::string& wanted : fields) choices_.back().push_back(choose_field(known, wanted, snapshot));
        }
    }
    std::string name() const override { return snapshots_[at_]; }
    /// Checks the files' versions: writing a cloud takes several passes, during which files may change.
    void read(const Take& take) override {
        for (at_ = 0; at_ < snapshots_.size(); ++at_) {
            if (at_ == versions_.size()) versions_.push_back(versions_of(snapshots_[at_]));
            require_unchanged();
            const std::vector<std::vector<float>> values = read_values();
            std::size_t first = 0;
            std::vector<std::span<const float>> of_part(values.size());
            Scene scene = read_snapshot_in_parts(snapshots_[at_], [&](const Bodies& part) {
                for (std::size_t f = 0; f < values.size(); ++f)
                    of_part[f] = std::span{values[f]}.subspan(first, part.size());
                first += part.size();
                take(part, of_part);
            });
            require_unchanged();
            if (!about_) about_ = std::move(scene);
        }
        at_ = 0;
    }
    std::vector<CloudField> fields() const override {
        std::vector<CloudField> all;
        if (choices_.empty()) return all;
        for (const FieldChoice& choice : choices_.front())
            all.push_back(described(choice.name, choice.field.unit, choice.field.whole, snapshots_.front()));
        return all;
    }
    const Scene& about() const override { return *about_; }

private:
    void require_unchanged() const {
        if (versions_of(snapshots_[at_]) != versions_[at_])
            usage_error(fmt::format("{}: changed while it was read; no cloud is written", snapshots_[at_]));
    }
    std::vector<std::vector<float>> read_values() const {
        std::vector<std::vector<float>> values;
        if (choices_.empty()) return values;
        const auto bodies = static_cast<std::size_t>(read_head(snapshots_[at_]).bodies);
        for (const FieldChoice& choice : choices_[at_])
            values.push_back(read_choice(snapshots_[at_], choice, bodies).values);
        return values;
    }

    std::vector<std::string> snapshots_;
    std::vector<std::vector<FieldChoice>> choices_;   // of each snapshot; empty: no fields
    std::vector<std::vector<FileVersion>> versions_;  // of each snapshot, before the first pass
    std::size_t at_ = 0;
    std::optional<Scene> about_;
};

}  // namespace

CloudWritten write_cloud(CloudSource& source, const std::filesystem::path& path, const CloudPlan& plan) {
    if (plan.sample < CloudPlan::kLeastSample || plan.leaf < plan.sample)
        usage_error(
            fmt::format("sample of {} bodies, leaves of {}: expected a sample of {} or more, and leaves no smaller",
                        plan.sample, plan.leaf, CloudPlan::kLeastSample));
    return source.fields().empty() ? CloudBuilder<PlainRecord>{source, path, plan}.write()
                                   : CloudBuilder<FieldsRecord>{source, path, plan}.write();
}

std::unique_ptr<CloudSource> cloud_source(Scene scene) { return std::make_unique<SceneSource>(std::move(scene)); }

std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots,
                                          const std::vector<std::string>& fields) {
    return std::make_unique<SnapshotSource>(snapshots, fields);
}

}  // namespace orrery
