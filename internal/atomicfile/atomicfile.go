// Package atomicfile writes files that are there as a whole or not at all.
package atomicfile

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write puts what write writes at path, in one go: it goes to a file of another name
// in the same folder, which is flushed to disk and then takes the place of what was
// at path, with that one's permissions, or with those that os.Create gives. Where path is a
// symbolic link to a file, it is that file. What is no file, such as a folder, a pipe or a
// device, is not replaced: it is an error before anything is written. On an error of write,
// which is returned as it is, or of the file system nothing is changed and nothing is left.
func Write(path string, write func(w io.Writer) error) error {
	mode, exists := os.FileMode(0o666), false
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is there and is no file that can be replaced (%v)", path, info.Mode())
		}
		mode, exists = info.Mode().Perm(), true
	}
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	// Beside path, as a rename does not cross file systems; its name has a length of its
	// own, as path's may be as long as the file system allows.
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".write-%016x.tmp", rand.Uint64()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) // less the umask
	if err != nil {
		return err
	}
	defer os.Remove(temp) // of nothing, once it took its place
	defer f.Close()       // earlier than Remove, for Windows; again after success
	if exists {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
