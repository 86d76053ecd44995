// The page of runs before, from their JSON.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// summarise writes the page of files of JSON lines, of one GPU; of a case that is there
// more than once the last line counts.
func summarise(files []string, out io.Writer) error {
	var h header
	var results []*result
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		of, more, err := readResults(f)
		f.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if h.Device != "" && of.Device != h.Device {
			return fmt.Errorf("%s: %s, the others are of %s", name, of.Device, h.Device)
		}
		if h.Device == "" {
			h = of
		}
		for _, r := range more {
			same := func(x *result) bool { return x.Case == r.Case && x.Pass == r.Pass && x.Graph == r.Graph }
			if i := slices.IndexFunc(results, same); i >= 0 {
				results[i] = r
			} else {
				results = append(results, r)
			}
		}
	}
	return writePage(out, h, results, nil)
}

// readResults reads a header and results.
func readResults(in io.Reader) (h header, results []*result, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var v any = &h
		if n > 1 {
			results = append(results, &result{})
			v = results[len(results)-1]
		}
		if err := json.Unmarshal(lines.Bytes(), v); err != nil {
			return h, nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return h, nil, err
	}
	if h.Device == "" {
		return h, nil, fmt.Errorf("no header")
	}
	return h, results, nil
}
