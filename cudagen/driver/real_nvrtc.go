//go:build ((linux && !android) || windows) && (amd64 || arm64)

// NVRTC, loaded.

package driver

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"unsafe"
)

type realCompiler struct {
	version        func(major, minor *int32) int32
	numArchs       func(n *int32) int32
	archs          func(list *int32) int32
	errorString    func(code int32) string
	createProgram  func(prog *uintptr, text, name *byte, numHeaders int32, headers, names **byte) int32
	destroyProgram func(prog *uintptr) int32
	compile        func(prog uintptr, numOptions int32, options **byte) int32
	cubinSize      func(prog uintptr, n *uint64) int32
	cubin          func(prog uintptr, to *byte) int32
	logSize        func(prog uintptr, n *uint64) int32
	log            func(prog uintptr, to *byte) int32
}

func bindCompiler(handle uintptr, path string) (Compiler, error) {
	c := &realCompiler{}
	err := bindAll(handle, path, []symbol{
		{name: "nvrtcVersion", to: &c.version},
		{name: "nvrtcGetNumSupportedArchs", to: &c.numArchs},
		{name: "nvrtcGetSupportedArchs", to: &c.archs},
		{name: "nvrtcGetErrorString", to: &c.errorString},
		{name: "nvrtcCreateProgram", to: &c.createProgram},
		{name: "nvrtcDestroyProgram", to: &c.destroyProgram},
		{name: "nvrtcCompileProgram", to: &c.compile},
		{name: "nvrtcGetCUBINSize", to: &c.cubinSize},
		{name: "nvrtcGetCUBIN", to: &c.cubin},
		{name: "nvrtcGetProgramLogSize", to: &c.logSize},
		{name: "nvrtcGetProgramLog", to: &c.log},
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *realCompiler) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return &Error{Library: LibraryNVRTC, Call: call, Code: int(code), Name: c.errorString(code)}
}

func (c *realCompiler) Version() (major, minor int, err error) {
	var a, b int32
	err = c.check("nvrtcVersion", c.version(&a, &b))
	return int(a), int(b), err
}

func (c *realCompiler) Architectures() ([]int, error) {
	var n int32
	if err := c.check("nvrtcGetNumSupportedArchs", c.numArchs(&n)); err != nil || n == 0 {
		return nil, err
	}
	list := make([]int32, n)
	if err := c.check("nvrtcGetSupportedArchs", c.archs(&list[0])); err != nil {
		return nil, err
	}
	out := make([]int, n)
	for i, a := range list {
		out[i] = int(a)
	}
	return out, nil
}

// cStrings makes an array of C strings; pin keeps the texts where they are.
func cStrings(list []string, pin *runtime.Pinner) **byte {
	if len(list) == 0 {
		return nil
	}
	array := make([]*byte, len(list))
	for i, s := range list {
		array[i] = &cBytes(s)[0]
		pin.Pin(array[i])
	}
	pin.Pin(&array[0])
	return &array[0]
}

func (c *realCompiler) Compile(s Source) (cubin []byte, log string, err error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	names := slices.Sorted(maps.Keys(s.Headers))
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = s.Headers[name]
	}
	text, name := cBytes(s.Text), cBytes(s.Name)
	var prog uintptr
	if err := c.check("nvrtcCreateProgram", c.createProgram(&prog, &text[0], &name[0], int32(len(names)), cStrings(texts, &pin), cStrings(names, &pin))); err != nil {
		return nil, "", err
	}
	defer c.destroyProgram(&prog)

	options := append([]string{fmt.Sprintf("--gpu-architecture=sm_%d", s.SM)}, s.Options...)
	failed := c.check("nvrtcCompileProgram", c.compile(prog, int32(len(options)), cStrings(options, &pin)))
	logBytes, err := c.read("nvrtcGetProgramLog", prog, c.logSize, c.log)
	if failed != nil {
		return nil, "", &CompileError{Source: s, Log: cText(logBytes), Err: failed}
	}
	if err != nil {
		return nil, "", err
	}
	cubin, err = c.read("nvrtcGetCUBIN", prog, c.cubinSize, c.cubin)
	if err == nil && len(cubin) == 0 {
		err = fmt.Errorf("nvrtc: %s: no machine code for sm_%d", s.Name, s.SM)
	}
	return cubin, cText(logBytes), err
}

// read asks for a result's size, then for the result.
func (c *realCompiler) read(call string, prog uintptr, size func(uintptr, *uint64) int32, get func(uintptr, *byte) int32) ([]byte, error) {
	var n uint64
	if err := c.check(call+"Size", size(prog, &n)); err != nil || n == 0 {
		return nil, err
	}
	out := make([]byte, n)
	err := c.check(call, get(prog, unsafe.SliceData(out)))
	return out, err
}

// cText returns a C string without its zero byte.
func cText(b []byte) string {
	if i := slices.Index(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
