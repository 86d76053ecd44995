package emu

// From a text to a library: finding the compiler, running it, the cache.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

//go:embed host
var host embed.FS

// textFlags are what kernels are compiled with. Products and sums round
// separately, as in the reference; pointers of different types may mean the same
// memory, as CUDA's compilers allow; local variables start as no useful numbers; no
// frame reaches beyond the page that guards a stack.
var textFlags = []string{
	"-std=c++17", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
	"-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
	"-fPIC", "-shared", "-nostdlib", "-fvisibility=hidden", "-w", "-pipe", "-DAST_HOST",
	"-fsanitize=signed-integer-overflow,bounds,shift,integer-divide-by-zero", "-fno-sanitize-recover=all",
	"-g1", // lines of the text
}

// optionalFlags are left out where a compiler does not have them.
var optionalFlags = []string{"-ftrivial-auto-var-init=pattern", "-fstack-clash-protection"}

// raceFlags put a call before each access, which also checks its alignment. These
// calls take most of a kernel's time: to optimise the rest would save less than it
// costs the compiler.
var raceFlags = []string{"-O0", "-fsanitize=thread"}

// fastFlags are for texts in which races are not looked for.
var fastFlags = []string{"-O1", "-fsanitize=alignment"}

// runtimeFlags are what the process is compiled with.
var runtimeFlags = []string{"-std=c++17", "-O2", "-fno-exceptions", "-fno-rtti", "-rdynamic", "-w"}

// Image is a compiled text.
type Image struct {
	Path    string   // the library
	Kernels []string // in the order of the text
}

// toolchain is a compiler that works, with the run time that it made.
type toolchain struct {
	command []string
	flags   []string // for texts
	cache   string   // the directory
	target  string   // the compiler's version and what it compiles for
	header  string   // the directory of emu.h
	runner  string   // the executable
}

var tools struct {
	sync.Mutex
	known map[string]*toolchain // by command and cache
}

// Available reports why texts cannot be compiled here, nil if they can.
func Available() error {
	if err := supported(); err != nil {
		return err
	}
	_, err := findCompiler()
	return err
}

func findCompiler() ([]string, error) {
	candidates := [][]string{{"c++"}, {"g++"}, {"clang++"}}
	if fields := strings.Fields(os.Getenv("CXX")); len(fields) > 0 {
		candidates = [][]string{fields}
	}
	missing := &NoCompilerError{}
	for _, command := range candidates {
		path, err := exec.LookPath(command[0])
		if err != nil {
			missing.Tried = append(missing.Tried, command[0])
			continue
		}
		return append([]string{path}, command[1:]...), nil
	}
	return nil, missing
}

// prepare finds the compiler and compiles the run time, unless it is there.
func prepare(ctx context.Context, cache string) (*toolchain, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	command, err := findCompiler()
	if err != nil {
		return nil, err
	}
	if cache == "" {
		root, err := os.UserCacheDir()
		if err != nil {
			root = os.TempDir()
		}
		cache = filepath.Join(root, "asterias", "emu")
	}
	key := strings.Join(append(command, cache), "\n")
	tools.Lock()
	defer tools.Unlock()
	if t := tools.known[key]; t != nil && exists(t.runner) {
		return t, nil
	}
	t := &toolchain{command: command, cache: cache}
	if t.target, err = t.probe(ctx, append(append([]string{}, textFlags...), optionalFlags...)); err != nil {
		// Which of them?
		kept := append([]string{}, textFlags...)
		for _, flag := range optionalFlags {
			if _, err := t.probe(ctx, append(kept, flag)); err == nil {
				kept = append(kept, flag)
			}
		}
		if t.target, err = t.probe(ctx, kept); err != nil {
			return nil, err
		}
	}
	if err := t.installRuntime(ctx); err != nil {
		return nil, err
	}
	if tools.known == nil {
		tools.known = make(map[string]*toolchain)
	}
	tools.known[key] = t
	return t, nil
}

// probe tries flags on an empty text; it returns the macros that the compiler
// defines.
func (t *toolchain) probe(ctx context.Context, flags []string) (string, error) {
	t.flags = flags
	args := append(append([]string{}, t.command...), flags...)
	return execute(ctx, "", append(args, "-E", "-dM", "-x", "c++", os.DevNull)...)
}

// installRuntime writes the files of host into a directory of the cache, named by
// their hash, and compiles them there.
func (t *toolchain) installRuntime(ctx context.Context) error {
	entries, err := host.ReadDir("host")
	if err != nil {
		panic("BUG: emu: " + err.Error())
	}
	files := make(map[string][]byte)
	parts := []string{t.target, strings.Join(t.command, " "), strings.Join(runtimeFlags, " ")}
	for _, e := range entries {
		data, err := host.ReadFile("host/" + e.Name())
		if err != nil {
			panic("BUG: emu: " + err.Error())
		}
		files[e.Name()] = data
		parts = append(parts, e.Name(), string(data))
	}
	t.header = filepath.Join(t.cache, runtimePrefix+digest(parts...)[:32])
	t.runner = filepath.Join(t.header, "emulator")
	if exists(t.runner) {
		touch(t.header)
		return nil
	}
	if err := os.MkdirAll(t.cache, 0o700); err != nil {
		return fmt.Errorf("emu: %w", err)
	}
	work, err := os.MkdirTemp(t.cache, buildPrefix+"*")
	if err != nil {
		return fmt.Errorf("emu: %w", err)
	}
	defer os.RemoveAll(work)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(work, name), data, 0o600); err != nil {
			return fmt.Errorf("emu: %w", err)
		}
	}
	args := append(append([]string{}, t.command...), runtimeFlags...)
	args = append(args, filepath.Join(work, "runtime.cc"), "-o", filepath.Join(work, "emulator"), "-ldl")
	if _, err := execute(ctx, "", args...); err != nil {
		return err
	}
	if err := os.Rename(work, t.header); err != nil && !exists(t.runner) { // another process may have been first
		return fmt.Errorf("emu: %w", err)
	}
	return nil
}

// Names in the cache.
const (
	buildPrefix   = "build-"   // while they are written
	runtimePrefix = "runtime-" // of directories with the process and the headers
	librarySuffix = ".so"
)

var (
	comments   = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	directives = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$`)
	kernelName = regexp.MustCompile(`\bAST_KERNEL\s*\(\s*(\w+)|\b__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(`)
)

// kernelsOf returns the names of a text's kernels: AST_KERNEL(name)(…) and
// __global__ void name(…), but not where macros are defined.
func kernelsOf(text string) []string {
	text = comments.ReplaceAllString(text, " ")
	text = directives.ReplaceAllString(text, "")
	var out []string
	seen := make(map[string]bool)
	for _, m := range kernelName.FindAllStringSubmatch(text, -1) {
		if name := m[1] + m[2]; !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// build compiles a text, or finds it compiled.
func (t *toolchain) build(ctx context.Context, text string, races bool) (*Image, error) {
	command := append(append([]string{}, t.command...), t.flags...)
	if races {
		command = append(command, raceFlags...)
	} else {
		command = append(command, fastFlags...)
	}
	image := &Image{Kernels: kernelsOf(text)}
	name := digest(t.target, strings.Join(command, " "), t.header, text)
	image.Path = filepath.Join(t.cache, name[:2], name+librarySuffix)
	if exists(image.Path) {
		touch(image.Path)
		return image, nil
	}
	if err := os.MkdirAll(filepath.Dir(image.Path), 0o700); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(image.Path), buildPrefix+"*")
	if err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	f.Close()
	defer os.Remove(f.Name()) // fails when it was renamed
	var full strings.Builder
	full.WriteString("#line 1 \"" + textName + "\"\n" + text + "\n#line 1 \"table\"\nEMU_KERNELS(")
	for _, k := range image.Kernels {
		full.WriteString("EMU_KERNEL(" + k + ") ")
	}
	full.WriteString(")\n")
	command = append(command, "-include", filepath.Join(t.header, "emu.h"), "-x", "c++", "-", "-o", f.Name(), "-lgcc", "-lm")
	if _, err := execute(ctx, full.String(), command...); err != nil {
		return nil, err
	}
	if err := os.Rename(f.Name(), image.Path); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	sweep(t.cache)
	return image, nil
}

// line returns the line of the text that a place in a library was made from, 0
// if binutils' addr2line is not there or does not know. A place is the address
// behind an instruction.
func (t *toolchain) line(image *Image, place uint32) int {
	out, err := execute(context.Background(), "", "addr2line", "-i", "-e", image.Path, fmt.Sprintf("%#x", place-1))
	if err != nil {
		return 0
	}
	for at := range strings.Lines(out) { // from the innermost of inlined functions
		file, rest, _ := strings.Cut(strings.TrimSpace(at), ":")
		number, _, _ := strings.Cut(rest, " ") // "kernels:12 (discriminator 2)"
		line, err := strconv.Atoi(number)
		switch filepath.Base(file) {
		case textName, "<stdin>", "-": // compilers differ
			if err == nil {
				return line
			}
		}
	}
	return 0
}

// textName is the file that messages and lines name.
const textName = "kernels"

// buildAll compiles texts, several at a time.
func (t *toolchain) buildAll(ctx context.Context, texts []string, races bool) ([]*Image, error) {
	images := make([]*Image, len(texts))
	errs := make([]error, len(texts))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, text := range texts {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			images[i], errs[i] = t.build(ctx, text, races)
		})
	}
	all.Wait()
	return images, errors.Join(errs...)
}

// execute runs a command and returns what it printed.
func execute(ctx context.Context, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var out, messages bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &messages
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &CompileError{Command: strings.Join(args, " "), Output: strings.TrimSpace(err.Error() + "\n" + messages.String())}
	}
	return out.String(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// digest is a hash of parts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
