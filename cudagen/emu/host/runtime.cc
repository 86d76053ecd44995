// The emulator's process: it loads compiled texts and runs their kernels, one
// block after the other, each thread a fiber.
//
// Requests come on standard input and answers go to standard output, both as
// the structs below; process.go is the other side. Memory is a file that both
// processes map at the same addresses. Whatever goes wrong within a kernel is
// reported and ends the process: its memory may be damaged.

#include "abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

// --- requests -------------------------------------------------------------

enum request_kind { request_map = 1, request_protect, request_load, request_unload, request_launch };

struct request {
    unsigned kind, bytes; // bytes that follow
    unsigned long long a, b, c;
};

// Launch: what follows a request. Then come the arguments, 8 bytes each.
struct launch {
    unsigned long long module, seed;
    unsigned kernel, milliseconds;
    unsigned grid[3], block[3];
};

enum answer_status { answer_ok = 0, answer_fault, answer_refused };

struct answer {
    unsigned status, bytes;
    unsigned kind, write;
    unsigned block[3], thread[3];
    unsigned other_block[3], other_thread[3]; // of races
    int line;
    unsigned place, other_place; // in the library, 0 if unknown
    unsigned reserved;
    unsigned long long address;
};

// The kinds of faults, as errors.go names them.
enum fault_kind { fault_other, fault_address, fault_barrier, fault_warp, fault_time, fault_arithmetic, fault_stack, fault_race };

[[noreturn]] static void leave(int code) { _exit(code); }

static void send(const void *data, size_t n) {
    const char *p = (const char *)data;
    while (n > 0) {
        ssize_t k = write(1, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) leave(4);
        p += k;
        n -= (size_t)k;
    }
}

static bool receive(void *data, size_t n) {
    char *p = (char *)data;
    while (n > 0) {
        ssize_t k = read(0, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static void reply(answer_status status, const char *text, size_t n) {
    answer a = {};
    a.status = status;
    a.bytes = (unsigned)n;
    send(&a, sizeof a);
    send(text, n);
}

// --- what runs --------------------------------------------------------------

extern "C" {
const uint3 *emu_thread;
uint3 emu_block_value __asm__("emu_block");
dim3 emu_block_dim_value __asm__("emu_block_dim");
dim3 emu_grid_dim_value __asm__("emu_grid_dim");
}

const int lanes = 32;
const unsigned max_threads = 1024;
const size_t stack_bytes = 64 << 10, page = 4096;

struct fiber {
    void *sp;
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
    const char *name = "";
    void (*call)(void *const *) = nullptr;
    void *args[256];
    unsigned long long values[256];
    unsigned threads, warps, alive, at_barrier, sum;
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

static fiber fibers[max_threads];
static warp warps[max_threads / lanes];
static void *scheduler_sp;
static char *stacks;
static unsigned stacks_made;

static answer fault_answer(fault_kind kind, unsigned thread) {
    answer a = {};
    a.status = answer_fault;
    a.kind = kind;
    set_place(a.block, emu_block_value);
    if (thread < max_threads) set_place(a.thread, fibers[thread].index);
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

// random returns the next of a sequence (xorshift64*).
static inline unsigned random_number() {
    run.random ^= run.random >> 12;
    run.random ^= run.random << 25;
    run.random ^= run.random >> 27;
    return (unsigned)(run.random * 2685821657736338717ull >> 32);
}

static inline unsigned random_below(unsigned n) { return (unsigned)((unsigned long long)random_number() * n >> 32); }

#include "races.h"

// --- fibers -------------------------------------------------------------------

static void fiber_main();

#include "switch.h"

// make_stacks prepares the stacks of the first n threads, with a page between
// them that nobody may touch.
static void make_stacks(unsigned n) {
    const size_t step = stack_bytes + page;
    if (!stacks) {
        stacks = (char *)mmap(nullptr, max_threads * step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stacks == MAP_FAILED) leave(5);
    }
    for (; stacks_made < n; stacks_made++)
        if (mprotect(stacks + stacks_made * step, page, PROT_NONE)) leave(5);
}

// start_fiber makes a thread begin its kernel when it is switched to.
static void start_fiber(unsigned i) {
    char *top = stacks + (i + 1) * (stack_bytes + page);
    top -= (i % 32) * 128; // apart in the caches
    fibers[i].sp = new_stack(top);
}

static inline void to_scheduler() { switch_stack(&fibers[run.current].sp, scheduler_sp); }

static inline void make_runnable(unsigned w, unsigned mask) {
    warps[w].runnable |= mask;
    run.ready |= 1u << w;
}

static inline void make_waiting(unsigned thread) {
    unsigned w = thread / lanes;
    warps[w].runnable &= ~(1u << thread % lanes);
    if (!warps[w].runnable) run.ready &= ~(1u << w);
}

static void open_barrier();

static void fiber_main() {
    run.call(run.args);
    unsigned t = run.current;
    make_waiting(t);
    warps[t / lanes].alive &= ~(1u << t % lanes);
    if (--run.alive > 0 && run.at_barrier == run.alive) open_barrier();
    to_scheduler();
    leave(6); // an ended thread runs
}

// --- barriers -------------------------------------------------------------------

static const char *barrier_name(int kind) {
    static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_or", "__syncthreads_and"};
    return names[kind];
}

// Counts of the barrier that opens, and of the one that fills: threads read the
// former when they run again.
static unsigned votes[2];
static unsigned votes_now;

// open_barrier lets all threads of the block go on. They must have come to the
// same call.
static void open_barrier() {
    int first = -1;
    for (unsigned w = 0; w < run.warps; w++) {
        for (unsigned rest = warps[w].barrier; rest; rest &= rest - 1) {
            unsigned t = w * lanes + (unsigned)__builtin_ctz(rest);
            if (first < 0) first = (int)t;
            if (run.site[t] != run.site[first])
                report_at(fault_barrier, t, run.line[t], "divergent barrier: this thread waits in %s of line %d, thread %d in %s of line %d",
                       barrier_name(run.kind[t]), run.line[t], first, barrier_name(run.kind[first]), run.line[first]);
        }
    }
    for (unsigned w = 0; w < run.warps; w++) {
        if (warps[w].barrier) make_runnable(w, warps[w].barrier);
        warps[w].barrier = 0;
    }
    run.at_barrier = 0;
    votes_now ^= 1;
    race.epoch++;
}

extern "C" int emu_syncthreads(int site, int line, int kind, int value) {
    unsigned t = run.current;
    run.site[t] = site, run.line[t] = line, run.kind[t] = kind;
    unsigned mine = votes_now;
    if (run.at_barrier == 0) votes[mine] = 0;
    votes[mine] += (unsigned)value;
    make_waiting(t);
    warps[t / lanes].barrier |= 1u << t % lanes;
    if (++run.at_barrier == run.alive) open_barrier();
    to_scheduler();
    return (int)votes[mine];
}

extern "C" void emu_pause() {
    if (run.pauses && (random_number() & 3) == 0) to_scheduler();
}

// --- warps --------------------------------------------------------------------

static const char *meeting_name(int kind) {
    static const char *const names[] = {"__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync"};
    return names[kind];
}

const unsigned long long poison = 0x7FF77FF77FF77FF7ull; // NaN as float, as double, and no index

// shuffled returns what a lane gets. A value of a lane that the mask does not
// name is undefined.
static unsigned long long shuffled(const warp &w, int lane) {
    const meeting &m = w.at[lane];
    int width = m.width, base = lane & ~(width - 1), from = lane;
    switch (m.kind) {
    case emu_idx_kind: from = base + (m.lane & (width - 1)); break;
    case emu_up_kind: from = lane - m.lane >= base && m.lane >= 0 ? lane - m.lane : lane; break;
    case emu_down_kind: from = m.lane >= 0 && lane + m.lane < base + width ? lane + m.lane : lane; break;
    case emu_xor_kind: from = (lane ^ m.lane) < base + width ? lane ^ m.lane : lane; break;
    }
    if (from < 0 || from >= lanes || !(m.mask >> from & 1)) return poison;
    return w.at[from].bits;
}

// same reports whether two lanes wait for each other.
static inline bool same(const meeting &a, const meeting &b) { return a.site == b.site && a.kind == b.kind && a.mask == b.mask && a.size == b.size; }

extern "C" unsigned long long emu_warp(int kind, int site, int line, unsigned mask, unsigned long long bits, int size, int lane_arg, int width) {
    unsigned t = run.current;
    int lane = (int)(t % lanes);
    warp &w = warps[t / lanes];
    const char *name = meeting_name(kind);
    if (!(mask >> lane & 1)) report_at(fault_warp, t, line, "divergent %s: mask 0x%08x does not name this thread's lane %d", name, mask, lane);
    if (width < 1 || width > lanes || (width & (width - 1))) report_at(fault_warp, t, line, "%s: width %d", name, width);
    if (unsigned gone = mask & ~w.alive) {
        int l = __builtin_ctz(gone);
        report_at(fault_warp, t, line, "divergent %s: mask 0x%08x names lane %d, which %s", name, mask, l, w.exist >> l & 1 ? "has returned" : "the block does not have");
    }
    w.at[lane] = {kind, site, line, lane_arg, width, size, mask, bits};
    if (unsigned here = mask & w.meeting) { // one of them stands for all: the rest is checked when all are here, or by stuck
        int l = __builtin_ctz(here);
        const meeting &m = w.at[l];
        if ((m.mask >> lane & 1) && !same(m, w.at[lane]))
            report_at(fault_warp, t, line, "divergent %s: lane %d is in line %d with mask 0x%08x, lane %d in %s of line %d with mask 0x%08x",
                   name, lane, line, mask, l, meeting_name(m.kind), m.line, m.mask);
    }
    w.meeting |= 1u << lane;
    make_waiting(t);
    bool all = (w.meeting & mask) == mask;
    for (unsigned rest = mask; all && rest; rest &= rest - 1) all = same(w.at[__builtin_ctz(rest)], w.at[lane]);
    if (all) {
        unsigned long long out[lanes];
        unsigned votes = 0;
        if (kind >= emu_ballot_kind) {
            for (unsigned rest = mask; rest; rest &= rest - 1) {
                int l = __builtin_ctz(rest);
                votes |= (unsigned)w.at[l].bits << l;
            }
            unsigned result = kind == emu_ballot_kind ? votes : kind == emu_any_kind ? votes != 0 : votes == mask;
            for (unsigned rest = mask; rest; rest &= rest - 1) out[__builtin_ctz(rest)] = result;
        } else if (kind != emu_syncwarp_kind) {
            for (unsigned rest = mask; rest; rest &= rest - 1) {
                int l = __builtin_ctz(rest);
                out[l] = shuffled(w, l);
            }
        }
        if (kind != emu_syncwarp_kind)
            for (unsigned rest = mask; rest; rest &= rest - 1) {
                int l = __builtin_ctz(rest);
                w.at[l].bits = out[l];
            }
        if (race.on && kind == emu_syncwarp_kind) race_sync(t / lanes, mask);
        w.meeting &= ~mask;
        make_runnable(t / lanes, mask);
    }
    to_scheduler();
    return w.at[lane].bits;
}

// --- schedules ------------------------------------------------------------------

// stuck reports threads that wait for something that cannot come.
[[noreturn]] static void stuck() {
    for (unsigned i = 0; i < run.warps; i++) {
        warp &w = warps[i];
        if (!w.meeting) continue;
        int l = __builtin_ctz(w.meeting);
        const meeting &m = w.at[l];
        unsigned missing = m.mask & ~w.meeting;
        if (!missing) missing = m.mask & ~(1u << l);
        int other = __builtin_ctz(missing);
        unsigned t = i * lanes + (unsigned)other;
        char where[96];
        if (w.barrier >> other & 1) snprintf(where, sizeof where, "waits in %s of line %d", barrier_name(run.kind[t]), run.line[t]);
        else if (w.meeting >> other & 1) snprintf(where, sizeof where, "is in %s of line %d", meeting_name(w.at[other].kind), w.at[other].line);
        else snprintf(where, sizeof where, "has returned");
        report_at(fault_warp, i * lanes + (unsigned)l, m.line, "divergent %s: mask 0x%08x of line %d waits for lane %d, which %s", meeting_name(m.kind), m.mask, m.line, other, where);
    }
    report_at(fault_other, 0, 0, "threads wait for nothing");
}

static inline unsigned nth_bit(unsigned mask, unsigned n) {
    while (n--) mask &= mask - 1;
    return (unsigned)__builtin_ctz(mask);
}

// next chooses the thread that runs. Seed 0 takes threads in order, 1 in reverse
// order; of the others, even ones stay with a warp as long as it can run, so that
// warps get far apart, odd ones take any warp at every step. Lanes are taken at
// random.
static unsigned next_thread(unsigned last) {
    if (run.seed == 0) {
        unsigned w = (unsigned)__builtin_ctz(run.ready);
        return w * lanes + (unsigned)__builtin_ctz(warps[w].runnable);
    }
    if (run.seed == 1) {
        unsigned w = 31u - (unsigned)__builtin_clz(run.ready);
        return w * lanes + 31u - (unsigned)__builtin_clz(warps[w].runnable);
    }
    unsigned w = last / lanes;
    if (run.seed % 2 == 1 || !(run.ready >> w & 1)) w = nth_bit(run.ready, random_below((unsigned)__builtin_popcount(run.ready)));
    unsigned mask = warps[w].runnable;
    return w * lanes + nth_bit(mask, random_below((unsigned)__builtin_popcount(mask)));
}

static void run_block() {
    run.alive = run.threads;
    run.at_barrier = 0;
    run.ready = 0;
    for (unsigned w = 0; w < run.warps; w++) {
        unsigned n = run.threads - w * lanes;
        warps[w].exist = n >= lanes ? ~0u : (1u << n) - 1;
        warps[w].alive = warps[w].exist;
        warps[w].meeting = warps[w].barrier = warps[w].runnable = 0;
        make_runnable(w, warps[w].exist);
    }
    for (unsigned i = 0; i < run.threads; i++) start_fiber(i);
    if (race.on) race_start();
    unsigned last = 0;
    while (run.alive > 0) {
        if (!run.ready) stuck();
        last = next_thread(last);
        run.current = last;
        emu_thread = &fibers[last].index;
        switch_stack(&scheduler_sp, fibers[last].sp);
    }
}

// --- launches -------------------------------------------------------------------

static void set_limit(unsigned milliseconds) {
    struct itimerval t = {};
    t.it_value.tv_sec = milliseconds / 1000;
    t.it_value.tv_usec = milliseconds % 1000 * 1000;
    setitimer(ITIMER_PROF, &t, nullptr); // processor time: others may keep the machine busy
}

static void fill_poison(char *from, char *to) {
    static unsigned long long pattern[512];
    if (!pattern[0])
        for (auto &word : pattern) word = poison;
    for (size_t n; from < to; from += n) {
        n = (size_t)(to - from) < sizeof pattern ? (size_t)(to - from) : sizeof pattern;
        memcpy(from, pattern, n);
    }
}

static uint3 block_place(unsigned b) {
    const dim3 &g = emu_grid_dim_value;
    return {b % g.x, b / g.x % g.y, b / g.x / g.y};
}

// race_launch begins a launch.
static void race_launch(const emu_table *module) {
    Dl_info info;
    race.library = dladdr(module, &info) ? (char *)info.dli_fbase : nullptr;
    race.first = race.stamp + 1;
    size_t cells = (size_t)(module->shared_end - module->shared) / 4 + 1;
    if (cells > race.shared_cells) {
        free(race.shared);
        race.shared = (cell *)calloc(cells, sizeof(cell));
        if (!race.shared) leave(5);
        race.shared_cells = cells;
    }
}

static void report_race(const record &a, const record &now, unsigned long long address, bool earlier_write, bool write) {
    answer f = fault_answer(fault_race, now.thread);
    set_place(f.other_block, block_place(run.order[a.stamp - race.first]));
    set_place(f.other_thread, fibers[a.thread].index);
    f.place = now.pc, f.other_place = a.pc;
    f.address = address;
    f.write = write;
    report(f, "%s", earlier_write ? "wrote" : "read");
}

static void report_misaligned(const record &now, unsigned long long address, bool write) {
    answer f = fault_answer(fault_address, now.thread);
    f.place = now.pc;
    f.address = address;
    f.write = write;
    report(f, "misaligned");
}

static void report_unwritten(const record &now, unsigned long long address) {
    answer f = fault_answer(fault_race, now.thread);
    f.place = now.pc;
    f.address = address;
    report(f, "reads shared memory that no thread of the block has written");
}

static void run_kernel(const emu_table *module, const launch &l, const emu_kernel &k) {
    run.name = k.name;
    run.call = k.call;
    run.threads = l.block[0] * l.block[1] * l.block[2];
    run.warps = (run.threads + lanes - 1) / lanes;
    run.seed = l.seed;
    run.pauses = l.seed > 1;
    run.random = (l.seed + 1) * 0x9E3779B97F4A7C15ull;
    emu_block_dim_value = dim3(l.block[0], l.block[1], l.block[2]);
    emu_grid_dim_value = dim3(l.grid[0], l.grid[1], l.grid[2]);
    make_stacks(run.threads);
    for (unsigned i = 0; i < run.threads; i++)
        fibers[i].index = {i % l.block[0], i / l.block[0] % l.block[1], i / l.block[0] / l.block[1]};
    unsigned blocks = l.grid[0] * l.grid[1] * l.grid[2];
    unsigned *order = (unsigned *)malloc(sizeof(unsigned) * blocks);
    if (!order) leave(5);
    for (unsigned i = 0; i < blocks; i++) {
        order[i] = l.seed == 1 ? blocks - 1 - i : i;
        if (l.seed > 1) {
            unsigned j = random_below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }
    run.order = order;
    run.table = module;
    run.shared = module->shared;
    run.shared_end = module->shared_end;
    if (race.on) race_launch(module);
    set_limit(l.milliseconds);
    run.running = true;
    for (unsigned i = 0; i < blocks; i++) {
        unsigned b = order[i];
        emu_block_value = block_place(b);
        fill_poison(module->shared, module->shared_end);
        run_block();
    }
    run.running = false;
    set_limit(0);
    free(order);
}

// --- faults ---------------------------------------------------------------------

static void on_signal(int signal, siginfo_t *info, void *context) {
    if (!run.running) {
        static const char text[] = "the emulator's own fault\n";
        ssize_t ignored = write(2, text, sizeof text - 1);
        (void)ignored;
        leave(7);
    }
    unsigned long long address = (unsigned long long)info->si_addr;
    unsigned t = run.current;
    switch (signal) {
    case SIGPROF: report_at(fault_time, t, 0, "the time limit was reached");
    case SIGFPE: report_at(fault_arithmetic, t, 0, "integer division by zero, or of the least number by -1");
    case SIGILL:
    case SIGTRAP: report_at(fault_other, t, 0, "an unreachable place was reached");
    }
    if (stacks && address >= (unsigned long long)stacks && address < (unsigned long long)stacks + max_threads * (stack_bytes + page))
        report_at(fault_stack, t, 0, "more than %zu KiB of local memory", stack_bytes >> 10);
    if (!address) report_at(fault_address, t, 0, "an access through a null pointer, or a pointer that is no address");
    answer f = fault_answer(fault_address, t);
    f.address = address;
    f.write = is_write(context);
    Dl_info kernels, here;
    char *pc = program_counter(context);
    if (dladdr(run.table, &kernels) && dladdr(pc, &here) && here.dli_fbase == kernels.dli_fbase)
        f.place = (unsigned)(pc - (char *)here.dli_fbase) + 1; // as a return address would be
    report(f, "%s", "");
}

static void handle_signals() {
    static char alternate[64 << 10];
    stack_t s = {};
    s.ss_sp = alternate;
    s.ss_size = sizeof alternate;
    sigaltstack(&s, nullptr);
    struct sigaction a = {};
    a.sa_sigaction = on_signal;
    a.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&a.sa_mask);
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGPROF};
    for (int s : signals) sigaction(s, &a, nullptr);
}

// What the compiler's checks call. The first field of their data is the place.
struct place {
    const char *file;
    unsigned line, column;
};

[[noreturn]] static void check_failed(fault_kind kind, const place *p, const char *text) { report_at(kind, run.current, (int)p->line, "%s", text); }

extern "C" {
#define CHECK2(name, kind, text)                                                                                  \
    void __ubsan_handle_##name##_abort(place *p, unsigned long, unsigned long) { check_failed(kind, p, text); }
CHECK2(add_overflow, fault_arithmetic, "signed integer overflow in an addition")
CHECK2(sub_overflow, fault_arithmetic, "signed integer overflow in a subtraction")
CHECK2(mul_overflow, fault_arithmetic, "signed integer overflow in a multiplication")
CHECK2(divrem_overflow, fault_arithmetic, "integer division by zero, or of the least number by -1")
CHECK2(shift_out_of_bounds, fault_arithmetic, "a shift by more than the width, or of a negative number")
void __ubsan_handle_negate_overflow_abort(place *p, unsigned long) { check_failed(fault_arithmetic, p, "signed integer overflow in a negation"); }
void __ubsan_handle_out_of_bounds_abort(place *p, unsigned long index) {
    report_at(fault_address, run.current, (int)p->line, "index %ld is outside of an array", (long)index);
}
void __ubsan_handle_type_mismatch_v1_abort(place *p, unsigned long address) {
    answer f = fault_answer(fault_address, run.current);
    f.line = (int)p->line;
    f.address = address;
    report(f, "misaligned");
}
}

// --- the loop -------------------------------------------------------------------

// race_map reserves what is remembered of the arena; only touched pages cost memory.
static void race_map() {
    size_t n = memory_size / 4 * sizeof(cell);
    void *p = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) leave(9);
    race.global = (cell *)p;
    race.on = true;
}

// race_forget gives back what is remembered of pages.
static void race_forget(unsigned long long address, unsigned long long n) {
    madvise(&race.global[(address - memory_base) / 4], n / 4 * sizeof(cell), MADV_DONTNEED);
}

static void do_load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const emu_table *table = library ? (const emu_table *)dlsym(library, "emu_module") : nullptr;
    if (!table) {
        const char *text = dlerror();
        return reply(answer_refused, text, strlen(text));
    }
    // The handle, then for each kernel: its name, a newline, and for each
    // parameter its size and flags in decimal; a newline.
    static char text[1 << 20];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "%llu\n", (unsigned long long)library);
    for (const emu_kernel *k = table->kernels; k->name; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", k->name);
        for (unsigned i = 0; i < k->count && n < sizeof text; i++) n += (size_t)snprintf(text + n, sizeof text - n, " %u:%u", k->params[i].size, k->params[i].flags);
        if (n < sizeof text) n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        if (n >= sizeof text) return reply(answer_refused, "too many kernels", 16);
    }
    reply(answer_ok, text, n);
}

static void do_launch(const char *data, unsigned bytes) {
    launch l;
    memcpy(&l, data, sizeof l);
    const emu_table *module = (const emu_table *)dlsym((void *)l.module, "emu_module");
    const emu_kernel &k = module->kernels[l.kernel];
    memcpy(run.values, data + sizeof l, bytes - sizeof l);
    for (unsigned i = 0; i < k.count; i++) run.args[i] = &run.values[i];
    run_kernel(module, l, k);
    reply(answer_ok, "", 0);
}

int main() {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    handle_signals();
    static char data[1 << 16];
    for (request r; receive(&r, sizeof r);) {
        if (r.bytes >= sizeof data || !receive(data, r.bytes)) leave(8);
        data[r.bytes] = 0;
        switch (r.kind) {
        case request_map: {
            memory_base = r.a, memory_size = r.b;
            void *p = mmap((void *)r.a, r.b, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, 3, 0);
            if (p == (void *)r.a && r.c) race_map();
            if (p == (void *)r.a) reply(answer_ok, "", 0);
            else reply(answer_refused, strerror(errno), strlen(strerror(errno)));
            break;
        }
        case request_protect:
            if (r.a < memory_base || r.a + r.b > memory_base + memory_size) leave(8);
            if (race.on && r.c == PROT_NONE) race_forget(r.a, r.b);
            if (mprotect((void *)r.a, r.b, (int)r.c) == 0) reply(answer_ok, "", 0);
            else reply(answer_refused, strerror(errno), strlen(strerror(errno)));
            break;
        case request_load: do_load(data); break;
        case request_unload:
            dlclose((void *)r.a);
            reply(answer_ok, "", 0);
            break;
        case request_launch: do_launch(data, r.bytes); break;
        default: leave(8);
        }
    }
    return 0;
}
