// Switching between stacks, and what a fault's context tells, per processor.
//
//	new_stack(top)         a stack that starts in fiber_main when it is switched to
//	switch_stack(&old, to) saves the running stack and goes on with another
//	is_write(context)      whether a fault was a write, where that is known
//	program_counter(…)     where it was, null if that is not known

#pragma once

// EMU_UCONTEXT asks for the way that works everywhere, for its test.
#if defined(__x86_64__) && !defined(EMU_UCONTEXT)

extern "C" void switch_stack(void **from, void *to);

// The registers that a function must keep; the floating-point modes never change.
__asm__(R"(
.text
.globl switch_stack
.type switch_stack, @function
switch_stack:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
.size switch_stack, .-switch_stack
)");

static void *new_stack(char *top) {
    void **sp = (void **)top;
    *--sp = nullptr;              // where fiber_main's caller would be: keeps the alignment
    *--sp = (void *)fiber_main;   // where ret goes
    for (int i = 0; i < 6; i++) *--sp = nullptr;
    return sp;
}

static bool is_write(void *context) { return ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2; }

static char *program_counter(void *context) { return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]; }

#elif defined(__aarch64__) && !defined(EMU_UCONTEXT)

extern "C" void switch_stack(void **from, void *to);

__asm__(R"(
.text
.globl switch_stack
.type switch_stack, %function
switch_stack:
	sub sp, sp, #160
	stp x19, x20, [sp, #0]
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x9, sp
	str x9, [x0]
	mov sp, x1
	ldp x19, x20, [sp, #0]
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp d8, d9, [sp, #96]
	ldp d10, d11, [sp, #112]
	ldp d12, d13, [sp, #128]
	ldp d14, d15, [sp, #144]
	add sp, sp, #160
	ret
.size switch_stack, .-switch_stack
)");

static void *new_stack(char *top) {
    void **sp = (void **)(top - 160);
    memset(sp, 0, 160);
    sp[11] = (void *)fiber_main; // x30
    return sp;
}

// The kernel puts the syndrome register into a record of the context.
static bool is_write(void *context) {
    const unsigned esr_magic = 0x45535201, write_bit = 1u << 6;
    unsigned char *p = (unsigned char *)((ucontext_t *)context)->uc_mcontext.__reserved;
    unsigned char *end = p + sizeof((ucontext_t *)context)->uc_mcontext.__reserved;
    while (p + 16 <= end) {
        unsigned head[2];
        memcpy(head, p, sizeof head);
        if (head[0] == 0 || head[1] < 16) return false;
        if (head[0] == esr_magic) {
            unsigned long long esr;
            memcpy(&esr, p + 8, sizeof esr);
            return esr & write_bit;
        }
        p += head[1];
    }
    return false;
}

static char *program_counter(void *context) { return (char *)((ucontext_t *)context)->uc_mcontext.pc; }

#else

// Slower by far: each switch also sets the signal mask.
static void switch_stack(void **from, void *to) {
    ucontext_t here;
    *from = &here;
    swapcontext(&here, (ucontext_t *)to);
}

static void *new_stack(char *top) {
    const size_t bytes = stack_bytes - (8 << 10);
    ucontext_t *c = (ucontext_t *)(((size_t)top - sizeof(ucontext_t)) & ~(size_t)63);
    getcontext(c);
    c->uc_stack.ss_sp = (char *)c - bytes;
    c->uc_stack.ss_size = bytes;
    c->uc_link = nullptr;
    makecontext(c, fiber_main, 0);
    return c;
}

static bool is_write(void *) { return false; }

static char *program_counter(void *) { return nullptr; }

#endif
