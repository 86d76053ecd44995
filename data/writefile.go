// Files that are written whole or not at all.

package data

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a file beside path and renames it to path when it is
// complete. On any failure nothing is left of it, and an old file stays.
func writeFile(path string, write func(w io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".write-*")
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	defer func() {
		if err != nil {
			tmp.Close()           // a second Close changes nothing
			os.Remove(tmp.Name()) // the error is reported already
			err = fmt.Errorf("data: writing %s: %w", path, err)
		}
	}()
	w := bufio.NewWriterSize(tmp, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
