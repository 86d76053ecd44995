// What a kernel must not do and the processor or the compiler's checks notice.

#pragma once

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
    if (stacks && address >= (unsigned long long)stacks && address < (unsigned long long)stacks + max_threads * stack_step)
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
void emu_misaligned(const void *p) {
    answer f = fault_answer(fault_address, run.current);
    f.address = (unsigned long long)p;
    report(f, "misaligned");
}
}
