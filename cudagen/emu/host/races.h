// Races: accesses of two threads to the same memory, one of them a write, that no
// barrier orders. The compiler puts a call before each access (-fsanitize=thread);
// here is what these calls do.
//
// For every word (4 bytes) of shared and global memory the last write is remembered
// and two reads since, and for each of its bytes once it was accessed in part.
// __syncthreads orders all threads of a block; __syncwarp orders the lanes of its
// mask, which vector clocks keep track of; shuffles and votes order nothing, as CUDA
// says; blocks of one launch are in no order. Atomics do not race with each other and
// order nothing.

#pragma once

// Atomics write; all of them but exchanges depend on what was there.
enum access_kind { plain_read, plain_write, atomic_update, atomic_exchange };

struct record {
    unsigned stamp; // of the block's run; 0: none
    unsigned epoch; // barriers of the block before it
    unsigned clock; // of the lane
    unsigned pc;    // place in the library
    unsigned short thread;
    bool atomic;
};

struct cell {
    record write, read, other; // other is a read of another warp, if there was one, or of another lane
    bool split;                // of a word that was accessed in part: the cells of its bytes count
};

// What is remembered of a range of memory.
struct cells {
    cell *words, *bytes;
};

static struct {
    bool on;
    cells global, shared;
    size_t shared_words;
    unsigned stamp, first; // of the running block, and of the launch's first
    unsigned epoch;
    unsigned clocks[max_threads][lanes]; // what a thread knows of its warp's lanes
    char *library;                       // where the module is loaded
} race;

// race_map reserves what is remembered of the arena, if there is room; only touched
// pages cost memory.
static bool race_map() {
    size_t words = memory_size / 4;
    void *p = mmap(nullptr, words * 5 * sizeof(cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    race.global = {(cell *)p, (cell *)p + words};
    return race.on = true;
}

// race_forget gives back what is remembered of pages.
static void race_forget(unsigned long long address, unsigned long long n) {
    unsigned long long offset = address - memory_base;
    madvise(&race.global.words[offset / 4], n / 4 * sizeof(cell), MADV_DONTNEED);
    madvise(&race.global.bytes[offset], n * sizeof(cell), MADV_DONTNEED);
}

// race_launch begins a launch of a module's kernel.
static void race_launch(const emu_table *module) {
    Dl_info info;
    race.library = dladdr(module, &info) ? (char *)info.dli_fbase : nullptr;
    race.first = race.stamp + 1;
    size_t words = (size_t)(module->shared_end - module->shared) / 4 + 1;
    if (words > race.shared_words) {
        free(race.shared.words);
        cell *p = (cell *)calloc(words * 5, sizeof(cell));
        if (!p) leave(5);
        race.shared = {p, p + words};
        race.shared_words = words;
    }
}

// race_start begins a block.
static void race_start() {
    race.stamp++;
    race.epoch = 0;
    for (unsigned t = 0; t < run.threads; t++) {
        memset(race.clocks[t], 0, sizeof race.clocks[t]);
        race.clocks[t][t % lanes] = 1;
    }
}

// race_sync orders the lanes of a mask.
static void race_sync(unsigned w, unsigned mask) {
    unsigned joined[lanes] = {};
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned *c = race.clocks[w * lanes + (unsigned)__builtin_ctz(rest)];
        for (int i = 0; i < lanes; i++) joined[i] = joined[i] > c[i] ? joined[i] : c[i];
    }
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        unsigned *c = race.clocks[w * lanes + (unsigned)l];
        memcpy(c, joined, sizeof joined);
        c[l]++;
    }
}

// races reports whether an earlier access is in no order with one of the running
// thread. Those before the block since are of other launches or, for shared memory,
// of other blocks.
static inline bool races(const record &a, const record &now, unsigned since) {
    if (a.stamp < since || (a.atomic && now.atomic)) return false;
    if (a.stamp != now.stamp) return true;
    if (a.thread == now.thread || a.epoch != now.epoch) return false;
    return a.thread / lanes != now.thread / lanes || race.clocks[now.thread][a.thread % lanes] < a.clock;
}

[[noreturn]] static void report_race(const record &a, const record &now, unsigned long long address, bool earlier_write, bool write) {
    answer f = fault_answer(fault_race, now.thread);
    set_place(f.other_block, block_place(run.order[a.stamp - race.first]));
    set_place(f.other_thread, threads[a.thread].index);
    f.place = now.pc, f.other_place = a.pc;
    f.address = address;
    f.write = write;
    report(f, "%s", earlier_write ? "wrote" : "read");
}

[[noreturn]] static void report_misaligned(const record &now, unsigned long long address, bool write) {
    answer f = fault_answer(fault_address, now.thread);
    f.place = now.pc;
    f.address = address;
    f.write = write;
    report(f, "misaligned");
}

[[noreturn]] static void report_unwritten(const record &now, unsigned long long address) {
    answer f = fault_answer(fault_race, now.thread);
    f.place = now.pc;
    f.address = address;
    report(f, "reads shared memory that no thread of the block has written");
}

static inline bool same_warp(const record &a, const record &b) { return a.stamp == b.stamp && a.thread / lanes == b.thread / lanes; }

static inline void check_cell(cell &c, const record &now, unsigned long long address, access_kind kind, bool shared) {
    const bool write = kind != plain_read, reads = kind == plain_read || kind == atomic_update;
    const unsigned since = shared ? race.stamp : race.first;
    if (races(c.write, now, since)) report_race(c.write, now, address, true, write);
    if (reads && shared && c.write.stamp != now.stamp) report_unwritten(now, address);
    if (!write) {
        if (c.read.stamp != now.stamp || c.read.thread != now.thread) {
            if (!same_warp(c.read, now) || same_warp(c.other, now) || c.other.stamp < since) c.other = c.read;
        }
        c.read = now;
        return;
    }
    if (races(c.read, now, since)) report_race(c.read, now, address, false, true);
    if (races(c.other, now, since)) report_race(c.other, now, address, false, true);
    c.write = now;
    c.read.stamp = c.other.stamp = 0;
}

static void check_access(const void *p, size_t n, size_t align, access_kind kind, void *pc) {
    if (!race.on || n == 0) return;
    unsigned long long a = (unsigned long long)p;
    cells all;
    unsigned long long offset;
    bool shared = (char *)p >= run.shared && (char *)p < run.shared_end;
    if (shared) {
        offset = (unsigned long long)((char *)p - run.shared);
        all = race.shared;
    } else if (a - memory_base < memory_size) {
        offset = a - memory_base;
        all = race.global;
    } else {
        return; // local memory, constants
    }
    unsigned t = run.current;
    record now = {race.stamp, race.epoch, race.clocks[t][t % lanes], (unsigned)((char *)pc - race.library), (unsigned short)t, kind >= atomic_update};
    if (align > 1 && a % align != 0) report_misaligned(now, a, kind != plain_read);
    for (unsigned long long end = offset + n, next; offset < end; offset = next) {
        cell &word = all.words[offset / 4];
        next = offset / 4 * 4 + 4;
        if (next > end) next = end;
        if (!word.split && next - offset == 4) {
            check_cell(word, now, a, kind, shared);
            continue;
        }
        if (!word.split) {
            for (int i = 0; i < 4; i++) all.bytes[offset / 4 * 4 + i] = word;
            word.split = true;
        }
        for (unsigned long long i = offset; i < next; i++) check_cell(all.bytes[i], now, a, kind, shared);
    }
}

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
#define EMU_ACCESS(n)                                                                                            \
    void __tsan_read##n(void *p) { check_access(p, n, n, plain_read, __builtin_return_address(0)); }             \
    void __tsan_write##n(void *p) { check_access(p, n, n, plain_write, __builtin_return_address(0)); }           \
    void __tsan_unaligned_read##n(void *p) { check_access(p, n, 1, plain_read, __builtin_return_address(0)); }   \
    void __tsan_unaligned_write##n(void *p) { check_access(p, n, 1, plain_write, __builtin_return_address(0)); }
EMU_ACCESS(1)
EMU_ACCESS(2)
EMU_ACCESS(4)
EMU_ACCESS(8)
EMU_ACCESS(16)
#undef EMU_ACCESS
void __tsan_read_range(void *p, size_t n) { check_access(p, n, 1, plain_read, __builtin_return_address(0)); }
void __tsan_write_range(void *p, size_t n) { check_access(p, n, 1, plain_write, __builtin_return_address(0)); }
// clang's names of copies and fills, which gcc calls by their own.
void *__tsan_memcpy(void *to, const void *from, size_t n) {
    check_access(from, n, 1, plain_read, __builtin_return_address(0));
    check_access(to, n, 1, plain_write, __builtin_return_address(0));
    return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, size_t n) {
    check_access(from, n, 1, plain_read, __builtin_return_address(0));
    check_access(to, n, 1, plain_write, __builtin_return_address(0));
    return memmove(to, from, n);
}
void *__tsan_memset(void *to, int value, size_t n) {
    check_access(to, n, 1, plain_write, __builtin_return_address(0));
    return memset(to, value, n);
}
void emu_atomic(void *p, size_t n, bool reads, void *place) { check_access(p, n, n, reads ? atomic_update : atomic_exchange, place); }
}
