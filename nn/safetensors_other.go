// What a file is that is no safetensors file, for the error that says so.

package nn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// sniffed is how much of the start of a file tells what it is.
const sniffed = 512

// signatures are what files that take safetensors' place begin with.
var signatures = []struct{ start, what string }{
	{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", pytorchFile + " of a version before 1.6"},
	{"\x80\x02", pickleFile}, {"\x80\x03", pickleFile}, {"\x80\x04", pickleFile}, {"\x80\x05", pickleFile},
	{"\x93NUMPY", "a NumPy array (.npy)"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file, as Keras writes"},
	{"GGUF", "a GGUF file"},
	{"\x1f\x8b", "compressed by gzip"},
	{"version https://git-lfs.github.com/", "a pointer of Git LFS, in whose place the file is to be fetched"},
	{"<!DOCTYPE", htmlPage}, {"<!doctype", htmlPage}, {"<html", htmlPage},
}

const (
	pytorchFile = "a file of PyTorch's torch.save (safetensors.torch.save_file writes a state_dict as safetensors)"
	pickleFile  = "a pickle of Python"
	htmlPage    = "an HTML page, as failed downloads leave"
)

// explainHeader makes of err, the fault of a header, one that says what the file looks like
// by its start, if that is something else than safetensors.
func explainHeader(start []byte, err error) error {
	switch what := looksLike(start); {
	case len(start) == 0 && errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the file is empty: %w", err)
	case what != "":
		return errors.New("it is not a safetensors file; it looks like " + what)
	}
	return err
}

// looksLike says what a file is that begins so; "" if that is unknown, or safetensors.
func looksLike(start []byte) string {
	const length = 8
	if len(start) > length && start[length] == '{' && binary.LittleEndian.Uint64(start) <= maxHeaderBytes {
		return ""
	}
	for _, s := range signatures {
		if bytes.HasPrefix(start, []byte(s.start)) {
			return s.what
		}
	}
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) {
		return zipFile(start)
	}
	if isText(start) {
		return "text"
	}
	return ""
}

// zipFile tells archives by the name of their first member, which follows 30 bytes.
func zipFile(start []byte) string {
	const header, nameLength = 30, 26
	if len(start) < header {
		return "a zip archive"
	}
	name := start[header:]
	name = name[:min(len(name), int(binary.LittleEndian.Uint16(start[nameLength:])))]
	switch {
	case bytes.HasSuffix(name, []byte("/data.pkl")):
		return pytorchFile
	case bytes.HasSuffix(name, []byte(".npy")):
		return "a NumPy archive (.npz)"
	}
	return "a zip archive"
}

// isText reports whether there is a start and all of it is printable. The last rune
// may be cut.
func isText(start []byte) bool {
	for rest := start; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			return len(rest) < utf8.UTFMax && !utf8.FullRune(rest)
		case !unicode.IsPrint(r) && !unicode.IsSpace(r):
			return false
		}
		rest = rest[size:]
	}
	return len(start) > 0
}
