// The compiler: it lists the kernels of a text.

package mock

import (
	"regexp"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// Compiler implements [driver.Compiler]. A text with "#error" does not compile.
type Compiler struct {
	d            *Driver
	major, minor int
}

var _ driver.Compiler = (*Compiler)(nil)

// Compiler returns the machine's compiler, version 12.4.
func (d *Driver) Compiler() *Compiler { return &Compiler{d: d, major: 12, minor: 4} }

// SetVersion changes the version, as an update would.
func (c *Compiler) SetVersion(major, minor int) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.major, c.minor = major, minor
}

// call records a call and returns the failure that was asked for it.
func (c *Compiler) call(name string, args ...any) error {
	if code := c.d.enter(name, args...); code != 0 {
		return &driver.Error{Library: driver.LibraryNVRTC, Call: name, Code: int(code), Name: "NVRTC_ERROR_INTERNAL_ERROR"}
	}
	return nil
}

func (c *Compiler) Version() (major, minor int, err error) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return c.major, c.minor, c.call("nvrtcVersion")
}

func (c *Compiler) Architectures() ([]int, error) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	if err := c.call("nvrtcGetSupportedArchs"); err != nil {
		return nil, err
	}
	return []int{75, 80, 86, 89, 90}, nil
}

var kernelName = regexp.MustCompile(`__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(`)

func (c *Compiler) Compile(s driver.Source) (cubin []byte, log string, err error) {
	const compile = "nvrtcCompileProgram"
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	if err := c.call(compile, s.Name, s.SM); err != nil {
		return nil, "", err
	}
	failed := func(code int, name, log string) ([]byte, string, error) {
		return nil, "", &driver.CompileError{Source: s, Log: log, Err: &driver.Error{Library: driver.LibraryNVRTC, Call: compile, Code: code, Name: name}}
	}
	switch {
	case !slices.Contains([]int{75, 80, 86, 89, 90}, s.SM):
		return failed(5, "NVRTC_ERROR_INVALID_OPTION", "nvrtc: error: invalid value for --gpu-architecture")
	case strings.Contains(s.Text, "#error"):
		return failed(6, "NVRTC_ERROR_COMPILATION", s.Name+"(1): error: #error directive")
	}
	var names []string
	for _, m := range kernelName.FindAllStringSubmatch(s.Text, -1) {
		names = append(names, m[1])
	}
	return Cubin(s.SM, names...), "", nil
}
