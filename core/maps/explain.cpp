// SPDX-License-Identifier: MIT
#include "core/maps/explain.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/base/bits.hpp"
#include "core/maps/roots.hpp"

namespace orrery {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kNavarro =
    "C. A. Navarro, B. Bustos, N. Hitschfeld: A non-linear GPU thread map for triangular domains, 2016 (arXiv "
    "1609.01490)";
constexpr std::string_view kJung =
    "J. H. Jung, D. P. O'Leary: Exploiting structure of symmetric or triangular matrices on a GPU, 2008";
constexpr std::string_view kRies =
    "F. Ries, T. De Marco, M. Zivieri, R. Guerrieri: Triangular matrix inversion on graphics processing unit, SC '09, "
    "2009";
constexpr std::string_view kAvril =
    "Q. Avril, V. Gouranton, B. Arnaldi: Fast collision culling in large-scale environments using GPU mapping "
    "function, "
    "EGPGV 2012";
constexpr std::string_view kHadouken =
    "C. A. Navarro and others: A scalable and energy efficient GPU thread map for m-simplex domains, 2022 (arXiv "
    "2208.11617)";

/// A block of a launch, and the tile that the map gives it.
struct Pair {
    std::uint64_t x, y;
    std::uint64_t m;         // rows of the triangle
    std::uint64_t row, col;  // of the map itself
    const RootEntry& root;
};
struct Triple {
    std::uint64_t x, y, z;
    std::uint64_t m;        // layers of the tetrahedron
    std::uint64_t i, j, k;  // of the map itself
    const RootEntry& root;
};

template <class... Values>
void say(Lines& lines, fmt::format_string<Values...> text, Values&&... values) {
    lines.push_back(fmt::format(text, std::forward<Values>(values)...));
}

/// "newton: √106.25 = 10.307764", and the part of it that counts.
template <class R>
std::string root_line(double radicand) {
    using Real = typename R::Real;
    const auto x = static_cast<Real>(radicand);
    return fmt::format("{}: √{} ≈ {:.7g}", R::name, radicand, static_cast<double>(R{}(x)));
}
void add_root(Lines& lines, const RootEntry& root, std::uint64_t omega) {
    const double radicand = 2 * static_cast<double>(omega) + 0.25;
    with_root(root.root, [&]<class R>(R) { lines.push_back(root_line<R>(radicand)); });
}

/// ⌊√(2ω + ¼) − ½⌋ = row, ω − row(row + 1)/2 = col.
void say_lambda(Lines& lines, std::uint64_t omega, std::uint64_t row, std::uint64_t col) {
    say(lines, "row = ⌊√(2·{} + ¼) − ½⌋ = {}", omega, row);
    say(lines, "col = {} − {}·{}/2 = {}", omega, row, row + 1, col);
}

/// ω of a block on the balanced grid.
std::uint64_t say_grid(Lines& lines, const Pair& at) {
    const std::uint64_t side = balanced_side(static_cast<std::uint32_t>(at.m)), omega = at.x + at.y * side;
    say(lines, "ω = {} + {}·{} = {}", at.x, at.y, side, omega);
    return omega;
}

/// A row below the triangle has no tile.
void say_if_outside(Lines& lines, const Pair& at) {
    if (at.row >= at.m) say(lines, "{} ≥ {}", at.row, at.m);
}

template <class Listed>
struct Explained;

template <>
struct Explained<BoundingBox> {
    static constexpr MapNote note{"Bounding box (bb)", "row = y, col = x; idle if x > y", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        if (at.x > at.y) return say(lines, "{} > {}", at.x, at.y);
        say(lines, "{} ≤ {}", at.x, at.y);
        say(lines, "row = {}", at.row);
        say(lines, "col = {}", at.col);
    }
};

template <>
struct Explained<Rooted<Lambda>> {
    static constexpr MapNote note{"λ: row by square root (lambda)",
                                  "ω = x, row = ⌊√(2ω + ¼) − ½⌋, col = ω − row·(row + 1)/2", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        say(lines, "ω = {}", at.x);
        say_lambda(lines, at.x, at.row, at.col);
        add_root(lines, at.root, at.x);
    }
};

template <>
struct Explained<Rooted<LambdaGrid>> {
    static constexpr MapNote note{
        "λ on a balanced grid (lambda-grid)",
        "ω = x + y·m′, m′ the side of the smallest square, row = ⌊√(2ω + ¼) − ½⌋, col = ω − row·(row + 1)/2", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        const std::uint64_t omega = say_grid(lines, at);
        say_lambda(lines, omega, at.row, at.col);
        say_if_outside(lines, at);
        add_root(lines, at.root, omega);
    }
};

template <>
struct Explained<RectangularBox> {
    static constexpr MapNote note{"Rectangular box (rb)",
                                  "m even: (y − 1, x) if y > x, else (m − y − 1, m − x − 1); m odd: (y, x) if y ≥ x, "
                                  "else (m − y − 1, m − x)",
                                  kJung};
    static void work(Lines& lines, const Pair& at) {
        const bool even = at.m % 2 == 0, stays = even ? at.y > at.x : at.y >= at.x;
        say(lines, "{} {} {}", at.y, stays ? (even ? ">" : "≥") : (even ? "≤" : "<"), at.x);
        if (stays && even) say(lines, "row = {} − 1 = {}", at.y, at.row);
        if (stays && !even) say(lines, "row = {}", at.row);
        if (!stays) say(lines, "row = {} − {} − 1 = {}", at.m, at.y, at.row);
        if (stays) return say(lines, "col = {}", at.col);
        even ? say(lines, "col = {} − {} − 1 = {}", at.m, at.x, at.col)
             : say(lines, "col = {} − {} = {}", at.m, at.x, at.col);
    }
};

template <>
struct Explained<Recursive> {
    static constexpr MapNote note{
        "Recursive partition (rec)",
        "the diagonal, then levels l of squares with side 2^l: i = x − begin(l), n = ⌊i/2^l⌋, c = "
        "2·2^l·⌊n/2^l⌋, row = c + 2^l + n mod 2^l, col = c + i mod 2^l",
        kRies};
    static void work(Lines& lines, const Pair& at) {
        if (at.x < at.m) {
            say(lines, "{} < {}", at.x, at.m);
            say(lines, "row = {}", at.row);
            return say(lines, "col = {}", at.col);
        }
        // The level of a tile: the highest bit in which row and column differ.
        const int level = bit_width(at.row ^ at.col) - 1;
        const std::uint64_t side = std::uint64_t{1} << level;
        const std::uint64_t begin = Recursive::begin(level, static_cast<std::uint32_t>(at.m)), i = at.x - begin;
        const std::uint64_t nth = i / side, corner = 2 * side * (nth / side);
        say(lines, "l = {}, 2^l = {}", level, side);
        say(lines, "i = {} − {} = {}", at.x, begin, i);
        say(lines, "n = ⌊{}/{}⌋ = {}", i, side, nth);
        say(lines, "c = 2·{}·⌊{}/{}⌋ = {}", side, nth, side, corner);
        say(lines, "row = {} + {} + {} mod {} = {}", corner, side, nth, side, at.row);
        say(lines, "col = {} + {} mod {} = {}", corner, i, side, at.col);
    }
};

template <>
struct Explained<Rooted<Utm>> {
    static constexpr MapNote note{"Upper triangular (utm)",
                                  "ω = m·(m + 1)/2 − 1 − x, r = ⌊√(2ω + ¼) − ½⌋, c = ω − r·(r + 1)/2; row = m − 1 − c, "
                                  "col = m − 1 − r",
                                  kAvril};
    static void work(Lines& lines, const Pair& at) {
        const std::uint64_t omega = triangular(at.m) - 1 - at.x, r = at.m - 1 - at.col, c = at.m - 1 - at.row;
        say(lines, "ω = {}·{}/2 − 1 − {} = {}", at.m, at.m + 1, at.x, omega);
        say(lines, "r = ⌊√(2·{} + ¼) − ½⌋ = {}", omega, r);
        say(lines, "c = {} − {}·{}/2 = {}", omega, r, r + 1, c);
        say(lines, "row = {} − 1 − {} = {}", at.m, c, at.row);
        say(lines, "col = {} − 1 − {} = {}", at.m, r, at.col);
        add_root(lines, at.root, omega);
    }
};

template <>
struct Explained<Lut> {
    static constexpr MapNote note{"Look-up table (lut)", "(row, col) = table[x], 8 bytes per tile", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        say(lines, "table[{}]", at.x);
        say(lines, "row = {}", at.row);
        say(lines, "col = {}", at.col);
    }
};

/// The core of H in a triangle of n = 2^k rows below row `above`.
void say_core(Lines& lines, std::uint64_t x, std::uint64_t y, std::uint64_t n, std::uint64_t above, const Pair& at) {
    const std::string plus = above > 0 ? fmt::format("{} + ", above) : std::string{};
    if (y >= n - 1) {
        say(lines, "{} ≥ {} − 1", y, n);
        say(lines, "row = {}{} + {}·{} = {}", plus, x, y - (n - 1), n / 2, at.row);
        return say(lines, "col = {}{} + {}·{} = {}", plus, x, y - (n - 1), n / 2, at.col);
    }
    const std::uint64_t b = bit_floor(y + 1), q = x / b;
    say(lines, "b = {} ≤ {} + 1 < {}", b, y, 2 * b);
    say(lines, "q = ⌊{}/{}⌋ = {}", x, b, q);
    say(lines, "row = {}{} + 1 + 2·{}·{} = {}", plus, y, q, b, at.row);
    say(lines, "col = {}{} + {}·{} = {}", plus, x, q, b, at.col);
}

template <>
struct Explained<Hadouken> {
    static constexpr MapNote note{
        "Hadouken, by bits (hadouken)",
        "m = 2^k: b = 2^⌊log₂(y + 1)⌋, q = ⌊x/b⌋, row = y + 1 + 2qb, col = x + qb; the last two "
        "lines are the diagonal; other m: a trapezoid for each set bit of m",
        kHadouken};
    static void work(Lines& lines, const Pair& at) {
        if (at.m > 1 && is_power_of_two(at.m)) return say_core(lines, at.x, at.y, at.m, 0, at);
        std::uint64_t above = 0, side = bit_floor(at.m);
        while (at.x >= triangular(above + side)) above += side, side = bit_floor(at.m - above);
        const std::uint64_t k = at.x - triangular(above), rectangle = above * side;
        if (above > 0) say(lines, "k = {} − {}·{}/2 = {}", at.x, above, above + 1, k);
        if (k < rectangle) {
            say(lines, "row = {} + {} mod {} = {}", above, k, side, at.row);
            return say(lines, "col = ⌊{}/{}⌋ = {}", k, side, at.col);
        }
        const std::uint64_t rest = k - rectangle, half = side / 2;
        if (side == 1) {
            say(lines, "row = {}", at.row);
            return say(lines, "col = {}", at.col);
        }
        if (rectangle > 0) say(lines, "k − {}·{} = {} − {}·{} = {}", above, side, k, above, side, rest);
        say(lines, "x = {} mod {} = {}", rest, half, rest % half);
        say(lines, "y = ⌊{}/{}⌋ = {}", rest, half, rest / half);
        say_core(lines, rest % half, rest / half, side, above, at);
    }
};

template <>
struct Explained<Rooted<LambdaStrict>> {
    static constexpr MapNote note{
        "λ without diagonal (lambda-strict)",
        "ω < m·(m − 1)/2: row = ⌊√(2ω + ¼) + ½⌋, col = ω − row·(row − 1)/2; then the diagonal", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        const std::uint64_t below = triangular(at.m) - at.m;
        say(lines, "ω = {}", at.x);
        if (at.x >= below) {
            say(lines, "row = {} − {}·{}/2 = {}", at.x, at.m, at.m - 1, at.row);
            return say(lines, "col = {}", at.col);
        }
        say(lines, "row = ⌊√(2·{} + ¼) + ½⌋ = {}", at.x, at.row);
        say(lines, "col = {} − {}·{}/2 = {}", at.x, at.row, at.row - 1, at.col);
        add_root(lines, at.root, at.x);
    }
};

/// The root alone decides: its value, less `constant`, rounded down.
void say_published(Lines& lines, const Pair& at, std::uint64_t omega, std::string_view constant) {
    const double radicand = 2 * static_cast<double>(omega) + 0.25;
    with_root(at.root.root, [&]<class R>(R) {
        const auto value = static_cast<double>(R{}(static_cast<typename R::Real>(radicand)));
        say(lines, "√{} ≈ {:.7g}", radicand, value);
        say(lines, "row = ⌊{:.7g} {}⌋ = {}", value, constant, at.row);
    });
    const auto col = static_cast<std::int64_t>(omega) - static_cast<std::int64_t>(triangular(at.row));
    say(lines, "col = {} − {}·{}/2 = {}", omega, at.row, at.row + 1, col);
    say_if_outside(lines, at);
}
std::string_view published_constant(RootId root) {
    std::string_view constant;
    with_root(root, [&]<class R>(R) { constant = published_epsilon<R> > 0 ? "− 0.5 + 0.0001" : "− 0.5"; });
    return constant;
}

template <>
struct Explained<Rooted<LambdaPublished>> {
    static constexpr MapNote note{"λ as published (lambda-published)",
                                  "ω = x, row = ⌊√(2ω + ¼) − ½ + ε⌋ by the root alone, col = ω − row·(row + 1)/2",
                                  kNavarro};
    static void work(Lines& lines, const Pair& at) {
        say(lines, "ω = {}", at.x);
        say_published(lines, at, at.x, published_constant(at.root.root));
    }
};

template <>
struct Explained<Rooted<LambdaOffset>> {
    static constexpr MapNote note{"λ with −0.4999 (lambda-offset)",
                                  "ω = x, row = ⌊√(2ω + ¼) − 0.4999⌋ by the root alone, col = ω − row·(row + 1)/2",
                                  kHadouken};
    static void work(Lines& lines, const Pair& at) {
        say(lines, "ω = {}", at.x);
        say_published(lines, at, at.x, "− 0.4999");
    }
};

template <>
struct Explained<Rooted<LambdaPublishedGrid>> {
    static constexpr MapNote note{
        "λ as published, balanced grid (lambda-published-grid)",
        "ω = x + y·m′, row = ⌊√(2ω + ¼) − ½ + ε⌋ by the root alone, col = ω − row·(row + 1)/2", kNavarro};
    static void work(Lines& lines, const Pair& at) {
        say_published(lines, at, say_grid(lines, at), published_constant(at.root.root));
    }
};

template <>
struct Explained<BoundingCube> {
    static constexpr MapNote note{"Bounding cube (cube)", "i = x, j = y, k = z; idle unless x ≤ y ≤ z", kNavarro};
    static void work(Lines& lines, const Triple& at) {
        if (at.x > at.y) return say(lines, "{} > {}", at.x, at.y);
        if (at.y > at.z) return say(lines, "{} > {}", at.y, at.z);
        say(lines, "{} ≤ {} ≤ {}", at.x, at.y, at.z);
        say(lines, "i = {}", at.i);
        say(lines, "j = {}", at.j);
        say(lines, "k = {}", at.k);
    }
};

/// k from the cubic equation, then λ of the remainder.
void say_lambda3(Lines& lines, const Triple& at, std::uint64_t omega) {
    const std::uint64_t before = tetrahedral(at.k), rest = omega - before;
    const double c = std::cbrt(6 * static_cast<double>(omega));
    if (omega > 0) say(lines, "s³ + 3s² + 2s − 6·{} = 0: s ≈ {:.5g}", omega, c + 1 / (3 * c) - 1);
    say(lines, "k = {}", at.k);
    if (at.k >= at.m) return say(lines, "{} ≥ {}", at.k, at.m);
    say(lines, "ω₂ = {} − {}·{}·{}/6 = {}", omega, at.k, at.k + 1, at.k + 2, rest);
    say(lines, "j = ⌊√(2·{} + ¼) − ½⌋ = {}", rest, at.j);
    say(lines, "i = {} − {}·{}/2 = {}", rest, at.j, at.j + 1, at.i);
}

template <>
struct Explained<Rooted<Lambda3>> {
    static constexpr MapNote note{
        "Tetrahedral λ (lambda3)",
        "ω = x, k = ⌊s⌋ with s³ + 3s² + 2s − 6ω = 0, ω₂ = ω − k·(k + 1)·(k + 2)/6, then λ(ω₂)", kNavarro};
    static void work(Lines& lines, const Triple& at) {
        say(lines, "ω = {}", at.x);
        say_lambda3(lines, at, at.x);
    }
};

template <>
struct Explained<Rooted<Lambda3Grid>> {
    static constexpr MapNote note{
        "Tetrahedral λ, cubic grid (lambda3-grid)",
        "ω = x + e·(y + e·z), e the side of the smallest cube, k = ⌊s⌋ with s³ + 3s² + 2s − 6ω = 0, then λ", kNavarro};
    static void work(Lines& lines, const Triple& at) {
        const std::uint64_t e = cubic_side(static_cast<std::uint32_t>(at.m)), omega = at.x + e * (at.y + e * at.z);
        say(lines, "ω = {} + {}·({} + {}·{}) = {}", at.x, e, at.y, e, at.z, omega);
        say_lambda3(lines, at, omega);
    }
};

/// The core of H in a tetrahedron of n = 2^k layers that begins at layer `base`.
void say_core3(Lines& lines, std::uint64_t w, std::uint64_t n, std::uint64_t base, const Triple& at) {
    if (n == 1) {
        say(lines, "i = {}", at.i);
        say(lines, "j = {}", at.j);
        return say(lines, "k = {}", at.k);
    }
    const std::uint64_t x = w % (n / 2), line = w / (n / 2);
    say(lines, "x = {} mod {} = {}", w, n / 2, x);
    std::uint64_t h = n / 2, local = line;
    for (; h > 0 && local >= h * (h + 1); h /= 2) local -= h * (h + 1);
    if (h == 0) {
        const auto diagonal = [&](char name, std::uint64_t value) {
            say(lines, "{} = {} + {} + {}·{} = {}", name, base, x, local, n / 2, value);
        };
        return diagonal('i', at.i), diagonal('j', at.j), diagonal('k', at.k);
    }
    const std::uint64_t y = local % h, z = local / h, a = x % h, first = base + 2 * (x - a);
    say(lines, "h = {}", h);
    say(lines, "y = {} mod {} = {}", local, h, y);
    say(lines, "z = ⌊{}/{}⌋ = {}", local, h, z);
    say(lines, "a = {} mod {} = {}", x, h, a);
    say(lines, "c = {} + 2·({} − {}) = {}", base, x, a, first);
    if (z > y) {
        say(lines, "{} > {}", z, y);
        say(lines, "i = {} + {} = {}", first, y, at.i);
        say(lines, "j = {} + {} − 1 = {}", first, z, at.j);
        return say(lines, "k = {} + {} + {} = {}", first, h, a, at.k);
    }
    say(lines, "{} ≤ {}", z, y);
    say(lines, "i = {} + {} = {}", first, a, at.i);
    say(lines, "j = {} + {} + {} = {}", first, h, z, at.j);
    say(lines, "k = {} + {} + {} = {}", first, h, y, at.k);
}

template <>
struct Explained<Hadouken3> {
    static constexpr MapNote note{
        "Hadouken of three, by bits (hadouken3)",
        "boxes of h × h × (h + 1) for h = m/2, m/4 … 1, each two prisms, then the diagonal; other "
        "m: split along the binary digits of m",
        kHadouken};
    static void work(Lines& lines, const Triple& at) {
        std::uint64_t w = at.x;
        for (std::uint64_t base = 0; base < at.m;) {
            const std::uint64_t here = bit_floor(at.m - base), rest = at.m - base - here;
            const std::uint64_t low = triangular(here) * rest, high = here * triangular(rest);
            if (base > 0 && w < tetrahedral(here) + low + high) say(lines, "w = {}", w);
            if (w < tetrahedral(here)) return say_core3(lines, w, here, base, at);
            w -= tetrahedral(here);
            if (w < low) {
                say(lines, "w = {}", w);
                say(lines, "H({}) = ({}, {})", w / rest, at.j - base, at.i - base);
                say(lines, "i = {} + {} = {}", base, at.i - base, at.i);
                say(lines, "j = {} + {} = {}", base, at.j - base, at.j);
                return say(lines, "k = {} + {} + {} mod {} = {}", base, here, w, rest, at.k);
            }
            w -= low;
            if (w < high) {
                say(lines, "w = {}", w);
                say(lines, "H(⌊{}/{}⌋) = ({}, {})", w, here, at.k - base - here, at.j - base - here);
                say(lines, "i = {} + {} mod {} = {}", base, w, here, at.i);
                say(lines, "j = {} + {} + {} = {}", base, here, at.j - base - here, at.j);
                return say(lines, "k = {} + {} + {} = {}", base, here, at.k - base - here, at.k);
            }
            w -= high;
            base += here;
        }
    }
};

template <class R>
struct RootExplained;
template <>
struct RootExplained<SqrtRoot> {
    static constexpr RootNote note{"Library root, X (sqrt)", "√x in float, correctly rounded"};
};
template <>
struct RootExplained<NewtonRoot> {
    static constexpr RootNote note{"Newton steps, N (newton)",
                                   "x·y, y = 1/√x from 0x5f3759df and y ← y·(3/2 − x·y²/2)"};
};
template <>
struct RootExplained<RsqrtRoot> {
    static constexpr RootNote note{"Reciprocal root, R (rsqrt)", "x·rsqrt(x)"};
};
template <>
struct RootExplained<Fp64Root> {
    static constexpr RootNote note{"Root in double (fp64)", "√x in double"};
};
template <>
struct RootExplained<ApproximateRoot> {
    static constexpr RootNote note{"Root of the hardware (sqrt-approx)", "sqrt.approx(x), one instruction of the GPU"};
};

}  // namespace

const MapNote& note_of(const MapEntry& map) {
    const MapNote* note = nullptr;
    with_type<Maps>(static_cast<std::size_t>(map.map), [&]<class Listed>() { note = &Explained<Listed>::note; });
    return *note;
}

const MapNote& note_of(const Map3Entry& map) {
    const MapNote* note = nullptr;
    with_type<Maps3>(static_cast<std::size_t>(map.map), [&]<class Listed>() { note = &Explained<Listed>::note; });
    return *note;
}

const RootNote& note_of(const RootEntry& root) {
    const RootNote* note = nullptr;
    with_root(root.root, [&]<class R>(R) { note = &RootExplained<R>::note; });
    return *note;
}

std::vector<std::string> worked_out(const MapEntry& map, const RootEntry& root, Block block, std::uint32_t rows) {
    std::vector<Tile> table;
    AnyMap any{map.map, root.root};
    if (map.reads_table) table = lut_table(rows), any.table = table.data();
    const Tile tile = any(block, rows);
    Lines lines;
    with_type<Maps>(static_cast<std::size_t>(map.map), [&]<class Listed>() {
        Explained<Listed>::work(lines, {block.x, block.y, rows, tile.row, tile.col, root});
    });
    return lines;
}

std::vector<std::string> worked_out(const Map3Entry& map, const RootEntry& root, Block3 block, std::uint32_t side) {
    const TileTriple triple = AnyMap3{map.map, root.root}(block, side);
    Lines lines;
    with_type<Maps3>(static_cast<std::size_t>(map.map), [&]<class Listed>() {
        Explained<Listed>::work(lines, {block.x, block.y, block.z, side, triple.i, triple.j, triple.k, root});
    });
    return lines;
}

}  // namespace orrery
