// SPDX-License-Identifier: MIT
#include "tests/app/window/drag_source.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace orrery::test {
namespace {

class DragSource {
public:
    DragSource(const std::string& display, const std::vector<std::filesystem::path>& files)
        : display_{XOpenDisplay(display.c_str())} {
        for (const auto& file : files) offer_ += "file://" + file.string() + "\r\n";
        if (!display_) throw std::runtime_error{"no display " + display};
        window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display_, atom("XdndSelection"), window_, CurrentTime);
    }
    DragSource(const DragSource&) = delete;
    DragSource& operator=(const DragSource&) = delete;
    ~DragSource() { XCloseDisplay(display_); }

    bool drop(int x, int y) {
        target_ = window_at(x, y);
        send("XdndEnter", {5L << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
        send("XdndPosition",
             {0, (static_cast<long>(x) << 16) | y, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
        if (!(wait_for("XdndStatus").data.l[1] & 1)) return false;
        send("XdndDrop", {0, CurrentTime, 0, 0});
        return wait_for("XdndFinished").data.l[1] != 0;  // GLFW reports the number of bytes received
    }

private:
    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    /// The innermost window at a point of the screen.
    Window window_at(int x, int y) const {
        Window window = DefaultRootWindow(display_), child = None;
        int inner_x = 0, inner_y = 0;
        while (XTranslateCoordinates(display_, DefaultRootWindow(display_), window, x, y, &inner_x, &inner_y, &child) &&
               child != None)
            window = child;
        return window;
    }

    void send(const char* type, const std::array<long, 4>& words) const {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(window_);
        for (std::size_t i = 0; i < words.size(); ++i) event.xclient.data.l[i + 1] = words[i];
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }

    /// Waits for a client message and serves selection requests meanwhile.
    XClientMessageEvent wait_for(const char* type) const {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::seconds{10}) {
            if (XPending(display_) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds{2});
                continue;
            }
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) answer(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return event.xclient;
        }
        throw std::runtime_error{std::string{"the window did not answer with "} + type};
    }

    void answer(const XSelectionRequestEvent& request) const {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(offer_.data()), static_cast<int>(offer_.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = request.property;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    ::Display* display_;
    Window window_ = None, target_ = None;
    std::string offer_;
};

}  // namespace

bool drop_files(const std::string& display, const std::vector<std::filesystem::path>& files, int x, int y) {
    return DragSource{display, files}.drop(x, y);
}

}  // namespace orrery::test
