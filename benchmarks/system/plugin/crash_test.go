package plugin

// Texts of dead processes.

import (
	"fmt"
	"strings"
	"testing"
)

func TestTheTextOfADeadProcessIsRead(t *testing.T) {
	const foreign = "%sSIGSEGV: segmentation violation\nPC=0x7f963093b167 m=0 sigcode=1 addr=0x%x\nsignal arrived during cgo execution\n\ngoroutine 1\n\nrsp    0x7ffe17940d10\n"
	for _, c := range []struct {
		name, text, want, said string
	}{
		{"nothing", "", "", ""},
		{"no signal", "one\n\ntwo\n", "", "one / two"},
		{"address", fmt.Sprintf(foreign, "", 0x7f0000001234), "SIGSEGV at 0x7f0000001234", ""},
		{"null", fmt.Sprintf(foreign, "", 8), "SIGSEGV at 0x8: a null pointer, a misaligned vector, or an address that no memory has", ""},
		{"stack", fmt.Sprintf(foreign, "", 0x7ffe17940d08), "SIGSEGV at 0x7ffe17940d08: the stack is full", ""},
		{"text before", fmt.Sprintf(foreign, "a\nb\nc\nd\n", 8<<40), "SIGSEGV at 0x80000000000", "b / c / d"},
		{"in Go", "panic: x\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x7f0000001234 pc=0x45]\n", "SIGSEGV at 0x7f0000001234", "panic: x"},
		{"bus", "SIGBUS: bus error\nPC=0x1 m=0 sigcode=2 addr=0x7f0000001234\n", "SIGBUS at 0x7f0000001234", ""},
		{"abort", "Assertion `x' failed.\nSIGABRT: abort\nPC=0x7f9b m=0 sigcode=18446744073709551610\n", "SIGABRT, abort", "Assertion `x' failed."},
		{"the library writes of signals", "SIGSEGV: handled\nSIGABRT: abort\nPC=0x1\n", "SIGABRT, abort", "SIGSEGV: handled"},
		{"arm64", "SIGSEGV: segmentation violation\nPC=0x1 m=3 sigcode=1 addr=0xffff00000ff0\nsp      0xffff00001000\n", "SIGSEGV at 0xffff00000ff0: the stack is full", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readCrash(c.text)
			if got.signal == "" && c.want != "" || got.signal != "" && got.String() != c.want {
				t.Errorf("read as %q, want %q", got, c.want)
			}
			if got.said != c.said {
				t.Errorf("printed before: %q, want %q", got.said, c.said)
			}
		})
	}
}

func TestLongTextsAreShortened(t *testing.T) {
	if got := lastLines(strings.Repeat("é\xff", 1000)); len(got) > 310 || !strings.HasPrefix(got, "...") || strings.ContainsRune(got, '�') {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	var text tail
	for i := range 100_000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	if got := text.String(); len(got) > 2*tailSize || !strings.HasSuffix(got, "line 99999\n") {
		t.Errorf("%d bytes that end in %q", len(got), got[len(got)-20:])
	}
}

func TestAnAddressIsLocated(t *testing.T) {
	const page, reach = 0x1000, 0x10000
	base := [numSlots]uint64{slotX: 0x100000, slotOut: 0x200000}
	capacity := [numSlots]int{slotX: 2 * page, slotOut: page}
	operands := []operand{
		{name: "x", slot: slotX, placement: place(0x1800, 2*page, page, true)},
		{name: "w", slot: slotW},
		{name: "out", slot: slotOut, writable: true, placement: place(0x10, page, page, false)},
	}
	for _, c := range []struct {
		address uint64
		kind    Kind
		detail  string // empty: nowhere
	}{
		{0, 0, ""},
		{0x100000 - reach - 1, 0, ""},
		{0x100000 - reach, OutOfBounds, "touched memory 67584 bytes before x"},
		{0x1007ff, OutOfBounds, "touched memory 1 bytes before x"},
		{0x100800, WroteInput, "byte 0 of x"},
		{0x101fff, WroteInput, "byte 6143 of x"},
		{0x102000, OutOfBounds, "touched memory right after x"},
		{0x102000 + reach - 1, OutOfBounds, "touched memory 65535 bytes past the end of x"},
		{0x102000 + reach, 0, ""},
		{0x1fffff, OutOfBounds, "touched memory 1 bytes before out"},
		{0x200008, 0, ""}, // the output may be written: the fault is of another kind
		{0x200010, OutOfBounds, "touched memory right after out"},
	} {
		kind, detail, ok := locate(c.address, operands, base, capacity, reach)
		if kind != c.kind || detail != c.detail || ok != (c.detail != "") {
			t.Errorf("%#x: %v, %q, %t; want %v, %q", c.address, kind, detail, ok, c.kind, c.detail)
		}
	}
}

func TestEveryKindHasAText(t *testing.T) {
	seen := map[string]bool{}
	for k := range numKinds + 1 {
		if s := k.String(); s == "" || seen[s] {
			t.Errorf("kind %d has the text %q", k, s)
		} else {
			seen[s] = true
		}
	}
}
