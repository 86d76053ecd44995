// Threads of a block: fibers, what they wait for, and the order in which they run.

#pragma once

// --- fibers -------------------------------------------------------------------

const size_t stack_bytes = 64 << 10;

static void fiber_main();

#include "switch.h"

static void *scheduler_sp;
static char *stacks;
static size_t stack_step; // with the page before each that nobody may touch
static unsigned stacks_made;

// make_stacks prepares the stacks of the first n threads.
static void make_stacks(unsigned n) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!stacks) {
        stack_step = stack_bytes + page;
        stacks = (char *)mmap(nullptr, max_threads * stack_step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stacks == MAP_FAILED) leave(5);
    }
    for (; stacks_made < n; stacks_made++)
        if (mprotect(stacks + stacks_made * stack_step, page, PROT_NONE)) leave(5);
}

static unsigned short free_stacks[max_threads];
static unsigned free_count;

// give_stack makes a thread begin its kernel when it is switched to.
static void give_stack(unsigned t) {
    int i = threads[t].stack = free_stacks[--free_count];
    char *top = stacks + (size_t)(i + 1) * stack_step;
    threads[t].sp = new_stack(top - (i % 32) * 128); // apart in the caches
}

static inline void enter(unsigned t) {
    run.current = t;
    emu_thread = &threads[t].index;
}

static inline void to_scheduler() { switch_stack(&threads[run.current].sp, scheduler_sp); }

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
static unsigned next_thread(unsigned last);

const unsigned nobody = ~0u;
static unsigned chosen; // who runs next, or nobody yet

// fiber_main runs a thread, and on the same stack the next one and so on, until it
// is the turn of one that waits on a stack of its own.
static void fiber_main() {
    for (;;) {
        run.call(run.args);
        unsigned t = run.current;
        make_waiting(t);
        warps[t / lanes].alive &= ~(1u << t % lanes);
        if (--run.alive > 0 && run.at_barrier == run.alive) open_barrier();
        if (run.ready) {
            chosen = next_thread(t);
            if (threads[chosen].stack < 0) {
                threads[chosen].stack = threads[t].stack;
                enter(chosen);
                chosen = nobody;
                continue;
            }
        }
        free_stacks[free_count++] = (unsigned short)threads[t].stack;
        to_scheduler(); // which never comes back
    }
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

// exchange gives the lanes of a mask, who have all come, their results.
static void exchange(unsigned index, int kind, unsigned mask) {
    warp &w = warps[index];
    unsigned long long out[lanes];
    unsigned votes = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        votes |= (unsigned)(w.at[l].bits & 1) << l;
        out[l] = shuffled(w, l);
    }
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        switch (kind) {
        case emu_ballot_kind: w.at[l].bits = votes; break;
        case emu_any_kind: w.at[l].bits = votes != 0; break;
        case emu_all_kind: w.at[l].bits = votes == mask; break;
        default: w.at[l].bits = out[l];
        }
    }
    if (race.on && kind == emu_syncwarp_kind) race_sync(index, mask);
    w.meeting &= ~mask;
    make_runnable(index, mask);
}

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
    if (all) exchange(t / lanes, kind, mask);
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

// next_thread chooses the thread that runs. Seed 0 takes threads in order, 1 in reverse
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

// run_block runs all threads of a block to their ends.
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
    free_count = 0;
    for (unsigned i = run.threads; i-- > 0;) {
        threads[i].stack = -1;
        free_stacks[free_count++] = (unsigned short)i;
    }
    if (race.on) race_start();
    run.current = 0;
    chosen = nobody;
    while (run.alive > 0) {
        if (!run.ready) stuck();
        unsigned t = chosen != nobody ? chosen : next_thread(run.current);
        chosen = nobody;
        if (threads[t].stack < 0) give_stack(t);
        enter(t);
        switch_stack(&scheduler_sp, threads[t].sp);
    }
}
