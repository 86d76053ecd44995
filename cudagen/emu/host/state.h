// The state of the running launch, and how a fault of it is reported.

#pragma once

extern "C" {
const uint3 *emu_thread;
uint3 emu_block_value __asm__("emu_block");
dim3 emu_block_dim_value __asm__("emu_block_dim");
dim3 emu_grid_dim_value __asm__("emu_grid_dim");
}

const int lanes = 32;
const unsigned max_threads = 1024, max_params = 256;

struct thread {
    void *sp;  // of its stack, while it waits
    int stack; // -1: not begun
    uint3 index;
};

// A lane's call that waits for others.
struct meeting {
    int kind, site, line, lane, width, size;
    unsigned mask;
    unsigned long long bits;
};

struct warp {
    unsigned exist, alive, runnable, meeting, barrier; // bits of lanes
    struct meeting at[lanes];
};

static struct {
    void (*call)(void *const *) = nullptr;
    void *args[max_params];
    unsigned long long values[max_params];
    unsigned threads, warps, alive, at_barrier;
    unsigned ready; // warps with a runnable lane
    int site[max_threads], line[max_threads], kind[max_threads]; // of barriers
    unsigned current;
    bool running = false;
    unsigned long long seed, random;
    bool pauses;
    char *shared, *shared_end;
    const unsigned *order; // of blocks
    const emu_table *table;
} run;

static unsigned long long memory_base, memory_size;

static void set_place(unsigned to[3], uint3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static thread threads[max_threads];
static warp warps[max_threads / lanes];

const unsigned long long poison = 0x7FF77FF77FF77FF7ull; // NaN as float, as double, and no index

// fault_answer begins the report of a fault in a thread.
static answer fault_answer(fault_kind kind, unsigned thread) {
    answer a = {};
    a.status = answer_fault;
    a.kind = kind;
    set_place(a.block, emu_block_value);
    if (thread < max_threads) set_place(a.thread, threads[thread].index);
    return a;
}

// report tells the other side what went wrong, and ends the process.
[[noreturn]] static void report(answer a, const char *format, ...) {
    static char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    a.bytes = (unsigned)(n < (int)sizeof text ? n : (int)sizeof text - 1);
    send(&a, sizeof a);
    send(text, a.bytes);
    leave(3);
}

// report_at is report for a line of the text.
#define report_at(kind, thread, at, ...)                                                                              \
    do {                                                                                                              \
        answer fault = fault_answer(kind, thread);                                                                    \
        fault.line = (int)(at);                                                                                       \
        report(fault, __VA_ARGS__);                                                                                   \
    } while (0)

extern "C" void emu_fail(int line, const char *text) { report_at(fault_other, run.current, line, "%s", text); }

// random_number returns the next of a sequence (xorshift64*).
static inline unsigned random_number() {
    run.random ^= run.random >> 12;
    run.random ^= run.random << 25;
    run.random ^= run.random >> 27;
    return (unsigned)(run.random * 2685821657736338717ull >> 32);
}

static inline unsigned random_below(unsigned n) { return (unsigned)((unsigned long long)random_number() * n >> 32); }

// block_place returns the blockIdx of a block that is given by its number.
static uint3 block_place(unsigned b) {
    const dim3 &g = emu_grid_dim_value;
    return {b % g.x, b / g.x % g.y, b / g.x / g.y};
}
