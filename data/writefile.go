// Files that are written whole or not at all.

package data

import (
	"fmt"
	"io"

	"github.com/asterias-ml/asterias/internal/atomicfile"
)

func writeFile(path string, write func(w io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("data: writing %s: %w", path, err)
	}
	return nil
}
