// What a compiled text and the run time know of each other.

#pragma once

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// Calls of a warp's lanes that wait for each other. Lanes meet only in calls of
// the same kind at the same place of the text.
enum emu_kind { emu_syncwarp_kind, emu_idx_kind, emu_up_kind, emu_down_kind, emu_xor_kind, emu_ballot_kind, emu_any_kind, emu_all_kind };

extern "C" {
extern const uint3 *emu_thread; // the running thread's threadIdx
extern const uint3 emu_block;
extern const dim3 emu_block_dim, emu_grid_dim;

// Waits for all threads of the block; returns how many gave a nonzero value.
int emu_syncthreads(int site, int line, int kind, int value);
// Waits for the lanes of the mask; returns a lane's bits, or a vote.
unsigned long long emu_warp(int kind, int site, int line, unsigned mask, unsigned long long bits, int size, int lane, int width);
// Lets other threads run, in schedules that do so.
void emu_pause();
// Tells of an atomic access at a place of the text, and whether what it writes depends
// on what was there.
void emu_atomic(void *p, __SIZE_TYPE__ bytes, bool reads, void *place);
[[noreturn]] void emu_misaligned(const void *p);
[[noreturn]] void emu_fail(int line, const char *text);
}

// The kernels of a text and its shared memory.
struct emu_param {
    unsigned size;
    unsigned flags; // 1: a pointer, 2: to const
};
struct emu_kernel {
    const char *name;
    void (*call)(void *const *args);
    const emu_param *params;
    unsigned count;
};
struct emu_table {
    const emu_kernel *kernels; // ended by one without a name
    char *shared, *shared_end;
};
