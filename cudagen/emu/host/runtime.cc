// The emulator's process: it loads compiled texts and runs their kernels, one
// block after the other, each thread a fiber.
//
// Requests come on standard input and answers go to standard output. Memory is a
// file that both processes map at the same addresses. Whatever goes wrong within a
// kernel is reported and ends the process: its memory may be damaged.
//
// It is one translation unit: the headers are its parts, in the order of inclusion.

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

#include "protocol.h"
#include "state.h"
#include "races.h"
#include "grid.h"
#include "faults.h"

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

static void run_kernel(const emu_table *module, const launch &l, const emu_kernel &k) {
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
        threads[i].index = {i % l.block[0], i / l.block[0] % l.block[1], i / l.block[0] / l.block[1]};
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
        if (!race.on) fill_poison(module->shared, module->shared_end); // else to read it is an error
        run_block();
    }
    set_limit(0);
    run.running = false;
    free(order);
}

// --- the loop -------------------------------------------------------------------

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
        if (k->count > max_params) return reply(answer_refused, "more than 256 parameters", 24);
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

// reply_if answers a request that the system has granted or not.
static void reply_if(bool granted) {
    const char *text = granted ? "" : strerror(errno);
    reply(granted ? answer_ok : answer_refused, text, strlen(text));
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
            reply_if(p == (void *)r.a && (!r.c || race_map()));
            break;
        }
        case request_protect:
            if (r.a < memory_base || r.a + r.b > memory_base + memory_size) leave(8);
            if (race.on && r.c == PROT_NONE) race_forget(r.a, r.b);
            if (mprotect((void *)r.a, r.b, (int)r.c)) perror("mprotect"), leave(9); // it is not answered
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
