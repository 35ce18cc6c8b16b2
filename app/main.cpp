// SPDX-License-Identifier: MIT
#include "app/commands/program.hpp"

int main(int argc, char** argv) { return orrery::run_program(argc, argv); }
