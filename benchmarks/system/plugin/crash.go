package plugin

// What a dead process tells. Go's run time writes the signal and the address that was
// touched, and a library may have said more before.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	signalText   = regexp.MustCompile(`(?m)^(?:\[signal )?(SIG[A-Z]+): ([a-z ]+?)(?: code=|$)`)
	addressText  = regexp.MustCompile(`code=(?:0x)?[0-9a-f]+ addr=0x([0-9a-f]+)`)
	stackPointer = regexp.MustCompile(`(?m)^r?sp\s+0x([0-9a-f]+)`)
)

// A crash is what was read from the text of a dead process.
type crash struct {
	signal  string // "SIGSEGV", empty if there was none
	meaning string // "segmentation violation"
	address uint64
	touched bool   // the signal has an address
	stack   uint64 // the stack pointer then, 0 if not known
	said    string // what was printed before, shortened
}

// readCrash reads the end of what a process printed.
func readCrash(text string) crash {
	all := signalText.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return crash{said: lastLines(text)}
	}
	at := all[len(all)-1]
	c := crash{signal: text[at[2]:at[3]], meaning: strings.TrimSpace(text[at[4]:at[5]]), said: lastLines(text[:at[0]])}
	rest := text[at[0]:]
	if m := addressText.FindStringSubmatch(rest); m != nil && (c.signal == "SIGSEGV" || c.signal == "SIGBUS") {
		c.address, _ = strconv.ParseUint(m[1], 16, 64)
		c.touched = true
	}
	if m := stackPointer.FindStringSubmatch(rest); m != nil {
		c.stack, _ = strconv.ParseUint(m[1], 16, 64)
	}
	return c
}

// lastLines returns the last lines of a text in one, not too long.
func lastLines(text string) string {
	const lines, most = 3, 300
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	kept = kept[max(0, len(kept)-lines):]
	s := strings.ToValidUTF8(strings.Join(kept, " / "), "?")
	if len(s) > most {
		s = "..." + strings.ToValidUTF8(s[len(s)-most:], "")
	}
	return s
}

// stackReach is how far from the stack pointer the address of an overflow may be.
const stackReach = 1 << 16

// String tells what happened.
func (c crash) String() string {
	s := c.signal
	switch {
	case !c.touched:
		s += ", " + c.meaning
	case c.stack != 0 && c.address-(c.stack-stackReach) < 2*stackReach:
		s += fmt.Sprintf(" at %#x: the stack is full", c.address)
	case c.address < 1<<12:
		s += fmt.Sprintf(" at %#x: a null pointer, a misaligned vector, or an address that no memory has", c.address)
	default:
		s += fmt.Sprintf(" at %#x", c.address)
	}
	return s
}

// locate tells which operand's surroundings an address lies in, if any. base has where
// slots are mapped, reach how much around them nobody can access.
func locate(address uint64, operands []operand, base [numSlots]uint64, capacity [numSlots]int, reach uint64) (kind Kind, detail string, ok bool) {
	for _, o := range operands {
		start := base[o.slot]
		if start == 0 || address < start-reach || address >= start+uint64(capacity[o.slot])+reach {
			continue
		}
		data := start + uint64(o.at)
		end := data + uint64(o.size)
		switch {
		case address < data:
			return OutOfBounds, fmt.Sprintf("touched memory %d bytes before %s", data-address, o.name), true
		case address >= end:
			return OutOfBounds, "touched memory " + pastEnd(address-end, o.name), true
		case !o.writable:
			return WroteInput, fmt.Sprintf("byte %d of %s", address-data, o.name), true
		}
	}
	return 0, "", false
}

// pastEnd is a place behind an operand in words.
func pastEnd(bytes uint64, name string) string {
	if bytes == 0 {
		return "right after " + name
	}
	return fmt.Sprintf("%d bytes past the end of %s", bytes, name)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 1 << 16

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > 2*tailSize {
		t.text = append(t.text[:0], t.text[len(t.text)-tailSize:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
