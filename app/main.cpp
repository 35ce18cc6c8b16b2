// SPDX-License-Identifier: MIT
#include "app/commands/commands.hpp"

int main(int argc, char** argv) { return orrery::run_program(argc, argv); }
