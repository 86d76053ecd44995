// Metrics as a table.

package train

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV writes a history as comma-separated values: a header, then a row for
// every epoch with the shortest decimals that give back the same numbers; the
// field of what was not measured is empty.
//
//	epoch,loss,lr,val_acc
//	1,1.9431,0.01,
//	2,1.8719,0.01,0.462
func WriteCSV(w io.Writer, h *History) error {
	wantThere("WriteCSV", "the writer", w != nil)
	wantThere("WriteCSV", "the history", h != nil)
	names := h.Names()
	out := csv.NewWriter(w)
	row := append([]string{"epoch"}, names...)
	next := make([]int, len(names)) // of each series
	for epoch := 1; ; epoch++ {
		if err := out.Write(row); err != nil {
			return err
		}
		if epoch > h.epochs {
			break
		}
		row[0] = strconv.Itoa(epoch)
		for i, name := range names {
			row[1+i] = ""
			if s := h.series[name]; next[i] < len(s.epochs) && s.epochs[next[i]] == epoch {
				row[1+i] = strconv.FormatFloat(s.values[next[i]], 'g', -1, 64)
				next[i]++
			}
		}
	}
	out.Flush()
	return out.Error()
}
