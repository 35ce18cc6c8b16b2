// Prefix sums in a work group of 256 threads.
shared uint scan_memory[256];

// The sum of `mine` over the threads before this one; `total`: over all threads.
uint scan_of_group(uint mine, out uint total) {
    uint lane = gl_LocalInvocationID.x, sum = mine;
    for (uint step = 1u; step < 256u; step *= 2u) {
        barrier();
        scan_memory[lane] = sum;
        barrier();
        if (lane >= step) sum += scan_memory[lane - step];
    }
    barrier();
    scan_memory[lane] = sum;
    barrier();
    total = scan_memory[255];
    return sum - mine;
}
