// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The unit of a quantity: powers of the units of length, mass, velocity and temperature, and of the scale factor and
/// h.
struct UnitPowers {
    double length = 0, mass = 0, velocity = 0, temperature = 0, a = 0, h = 0;
    friend bool operator==(const UnitPowers&, const UnitPowers&) = default;
};

/// A quantity of bodies that an expression names.
struct Quantity {
    std::function<double(std::size_t body)> value;
    std::optional<UnitPowers> unit = {};  ///< empty: unknown
    double cgs = 0;                       ///< the unit in cgs and K, with its powers of a and h; 0: unknown
};
/// Returns the quantity of a name, or its component 0, 1 or 2 if it is a vector and `component` is set. Throws
/// Error{kUsage} for an unknown name.
using FindQuantity = std::function<Quantity(const std::string& name, std::optional<int> component)>;

/// A formula over quantities of bodies, parsed by muParser: + - * / ^, comparisons, & | !, sqrt, log10, abs, min, max
/// and its other functions. `dot(v, r)` and `length(B)` take vectors, which alone stand for their lengths; names with
/// other characters than letters, digits and _ are put in backquotes. gas, halo, disk, bulge, stars and boundary are
/// numbers of species. With one of the constants kB, mp, G, c, Msun, pc, kpc, Mpc, yr, Myr, Gyr and km, all quantities
/// are converted to cgs. gamma is 5/3 and mu 0.6, the mean mass of a particle of ionised gas over mp; pi.
class Expression {
public:
    enum class Constants { kKnown, kNone };
    /// Throws Error{kUsage} naming the text, the position and the error. kNone: the names of constants are quantities.
    explicit Expression(std::string_view text, Constants constants = Constants::kKnown);
    Expression(Expression&&) noexcept;
    ~Expression();

    const std::string& text() const { return text_; }
    /// Values for `bodies` bodies, NaN where the result is not finite or a quantity is NaN, in conditions too. Throws
    /// as `find` does, and Error{kUsage} if a constant needs a quantity whose unit is unknown.
    std::vector<float> evaluate(std::size_t bodies, const FindQuantity& find) const;
    /// The unit of the result, found by evaluating with quantities in other units: empty if the unit of one of them is
    /// unknown. Throws Error{kUsage} if units do not match, as in a sum of a length and a mass.
    std::optional<UnitPowers> unit(std::size_t bodies, const FindQuantity& find) const;
    bool uses_constants() const { return constants_; }  ///< the result is in cgs
    /// A quantity that the expression names, or a component of one.
    struct Name {
        std::string name;
        std::optional<int> component;
    };
    std::vector<Name> names() const;  ///< without constants

private:
    struct Parser;
    std::string translate(std::string_view text);
    std::string place_of(const std::string& name, std::optional<int> component);
    std::vector<Quantity> quantities(const FindQuantity& find) const;

    std::string text_;
    Constants known_;
    std::vector<Name> names_;  // of the variables of the parser
    bool constants_ = false;
    std::unique_ptr<Parser> parser_;
};

/// True for the name of a constant, which an expression with Constants::kKnown does not look up.
bool names_constant(std::string_view name);

}  // namespace orrery
