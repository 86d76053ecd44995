//go:build linux && !android && (amd64 || arm64)

package plugin

// The header says what Go says.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor/dlpack"
)

const header = "../capi/asterias_system.h"

func TestTheHeadersNumbersAreOurs(t *testing.T) {
	text, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`ASTERIAS_(\w+) (?:= )?(\d+)`).FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = m[2]
	}
	want := map[string]int{"SYSTEM_VERSION": version, "OK": statusOK, "UNSUPPORTED": statusUnsupported, "ERROR": 2}
	for op := system.OpMul; op.String() != "invalid"; op++ {
		want[strings.ToUpper(op.String())] = int(op)
	}
	for r := system.Sum; r.String() != "invalid"; r++ {
		want[strings.ToUpper(r.String())] = int(r)
	}
	for n := system.NormNone; n.String() != "invalid"; n++ {
		want["NORM_"+strings.ToUpper(n.String())] = int(n)
	}
	for name, number := range want {
		if found[name] != fmt.Sprint(number) {
			t.Errorf("ASTERIAS_%s is %q in the header, %d here", name, found[name], number)
		}
	}
	for name := range found {
		if _, ok := want[name]; !ok {
			t.Errorf("the header has ASTERIAS_%s, which is not here", name)
		}
	}
}

// assertions is C that does not compile if the structs' layouts are not Go's.
func assertions() string {
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n")
	same := func(what string, got uintptr) {
		fmt.Fprintf(&b, "_Static_assert(%s == %d, \"Go has %d\");\n", what, got, got)
	}
	var d dlpack.Tensor
	same("sizeof(DLTensor)", unsafe.Sizeof(d))
	same("offsetof(DLTensor, data)", unsafe.Offsetof(d.Data))
	same("offsetof(DLTensor, device)", unsafe.Offsetof(d.Device))
	same("offsetof(DLTensor, ndim)", unsafe.Offsetof(d.Dims))
	same("offsetof(DLTensor, dtype)", unsafe.Offsetof(d.DType))
	same("offsetof(DLTensor, shape)", unsafe.Offsetof(d.Shape))
	same("offsetof(DLTensor, strides)", unsafe.Offsetof(d.Strides))
	same("offsetof(DLTensor, byte_offset)", unsafe.Offsetof(d.ByteOffset))
	same("offsetof(DLDevice, device_id)", unsafe.Offsetof(d.Device.ID))
	same("offsetof(DLDataType, bits)", unsafe.Offsetof(d.DType.Bits))
	same("offsetof(DLDataType, lanes)", unsafe.Offsetof(d.DType.Lanes))
	same("kDLCPU", uintptr(dlpack.CPU))
	same("kDLFloat", uintptr(dlpack.Float))
	var m system.Memory
	same("sizeof(asterias_memory)", unsafe.Sizeof(m))
	same("offsetof(asterias_memory, graph)", unsafe.Offsetof(m.Graph))
	same("offsetof(asterias_memory, workspace)", unsafe.Offsetof(m.Workspace))
	var a arguments
	same("sizeof(asterias_flags)", unsafe.Sizeof(a.flags))
	for i, field := range []string{"op", "reduce", "norm", "transpose"} {
		same("offsetof(asterias_flags, "+field+")", uintptr(i)*unsafe.Sizeof(a.flags[0]))
	}
	return b.String()
}

func TestTheHeaderAndTheExampleCompile(t *testing.T) {
	cc := compiler(t)
	compile := func(name, source string, args ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(cc, append(args, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I../capi", path)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	const include = "#include \"asterias_system.h\"\n"
	csr, err := os.ReadFile(exampleSource)
	if err != nil {
		t.Fatal(err)
	}
	compile("csr.c", string(csr), "-std=c99")
	compile("twice.c", include+include+"int empty;\n", "-std=c99")
	compile("layout.c", include+assertions(), "-std=c11")
	// As if DLPack's own header were there: its structs are taken.
	dlpackHeader := "#define DLPACK_DLPACK_H_\n#include <stdint.h>\ntypedef enum { kDLCPU = 1 } DLDeviceType;\n" +
		"typedef struct { void *data; struct { DLDeviceType device_type; int32_t device_id; } device; int64_t *shape; } DLTensor;\n"
	compile("dlpack.c", dlpackHeader+include+"int64_t rows(DLTensor *t) { return t->shape[0]; }\n", "-std=c99")
	if exec.Command(cc, "-x", "c++", "-fsyntax-only", os.DevNull).Run() != nil {
		t.Log("the compiler is none of C++")
		return
	}
	compile("header.cc", include, "-std=c++11")
}

func TestTheCommandOfTheExamplesPageBuildsIt(t *testing.T) {
	cc := compiler(t)
	folder := filepath.Dir(exampleSource)
	page, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^    (cc .*)$`).FindStringSubmatch(string(page))
	if command == nil {
		t.Fatal("the page has no command")
	}
	path := filepath.Join(t.TempDir(), "csr.so")
	words := strings.Fields(strings.Replace(command[1], "csr.so", path, 1))
	cmd := exec.Command(cc, words[1:]...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command[1], err, out)
	}
	works(t, mustOpen(t, path, patient))
}
