// SPDX-License-Identifier: MIT
#include "core/gl/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <mutex>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/egl.hpp"
#include "core/gl/sharing.hpp"

namespace orrery::gl {

std::string load(Loader get_proc_address, Functions& into) {
    std::string missing;
    const auto one = [&]<class Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(get_proc_address(name));
        if (!function && missing.empty()) missing = name;
    };
    one(into.get_string, "glGetString");
    one(into.get_string_i, "glGetStringi");
    one(into.get_integer, "glGetIntegerv");
    one(into.get_integer64, "glGetInteger64v");
    one(into.get_error, "glGetError");
    one(into.flush, "glFlush");
    one(into.finish, "glFinish");
    one(into.create_shader, "glCreateShader");
    one(into.shader_source, "glShaderSource");
    one(into.compile_shader, "glCompileShader");
    one(into.get_shader, "glGetShaderiv");
    one(into.get_shader_log, "glGetShaderInfoLog");
    one(into.delete_shader, "glDeleteShader");
    one(into.create_program, "glCreateProgram");
    one(into.attach_shader, "glAttachShader");
    one(into.link_program, "glLinkProgram");
    one(into.get_program, "glGetProgramiv");
    one(into.get_program_log, "glGetProgramInfoLog");
    one(into.delete_program, "glDeleteProgram");
    one(into.use_program, "glUseProgram");
    one(into.gen_buffers, "glGenBuffers");
    one(into.delete_buffers, "glDeleteBuffers");
    one(into.bind_buffer, "glBindBuffer");
    one(into.bind_buffer_base, "glBindBufferBase");
    one(into.bind_buffer_range, "glBindBufferRange");
    one(into.map_buffer_range, "glMapBufferRange");
    one(into.fence_sync, "glFenceSync");
    one(into.client_wait_sync, "glClientWaitSync");
    one(into.delete_sync, "glDeleteSync");
    one(into.buffer_data, "glBufferData");
    one(into.buffer_sub_data, "glBufferSubData");
    one(into.get_buffer_sub_data, "glGetBufferSubData");
    one(into.clear_buffer_data, "glClearBufferData");
    one(into.dispatch_compute, "glDispatchCompute");
    one(into.memory_barrier, "glMemoryBarrier");
    one(into.wait_sync, "glWaitSync");
    one(into.gen_queries, "glGenQueries");
    one(into.delete_queries, "glDeleteQueries");
    one(into.query_counter, "glQueryCounter");
    one(into.get_query_int, "glGetQueryObjectiv");
    one(into.get_query_uint64, "glGetQueryObjectui64v");
    into.buffer_storage = reinterpret_cast<PFNGLBUFFERSTORAGEPROC>(get_proc_address("glBufferStorage"));
    into.get_reset_status =
        reinterpret_cast<PFNGLGETGRAPHICSRESETSTATUSPROC>(get_proc_address("glGetGraphicsResetStatus"));
    return missing;
}

}  // namespace orrery::gl

namespace orrery::gl {
namespace shaders {

/// Text of a file of core/gl/shaders; empty if there is none of this name. Generated: cmake/embed.cmake.
std::string_view file(std::string_view name);

}  // namespace shaders

namespace {

constexpr GLenum kSubgroupSize = 0x9532, kSubgroupFeatures = 0x9534;  // GL_KHR_shader_subgroup
constexpr GLint kSubgroupShuffles = 0x10;                             // GL_SUBGROUP_FEATURE_SHUFFLE_BIT_KHR

std::string text_of(const Functions& f, GLenum what) {
    const auto* bytes = f.get_string(what);
    return bytes ? reinterpret_cast<const char*>(bytes) : "unknown";
}

/// The text of a file or, for `FILE:NAME`, of one of its shaders: what follows NAME in the line `#shader NAME`, the
/// lines before the first such line, which all shaders of the file have, and those after this one.
std::string text_of(std::string_view name) {
    const bool elsewhere = name.starts_with("../");  // a text that core/maps installs
    const std::string_view file = name.substr(0, name.find(':'));
    const std::string_view text = shaders::file((elsewhere ? "" : "shaders/") + std::string{file});
    constexpr std::string_view kShader = "\n#shader ";
    const std::string start = fmt::format("{}{}", kShader, name.substr(std::min(file.size() + 1, name.size())));
    const std::size_t before = file == name ? 0 : std::min(text.find(start + ' '), text.find(start + '\n'));
    if (text.empty() || before == text.npos) throw std::logic_error{fmt::format("there is no shader {}", name)};
    if (file == name) return std::string{text};
    const std::string_view own = text.substr(before + start.size());
    return fmt::format("{}\n{}\n{}", own.substr(0, own.find('\n')), text.substr(0, text.find(kShader)),
                       own.substr(own.find('\n') + 1, own.find(kShader) - own.find('\n')));
}

/// The text of a shader with every `#include "NAME"` line replaced by that file, `#include "kernel"` by `kernel`.
std::string with_includes(std::string_view file, std::string_view kernel) {
    if (file == "kernel") return std::string{kernel};
    const std::string text = text_of(file);
    constexpr std::string_view kInclude = "#include \"";
    std::string whole;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = std::string_view{text}.substr(at, end - at);
        if (line.starts_with(kInclude))
            whole += with_includes(line.substr(kInclude.size(), line.rfind('"') - kInclude.size()), kernel);
        else
            whole += line;
        at = end;
    }
    return whole;
}

/// Why none of these devices can compute.
std::string why_none(const std::vector<GlDeviceInfo>& found) {
    std::string reason;
    for (const GlDeviceInfo& each : found)
        reason += fmt::format("{}{}: {}", reason.empty() ? "" : "; ", each.place, each.why_not);
    return reason.empty() ? "EGL lists no device" : reason;
}

/// The device that choose_gl_device() chose.
struct ChosenGlDevice {
    std::mutex mutex;
    std::string words;
    bool opened = false;  // the choice was used
};
ChosenGlDevice& chosen_gl_device() {
    static auto* const chosen = new ChosenGlDevice;  // the device's thread may outlive static objects
    return *chosen;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool is_number(const std::string& text) { return !text.empty() && std::ranges::all_of(text, ::isdigit); }

/// Why a device is not the chosen one: a number is that of an EGL device, other text a part of its place, vendor or
/// renderer. Empty if it is. Before it is opened, `info` has only its place.
std::string not_chosen(const std::string& words, const GlDeviceInfo& info, bool opened) {
    const std::string refusal = fmt::format("--gl-device {} chooses another one", words);
    if (words.empty()) return {};
    if (is_number(words)) {
        const std::string place = "EGL device " + words;
        return info.place == place || info.place.starts_with(place + ' ') ? "" : refusal;
    }
    if (!opened) return {};
    const std::string all = lower(info.place + '\n' + info.vendor + '\n' + info.renderer);
    return all.find(lower(words)) != all.npos ? "" : refusal;
}

/// The log of a compiler as part of a line.
std::string in_one_line(std::string log) {
    std::ranges::replace(log, '\n', ' ');
    while (!log.empty() && (log.back() == ' ' || log.back() == '\0')) log.pop_back();
    constexpr std::size_t kMost = 600;
    if (log.size() > kMost) log = log.substr(0, kMost) + " ...";
    return log.empty() ? "no log" : log;
}

NoRoom no_memory(std::string_view what) {
    return NoRoom{fmt::format(
        "{}: the memory of the OpenGL device does not suffice; use fewer bodies, another engine or another backend",
        what)};
}

}  // namespace

/// The context of the device's thread: its own, or one of a source.
struct Device::Context : EglContext {
    std::shared_ptr<ContextSource> source;
    bool notified = false;  // of resets

    ~Context() {
        if (source) source->release();
    }
    /// As open(), with a context of the source.
    std::string open(std::shared_ptr<ContextSource> from, Functions& f, GlDeviceInfo& info) {
        std::string why_not;
        const Loader loader = from->make_current(why_not);
        if (!loader) return why_not;
        source = std::move(from);
        return load_functions(loader, f, info);
    }
    /// Makes a context of OpenGL 4.3 current in this thread. Returns the reason if it cannot, otherwise an empty text.
    std::string open(const EglCandidate& from, Functions& f, GlDeviceInfo& info) {
        const Egl& e = egl();
        std::string why_not;
        display = EglDisplay{from, why_not};
        if (!display) return why_not;
        if (!e.bind_api(EGL_OPENGL_API)) return "no desktop OpenGL";
        const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                           EGL_NONE};
        EGLConfig config = nullptr;
        EGLint configs = 0;
        if (!e.choose_config(display.get(), wanted.data(), &config, 1, &configs) || configs == 0) config = nullptr;
        // With notification of resets if the driver has it; without, a reset ends the process or goes unnoticed.
        const std::array<EGLint, 9> with_notification{EGL_CONTEXT_MAJOR_VERSION,
                                                      4,
                                                      EGL_CONTEXT_MINOR_VERSION,
                                                      3,
                                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                                      EGL_LOSE_CONTEXT_ON_RESET,
                                                      EGL_NONE};
        std::array<EGLint, 9> plain = with_notification;
        plain[6] = EGL_NONE;
        context = e.create_context(display.get(), config, EGL_NO_CONTEXT, with_notification.data());
        notified = context != EGL_NO_CONTEXT;
        if (context == EGL_NO_CONTEXT) context = e.create_context(display.get(), config, EGL_NO_CONTEXT, plain.data());
        if (context == EGL_NO_CONTEXT) return fmt::format("no OpenGL 4.3 core ({:#x})", e.get_error());
        if (!e.make_current(display.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
            const std::array<EGLint, 5> size{EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
            if (config) surface = e.create_pbuffer_surface(display.get(), config, size.data());
            if (surface == EGL_NO_SURFACE || !e.make_current(display.get(), surface, surface, context))
                return fmt::format("the context cannot be made current ({:#x})", e.get_error());
        }
        return load_functions(reinterpret_cast<Loader>(e.get_proc_address), f, info);
    }

private:
    static std::string load_functions(Loader loader, Functions& f, GlDeviceInfo& info) {
        if (const std::string missing = load(loader, f); !missing.empty())
            return fmt::format("OpenGL has no function {}", missing);
        info.vendor = text_of(f, GL_VENDOR);
        info.renderer = text_of(f, GL_RENDERER);
        info.version = text_of(f, GL_VERSION);
        info.software = is_software_renderer(info.renderer);
        return {};
    }
};

Program::Program(const Functions& f, const std::string& name, const std::string& source)
    : f_{f}, id_{f.create_program()} {
    const GLuint shader = f.create_shader(GL_COMPUTE_SHADER);
    const char* const text = source.c_str();
    f.shader_source(shader, 1, &text, nullptr);
    f.compile_shader(shader);
    GLint compiled = 0, linked = 0;
    f.get_shader(shader, GL_COMPILE_STATUS, &compiled);
    std::string log(4096, '\0');
    f.get_shader_log(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
    if (compiled) {
        f.attach_shader(id_, shader);
        f.link_program(id_);
        f.get_program(id_, GL_LINK_STATUS, &linked);
        if (!linked) f.get_program_log(id_, static_cast<GLsizei>(log.size()), nullptr, log.data());
    }
    f.delete_shader(shader);
    if (linked) return;
    f.delete_program(id_);
    log.resize(std::min(log.size(), log.find('\0')));
    environment_error(fmt::format("the OpenGL driver refuses the shader {}: {}; other engines may run", name,
                                  in_one_line(std::move(log))));
}

Program::~Program() { f_.delete_program(id_); }

Device::Device() : thread_{[this] { loop(); }} {
    run_on_thread([this] { open(); });
}

// Only a device that could not be opened is destroyed: drivers do not survive a context that ends during exit().
Device::~Device() {
    {
        const std::lock_guard lock{mutex_};
        work_.emplace_back(nullptr);
    }
    work_there_.notify_one();
    thread_.join();
}

std::atomic<Device*> Device::made_ = nullptr;

Device* Device::opened() {
    static Device* const opened = []() -> Device* {
        auto* device = new Device;
        if (device->context_) return made_ = device;
        delete device;
        return nullptr;
    }();
    return opened;
}

Device& Device::get() {
    Device* const device = opened();
    if (!device) environment_error("no OpenGL 4.3 without a display: " + info().reason);
    if (device->closed_) device->reopen();
    return *device;
}

namespace {
/// The last description, and earlier ones, which others may still read.
struct Published {
    std::mutex mutex;
    std::deque<GlComputeInfo> all;
};
Published& published() {
    static auto* const infos = new Published;
    return *infos;
}
}  // namespace

void Device::publish() const {
    GlComputeInfo info{.available = context_ != nullptr, .reason = {}, .devices = found_};
    if (!info.available) info.reason = why_none(found_);
    const std::lock_guard lock{published().mutex};
    published().all.push_back(std::move(info));
}

const GlComputeInfo& Device::info() {
    if (const Device* const device = opened(); device && device->closed_) {
        try {
            get();
        } catch (const Error&) {  // described below
        }
    }
    const std::lock_guard lock{published().mutex};
    return published().all.back();
}

void Device::loop() {
    std::unique_lock lock{mutex_};
    for (;;) {
        work_there_.wait(lock, [this] { return !work_.empty(); });
        const std::function<void()> work = std::move(work_.front());
        work_.pop_front();
        if (!work) break;
        lock.unlock();
        work();
        lock.lock();
        ++done_;
        work_done_.notify_all();
    }
    context_.reset();
}

void Device::post(std::function<void()> work) {
    {
        const std::lock_guard lock{mutex_};
        work_.push_back(std::move(work));
        ++given_;
    }
    work_there_.notify_one();
}

void Device::run_on_thread(std::function<void()> work) {
    if (std::this_thread::get_id() == thread_.get_id()) return work();
    std::exception_ptr failure;
    std::unique_lock lock{mutex_};
    work_.emplace_back([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
    });
    const std::uint64_t ticket = ++given_;
    work_there_.notify_one();
    work_done_.wait(lock, [&] { return done_ >= ticket; });
    if (failure) std::rethrow_exception(failure);
}

void Device::wait() {
    run_on_thread([this] {
        f_.finish();
        check("waiting for the OpenGL device");
    });
}

void Device::close() {
    programs_.clear();
    // Objects that are shared with a context that draws outlive this context.
    const std::vector<GLuint> names(counts_.names.begin(), counts_.names.end());
    if (context_ && !lost_) f_.delete_buffers(static_cast<GLsizei>(names.size()), names.data());
    counts_.names.clear();
    source_ = nullptr;
    context_.reset();
    arguments_.forget();
    found_.clear();
}

void Device::reopen() {
    run_on_thread([this] {
        close();
        ++generation_;
        closed_ = true;
        open();
        closed_ = !context_;
        if (!context_) environment_error("the OpenGL device cannot be opened again: " + why_none(found_));
        lost_ = false;
    });
}

void Device::reopen_if_lost() {
    run_on_thread([this] {
        if (lost_) reopen();
    });
}

void Device::detach(const ContextSource& source) {
    run_on_thread([&] {
        if (!context_ || context_->source.get() != &source) return;
        close();
        ++generation_;
        closed_ = true;
    });
}

std::optional<SharedContext> Device::shared_context(void* egl_display) {
    return run([&]() -> std::optional<SharedContext> {
        if (!context_ || context_->source || context_->display.get() != egl_display) return std::nullopt;
        return SharedContext{context_->context, context_->notified};
    });
}

/// Opens a context that shares objects with the one that draws, if there is one. `hardware`: this machine has a GPU.
void Device::try_source(const std::string& chosen, bool hardware) {
    std::shared_ptr<ContextSource> source = offered_source();
    if (!source) return;
    GlDeviceInfo info{.place = source->description(), .software = source->software()};
    info.why_not = not_chosen(chosen, info, false);
    if (source->software() && hardware && chosen.empty()) info.why_not = "it draws on the CPU, and there is a GPU";
    auto context = std::make_unique<Context>();
    if (info.why_not.empty()) {
        info.why_not = context->open(std::move(source), f_, info);
        info.refused = !info.why_not.empty();
    }
    if (info.why_not.empty()) info.why_not = not_chosen(chosen, info, true);
    if (info.why_not.empty()) info.why = chosen.empty() ? "it draws" : "it was chosen";
    found_.push_back(std::move(info));
    if (!found_.back().why_not.empty()) return;
    context_ = std::move(context);
    source_ = context_->source.get();
    find_limits();
}

void Device::open() {
    std::string lacks, chosen;
    {
        const std::lock_guard lock{chosen_gl_device().mutex};
        chosen_gl_device().opened = true;
        chosen = chosen_gl_device().words;
    }
    std::vector<EglCandidate> all;
    try {
        all = egl_candidates(egl(), cuda_info().available ? 0 : -1, lacks);
        try_source(chosen, std::ranges::any_of(all, [](const EglCandidate& each) { return each.rank < 2; }));
    } catch (const Error& error) {
        try_source(chosen, false);
        if (!context_) found_.push_back({.place = "EGL", .why_not = error.what()});
    }
    for (const EglCandidate& each : all) {
        GlDeviceInfo info{.place = each.description};
        if (context_) {
            info.software = each.software;
            info.why_not = "not opened: the first device computes";
        } else if (info.why_not = not_chosen(chosen, info, false); info.why_not.empty()) {
            auto context = std::make_unique<Context>();
            info.why_not = context->open(each, f_, info);
            info.refused = !info.why_not.empty();
            if (info.why_not.empty()) info.why_not = not_chosen(chosen, info, true);
            if (info.why_not.empty())
                info.why = !chosen.empty()  ? "it was chosen"
                           : each.rank == 0 ? "it is the device of CUDA"
                           : info.software  ? "no GPU has OpenGL 4.3"
                                            : "the first GPU that EGL lists";
            if (info.why_not.empty()) context_ = std::move(context);
        }
        found_.push_back(std::move(info));
        if (context_ && found_.back().why_not.empty()) find_limits();
    }
    const auto used = std::ranges::find_if(found_, [](const GlDeviceInfo& each) { return each.why_not.empty(); });
    if (used != found_.end()) std::rotate(found_.begin(), used, used + 1);
    publish();
}

void Device::find_limits() {
    const auto integer = [this](GLenum what) {
        GLint value = 0;
        f_.get_integer(what, &value);
        return value;
    };
    GLint64 block = 0;
    f_.get_integer64(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
    limits_.buffer_bytes = static_cast<std::uint64_t>(std::max<GLint64>(block, 0));
    limits_.threads = integer(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    limits_.shared_bytes = static_cast<std::size_t>(integer(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE));
    limits_.groups = 65535;  // the least that OpenGL permits
    // A loader may return a function that the driver does not have.
    const bool later = integer(GL_MAJOR_VERSION) > 4 || integer(GL_MINOR_VERSION) >= 5;
    bool subgroups = false, robust = later;
    const GLint extensions = integer(GL_NUM_EXTENSIONS);
    for (GLint i = 0; i < extensions; ++i) {
        const auto* name = f_.get_string_i(GL_EXTENSIONS, static_cast<GLuint>(i));
        const std::string_view text = name ? reinterpret_cast<const char*>(name) : "";
        limits_.float_atomics |= text == "GL_NV_shader_atomic_float";
        subgroups |= text == "GL_KHR_shader_subgroup";
        robust |= text == "GL_KHR_robustness";
    }
    if (!robust) f_.get_reset_status = nullptr;
    limits_.shuffles = subgroups && integer(kSubgroupSize) == 32 && (integer(kSubgroupFeatures) & kSubgroupShuffles);
    found_.back().max_buffer = limits_.buffer_bytes;
    found_.back().max_threads = limits_.threads;
    arguments_.open(f_);
    const std::vector<GLuint> names = arguments_.names();
    counts_.names.insert(names.begin(), names.end());
    while (f_.get_error() != GL_NO_ERROR) continue;
}

const Program& Device::program(std::string_view file, const std::string& defines, std::string_view kernel) {
    const std::string key = fmt::format("{}\n{}{}", file, defines, kernel);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return *found->second;
    const std::string source = "#version 430\n" + defines + with_includes(file, kernel);
    auto made = std::make_unique<Program>(f_, std::string{file}, source);
    return *programs_.emplace(key, std::move(made)).first->second;
}

void Device::dispatch(const Program& program, std::initializer_list<unsigned> buffers,
                      std::span<const std::byte> arguments, std::uint64_t groups, After after) {
    if (groups == 0) return;
    const std::uint64_t x = std::min<std::uint64_t>(groups, limits_.groups);
    dispatch_grid(program, buffers, arguments,
                  {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>((groups + x - 1) / x), 1}, after);
}

void Device::dispatch_grid(const Program& program, std::initializer_list<unsigned> buffers,
                           std::span<const std::byte> arguments, std::array<std::uint32_t, 3> groups, After after) {
    if (after == After::kAll) barrier();
    f_.use_program(program.id());
    GLuint binding = 0;
    for (const unsigned buffer : buffers) {
        if (buffer != 0) f_.bind_buffer_base(GL_SHADER_STORAGE_BUFFER, binding, buffer);
        ++binding;
    }
    arguments_.bind(f_, arguments);
    f_.dispatch_compute(groups[0], groups[1], groups[2]);
    ++counts_.dispatches;
}

// Commands that copy buffers have other barriers: Buffer::read(), write(), clear().
void Device::barrier() { f_.memory_barrier(GL_SHADER_STORAGE_BARRIER_BIT); }

void Device::check(std::string_view what) {
    constexpr GLenum kContextLost = 0x0507;
    constexpr int kMostErrors = 16;  // a lost context may report its loss without end
    const GLenum error = f_.get_error();
    for (int i = 0; i < kMostErrors && error != GL_NO_ERROR && f_.get_error() != GL_NO_ERROR;) ++i;
    if (error == kContextLost || (f_.get_reset_status && f_.get_reset_status() != GL_NO_ERROR)) lost_ = true;
    if (lost_)
        throw DeviceLost{
            fmt::format("{}: the OpenGL driver has reset the device; use another backend if this repeats", what)};
    if (error == GL_NO_ERROR) return;
    if (error == GL_OUT_OF_MEMORY) throw no_memory(what);
    environment_error(fmt::format("{}: OpenGL error {:#x}", what, error));
}

void Device::require_room(std::uint64_t bytes) const {
    const std::uint64_t most = std::min(limits_.buffer_bytes, pretended_.buffer_bytes);
    if (bytes > most)
        throw NoRoom{
            fmt::format("a buffer of {} bytes exceeds the limit of the OpenGL device, {} bytes "
                        "(GL_MAX_SHADER_STORAGE_BLOCK_SIZE); use fewer bodies or another backend",
                        bytes, most)};
    if (counts_.memory + bytes > pretended_.memory) throw no_memory(fmt::format("a buffer of {} bytes", bytes));
}

Buffer::Buffer(std::uint64_t bytes) : bytes_{bytes} {
    Device& device = Device::get();
    device.require_room(bytes);
    generation_ = device.generation();
    device.run([&] {
        const Functions& f = device.functions();
        f.gen_buffers(1, &name_);
        f.bind_buffer(GL_SHADER_STORAGE_BUFFER, name_);
        f.buffer_data(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
        try {
            device.check(fmt::format("a buffer of {} bytes", bytes));
        } catch (const Error&) {
            f.delete_buffers(1, &name_);
            name_ = 0;
            throw;
        }
        device.counts().names.insert(name_);
    });
    ++device.counts().buffers, device.counts().memory += bytes;
}

Buffer::~Buffer() {
    if (name_ == 0) return;
    Device& device = Device::of_objects();
    --device.counts().buffers, device.counts().memory -= bytes_;
    device.post([&device, name = name_, generation = generation_] {
        if (generation != device.generation()) return;
        device.functions().delete_buffers(1, &name);
        device.counts().names.erase(name);
    });
}

void Buffer::write(std::span<const std::byte> from, std::uint64_t offset) {
    if (from.empty()) return;
    Device& device = Device::get();
    device.run([&] {
        require_alive();
        const Functions& f = device.functions();
        f.memory_barrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        f.bind_buffer(GL_SHADER_STORAGE_BUFFER, name_);
        f.buffer_sub_data(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(from.size()),
                          from.data());
        device.counts().written += from.size();
    });
}

void Buffer::read(std::span<std::byte> to, std::uint64_t offset) const {
    if (to.empty()) return;
    Device& device = Device::get();
    device.run([&] {
        require_alive();
        const Functions& f = device.functions();
        f.memory_barrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        f.bind_buffer(GL_SHADER_STORAGE_BUFFER, name_);
        f.get_buffer_sub_data(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset),
                              static_cast<GLsizeiptr>(to.size()), to.data());
        device.counts().read += to.size();
        device.check("reading a buffer");
    });
}

void Buffer::clear() {
    if (name_ == 0) return;
    Device& device = Device::get();
    device.run([&] {
        require_alive();
        const Functions& f = device.functions();
        f.memory_barrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        f.bind_buffer(GL_SHADER_STORAGE_BUFFER, name_);
        f.clear_buffer_data(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
        f.memory_barrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    });
}

void Buffer::require_alive() const {
    if (stale()) throw DeviceLost{"a buffer of the OpenGL device no longer exists: the device was opened again"};
}

Timestamp::~Timestamp() {
    if (query_ == 0) return;
    Device& device = Device::of_objects();
    device.post([&device, query = query_, generation = generation_] {
        if (generation == device.generation()) device.functions().delete_queries(1, &query);
    });
}

void Timestamp::record() {
    Device& device = Device::get();
    device.run([&] {
        if (query_ == 0 || stale()) device.functions().gen_queries(1, &query_), generation_ = device.generation();
        device.functions().query_counter(query_, GL_TIMESTAMP);
    });
}

bool Timestamp::there() const {
    Device& device = Device::get();
    return device.run([&] {
        GLint there = 1;
        if (stale()) return true;
        device.functions().get_query_int(query_, GL_QUERY_RESULT_AVAILABLE, &there);
        return there != 0;
    });
}

std::uint64_t Timestamp::read() const {
    Device& device = Device::get();
    return device.run([&] {
        GLuint64 nanoseconds = 0;
        if (stale()) return std::uint64_t{0};
        device.functions().get_query_uint64(query_, GL_QUERY_RESULT, &nanoseconds);
        return static_cast<std::uint64_t>(nanoseconds);
    });
}

}  // namespace orrery::gl

namespace orrery {

const GlComputeInfo& gl_compute_info() { return gl::Device::info(); }

void reopen_lost_gl_device() {
    if (gl::Device::info().available) gl::Device::get().reopen_if_lost();
}

void choose_gl_device(const std::string& words) {
    const std::lock_guard lock{gl::chosen_gl_device().mutex};
    if (words == gl::chosen_gl_device().words) return;
    if (gl::chosen_gl_device().opened)
        usage_error(fmt::format("the OpenGL device {} cannot be chosen: one is already in use", words));
    gl::chosen_gl_device().words = words;
}

void change_gl_device(const std::string& words) {
    std::string before = words;
    {
        const std::lock_guard lock{gl::chosen_gl_device().mutex};
        std::swap(before, gl::chosen_gl_device().words);
    }
    gl::Device* const device = gl::Device::if_open();
    if (before == words || !device) return;
    try {
        device->reopen();
    } catch (const Error&) {
        {
            const std::lock_guard lock{gl::chosen_gl_device().mutex};
            gl::chosen_gl_device().words = before;
        }
        device->reopen();
        throw;
    }
}

std::string choice_of(const GlDeviceInfo& device) {
    constexpr std::string_view kNumbered = "EGL device ";
    if (!device.place.starts_with(kNumbered)) return device.place;
    return device.place.substr(kNumbered.size(), device.place.find(' ', kNumbered.size()) - kNumbered.size());
}

bool has_gl_hardware() {
    static const bool there = [] {
        std::string lacks;
        try {
            const auto hardware = [](const EglCandidate& each) { return each.rank < 2; };
            if (std::ranges::none_of(egl_candidates(egl(), -1, lacks), hardware)) return false;
        } catch (const Error&) {
            return false;
        }
        const GlComputeInfo& found = gl_compute_info();
        return found.available && !found.devices.front().software;
    }();
    return there;
}

}  // namespace orrery

namespace orrery::gl {

void ArgumentRing::open(const Functions& f) {
    forget();
    if (f.buffer_storage) {
        constexpr GLbitfield kMapped = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
        f.gen_buffers(1, &mapped_);
        f.bind_buffer(GL_UNIFORM_BUFFER, mapped_);
        f.buffer_storage(GL_UNIFORM_BUFFER, kSlots * kSlotBytes, nullptr, kMapped);
        memory_ = static_cast<std::byte*>(f.map_buffer_range(GL_UNIFORM_BUFFER, 0, kSlots * kSlotBytes, kMapped));
        if (memory_) return;
        f.delete_buffers(1, &mapped_);
    }
    f.gen_buffers(static_cast<GLsizei>(buffers_.size()), buffers_.data());
    for (const GLuint buffer : buffers_) {
        f.bind_buffer(GL_UNIFORM_BUFFER, buffer);
        f.buffer_data(GL_UNIFORM_BUFFER, kSlotBytes, nullptr, GL_DYNAMIC_DRAW);
    }
}

std::vector<GLuint> ArgumentRing::names() const {
    if (memory_) return {mapped_};
    return {buffers_.begin(), buffers_.end()};
}

void ArgumentRing::wait_for_segment(const Functions& f, std::size_t segment) {
    constexpr GLuint64 kLong = 1'000'000'000;  // nanoseconds
    GLsync& last = used_[segment];
    if (!last) return;
    // A context that was lost signals every fence.
    while (f.client_wait_sync(last, GL_SYNC_FLUSH_COMMANDS_BIT, kLong) == GL_TIMEOUT_EXPIRED) continue;
    f.delete_sync(last);
    last = nullptr;
}

void ArgumentRing::bind(const Functions& f, std::span<const std::byte> arguments) {
    if (!memory_) {
        const GLuint buffer = buffers_[turn_++ % buffers_.size()];
        f.bind_buffer(GL_UNIFORM_BUFFER, buffer);
        f.buffer_sub_data(GL_UNIFORM_BUFFER, 0, static_cast<GLsizeiptr>(arguments.size()), arguments.data());
        f.bind_buffer_base(GL_UNIFORM_BUFFER, 0, buffer);
        return;
    }
    const std::size_t slot = turn_++ % kSlots, segment = slot / kOfSegment;
    if (slot % kOfSegment == 0) {
        // All dispatches with slots of the previous segment have been issued.
        if (turn_ > 1)
            used_[(segment + used_.size() - 1) % used_.size()] = f.fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        wait_for_segment(f, segment);
    }
    std::memcpy(memory_ + slot * kSlotBytes, arguments.data(), arguments.size());
    f.bind_buffer_range(GL_UNIFORM_BUFFER, 0, mapped_, static_cast<GLintptr>(slot * kSlotBytes), kSlotBytes);
}

}  // namespace orrery::gl
