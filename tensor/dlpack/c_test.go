//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package dlpack

// A library in C, built by the system's compiler.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

type library struct {
	layout func(out *int64)
	twice  uintptr
	make   func(rows, cols, byteOffset int64) unsafe.Pointer
	alive  func() int64
	eat    func(m unsafe.Pointer)
	first  func() float64
	letGo  func() int32
}

var build = sync.OnceValues(func() (*library, error) {
	dir, err := os.MkdirTemp("", "dlpack-test-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a library that is loaded needs its file no more
	command := []string{"cc"}
	if fields := strings.Fields(os.Getenv("CC")); len(fields) > 0 {
		command = fields
	}
	so := filepath.Join(dir, "lib.so")
	args := append(command[1:], "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", so, filepath.Join("testdata", "lib.c"), "-lpthread")
	if out, err := exec.Command(command[0], args...).CombinedOutput(); err != nil {
		return nil, &buildError{err, string(out)}
	}
	handle, err := purego.Dlopen(so, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	l := &library{}
	for name, f := range map[string]any{"layout": &l.layout, "make": &l.make, "alive": &l.alive, "consume": &l.eat, "first": &l.first, "let_go": &l.letGo} {
		purego.RegisterLibFunc(f, handle, name)
	}
	l.twice, err = purego.Dlsym(handle, "twice")
	return l, err
})

type buildError struct {
	err error
	out string
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

// inC returns the library; without a compiler the test is skipped, unless tools are
// required.
func inC(t *testing.T) *library {
	t.Helper()
	l, err := build()
	if err == nil {
		return l
	}
	if e, ok := err.(*buildError); !ok || e.out != "" || os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal(err)
	}
	t.Skip("no C compiler: ", err)
	return nil
}
