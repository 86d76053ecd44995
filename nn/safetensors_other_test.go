// Files of other formats where safetensors are wanted.

package nn_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/nn"
)

// zipOf is an archive of one member.
func zipOf(t *testing.T, name string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err == nil {
		_, err = io.WriteString(f, "content")
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFilesOfOtherFormatsAreNamed(t *testing.T) {
	const pytorch = "it is not a safetensors file; it looks like a file of PyTorch's torch.save"
	for name, c := range map[string]struct{ content, want string }{
		"PyTorch":              {zipOf(t, "model/data.pkl"), pytorch + " (safetensors.torch.save_file writes a state_dict as safetensors)"},
		"old PyTorch":          {"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", pytorch + " (safetensors.torch.save_file writes a state_dict as safetensors) of a version before 1.6"},
		"pickle":               {"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00", "it looks like a pickle of Python"},
		"npz":                  {zipOf(t, "x.npy"), "it looks like a NumPy archive (.npz)"},
		"another archive":      {zipOf(t, "readme"), "it looks like a zip archive"},
		"the start of one":     {"PK\x03\x04", "it looks like a zip archive"},
		"npy":                  {"\x93NUMPY\x01\x00v\x00{'descr'", "it looks like a NumPy array (.npy)"},
		"HDF5":                 {"\x89HDF\r\n\x1a\n\x00\x00", "it looks like an HDF5 file"},
		"gzip":                 {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00", "it looks like compressed by gzip"},
		"pointer":              {"version https://git-lfs.github.com/spec/v1\noid sha256:12\n", "it looks like a pointer of Git LFS"},
		"HTML":                 {"<!DOCTYPE html>\n<html>", "it looks like an HTML page"},
		"JSON":                 {`{"weight": [1, 2, 3], "bias": [0]}`, "it looks like text"},
		"short text":           {"hello\n", "it looks like text"},
		"text cut in a rune":   {strings.Repeat("a", 511) + "é" + strings.Repeat("b", 90), "it looks like text"},
		"long text":            {strings.Repeat("0.5 1.25\n", 1000), "it looks like text"},
		"nothing":              {"", "the file is empty: length of the header: unexpected EOF"},
		"random bytes":         {"\x01\xfe\x33\x91\x7c\xd8\x00\xf1\x02\x88", "a header of "},
		"a short safetensors":  {"\x80\x02\x00\x00\x00\x00\x00\x00{}", "header: 2 bytes of 640"},
		"a header of no JSON":  {"\x05\x00\x00\x00\x00\x00\x00\x00hello", "header: it does not begin with {"},
		"a header of bad JSON": {"\x05\x00\x00\x00\x00\x00\x00\x00{\"a\":", "header: "},
	} {
		path := filepath.Join(t.TempDir(), "model")
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := nn.LoadFile(path, nn.NewLinear(2, 3, nn.NewRNG(1)))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "nn: LoadFile: "+path+": ") {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
		if c.want == "it looks like text" && strings.Contains(err.Error(), "header") {
			t.Errorf("%s: the error speaks of a header: %v", name, err)
		}
		if _, err := nn.LoadTensors(strings.NewReader(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: LoadTensors gives %v, want %q", name, err, c.want)
		}
	}
}
