package cc

// Running the C compiler.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// flags are what a library is compiled with. Contraction and comparisons without
// traps are all that is taken from -ffast-math: the rest changes NaN, infinities or
// the order of sums.
var flags = []string{
	"-std=gnu11", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math",
	"-fno-builtin-pow", "-fno-builtin-powf", // gcc makes pow(x, 0.5) a square root, which differs at -Inf and -0
	"-fPIC", "-shared", "-fvisibility=hidden", "-w",
}

// native are the ways to say: for this processor. The first that the compiler
// takes is used.
var native = []string{"-march=native", "-mcpu=native", ""}

// NoCompilerError says that there is no C compiler.
type NoCompilerError struct {
	Tried []string
}

func (e *NoCompilerError) Error() string {
	return fmt.Sprintf("cc: no C compiler found (tried %s): install one, or name it in the environment variable CC", strings.Join(e.Tried, ", "))
}

// CompileError is what the compiler says about a text.
type CompileError struct {
	Command string
	Output  string
}

func (e *CompileError) Error() string { return fmt.Sprintf("cc: %s: %s", e.Command, e.Output) }

// toolchain is a compiler that has been found to work.
type toolchain struct {
	command []string // with all flags
	target  string   // the macros that the compiler defines: its version, and the processor
}

var toolchains struct {
	sync.Mutex
	known map[string]*toolchain // by command
}

// find looks for the compiler and asks it for its target.
func (c *Compiler) find() (*toolchain, error) {
	candidates := [][]string{{"cc"}, {"gcc"}, {"clang"}}
	if fields := strings.Fields(os.Getenv("CC")); len(fields) > 0 {
		candidates = [][]string{fields}
	}
	if len(c.Command) > 0 {
		candidates = [][]string{c.Command}
	}
	missing := &NoCompilerError{}
	for _, command := range candidates {
		path, err := exec.LookPath(command[0])
		if err != nil {
			missing.Tried = append(missing.Tried, command[0])
			continue
		}
		level := c.level
		if level == "" {
			level = "-O3"
		}
		return probe(append(append([]string{path}, command[1:]...), level))
	}
	return nil, missing
}

// probe tries a compiler on an empty text, once in a process.
func probe(command []string) (*toolchain, error) {
	key := strings.Join(command, " ")
	toolchains.Lock()
	defer toolchains.Unlock()
	if t := toolchains.known[key]; t != nil {
		return t, nil
	}
	var errs []error
	for _, option := range native {
		args := append([]string{}, command...)
		if option != "" {
			args = append(args, option)
		}
		args = append(args, flags...)
		target, err := execute(append(args, "-E", "-dM", "-x", "c", os.DevNull))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if toolchains.known == nil {
			toolchains.known = make(map[string]*toolchain)
		}
		t := &toolchain{command: args, target: target}
		toolchains.known[key] = t
		return t, nil
	}
	return nil, errors.Join(errs...)
}

// compile makes a library of a text.
func (t *toolchain) compile(source, library string) error {
	_, err := execute(append(append([]string{}, t.command...), "-o", library, "-x", "c", source, "-lm"))
	return err
}

func execute(args []string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		return "", &CompileError{Command: strings.Join(args, " "), Output: strings.TrimSpace(err.Error() + "\n" + messages.String())}
	}
	return out.String(), nil
}
