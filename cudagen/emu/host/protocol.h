// Requests and answers. process.go is the other side.

#pragma once

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
    static char ahead[1 << 16]; // requests come several at a time
    static size_t from, to;
    for (char *p = (char *)data; n > 0;) {
        if (from == to) {
            ssize_t k = read(0, ahead, sizeof ahead);
            if (k < 0 && errno == EINTR) continue;
            if (k <= 0) return false;
            from = 0, to = (size_t)k;
        }
        size_t k = n < to - from ? n : to - from;
        memcpy(p, ahead + from, k);
        p += k, from += k, n -= k;
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
