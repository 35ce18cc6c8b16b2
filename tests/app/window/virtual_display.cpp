// SPDX-License-Identifier: MIT
#include "tests/app/window/virtual_display.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace orrery::test {

namespace {

/// Sets the DPI as a desktop does for its programs.
void set_dpi(const std::string& display, int dpi) {
    Display* server = XOpenDisplay(display.c_str());
    if (!server) throw std::runtime_error{"cannot connect to Xvfb"};
    const std::string text = "Xft.dpi:\t" + std::to_string(dpi) + "\n";
    XChangeProperty(server, DefaultRootWindow(server), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    XSetCloseDownMode(server, RetainPermanent);
    XCloseDisplay(server);
}

}  // namespace

VirtualDisplay::VirtualDisplay(int width, int height, int dpi) : width_{width}, height_{height} {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error{"pipe failed"};
    // -r: no key repeats, even if xdotool is not scheduled for long between press and release.
    server_ = std::make_unique<Child>(Launch{
        .command = {"Xvfb", "-displayfd", "3", "-screen", "0",
                    std::to_string(width) + 'x' + std::to_string(height) + "x24", "-nolisten", "tcp", "-noreset", "-r"},
        .inherit = ends[1]});
    close(ends[1]);
    // Once it accepts connections, the server writes its number and a newline.
    while (name_.empty() || name_.back() != '\n') {
        pollfd ready{ends[0], POLLIN, 0};
        char letter = 0;
        if (poll(&ready, 1, 60'000) != 1 || read(ends[0], &letter, 1) != 1) {
            close(ends[0]);
            throw std::runtime_error{"Xvfb did not start"};
        }
        name_ += letter;
    }
    close(ends[0]);
    name_ = ':' + name_.substr(0, name_.size() - 1);
    if (dpi != 96) set_dpi(name_, dpi);
}

void VirtualDisplay::set_keyboard(const std::string& layout) const {
    run_child({.command = {"setxkbmap", "-display", name_, layout}});
}

void VirtualDisplay::ask_to_close() const {
    Display* server = XOpenDisplay(name_.c_str());
    if (!server) throw std::runtime_error{"cannot connect to Xvfb"};
    const Atom protocols = XInternAtom(server, "WM_PROTOCOLS", False),
               ends = XInternAtom(server, "WM_DELETE_WINDOW", False);
    Window root = 0, parent = 0, *windows = nullptr;
    unsigned count = 0;
    XQueryTree(server, DefaultRootWindow(server), &root, &parent, &windows, &count);
    for (unsigned i = 0; i < count; ++i) {
        Atom* understood = nullptr;
        int atoms = 0;
        if (!XGetWMProtocols(server, windows[i], &understood, &atoms)) continue;
        XFree(understood);
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = windows[i];
        event.xclient.message_type = protocols;
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(ends);
        event.xclient.data.l[1] = CurrentTime;
        XSendEvent(server, windows[i], False, NoEventMask, &event);
    }
    if (windows) XFree(windows);
    XCloseDisplay(server);
}

Xdotool& VirtualDisplay::input() const {
    if (!input_) input_ = std::make_unique<Xdotool>(name_);
    return *input_;
}

void VirtualDisplay::reset_input() const {
    if (!input_) return;
    const std::vector<std::string> words{"keyup",
                                         "ctrl",
                                         "keyup",
                                         "shift",
                                         "mouseup",
                                         "1",
                                         "mouseup",
                                         "2",
                                         "mouseup",
                                         "3",
                                         "mousemove",
                                         std::to_string(width_ / 2),
                                         std::to_string(height_ / 2)};
    try {
        input_->act(words);
    } catch (const std::runtime_error&) {  // xdotool ends if a window it searched for is gone
        input_ = std::make_unique<Xdotool>(name_);
        input_->act(words);
    }
}

std::string VirtualDisplay::pixels(unsigned width, unsigned height) const {
    Display* server = XOpenDisplay(name_.c_str());
    if (!server) throw std::runtime_error{"cannot connect to Xvfb"};
    XImage* image = XGetImage(server, DefaultRootWindow(server), 0, 0, width, height, AllPlanes, ZPixmap);
    std::string colors;
    for (unsigned y = 0; image && y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            const unsigned long pixel = XGetPixel(image, static_cast<int>(x), static_cast<int>(y));
            for (const int shift : {16, 8, 0}) colors += static_cast<char>(pixel >> shift & 255);
        }
    if (image) XDestroyImage(image);
    XCloseDisplay(server);
    return colors;
}

}  // namespace orrery::test
