// Tests of the MatrixMarket reader.

package data

import (
	"strings"
	"testing"
)

const mmHeader = "%%MatrixMarket matrix coordinate "

func TestMatrixMarketIsRead(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"real":      {mmHeader + "real general\n% comment\n\n3 3 2\n1 2 0.5\n3  3\t-1e2\n", "3 [0 2] [1 2] weights [0.5 -100]"},
		"integer":   {"%%matrixmarket MATRIX Coordinate Integer General\n2 2 1\n2 1 7", "2 [1] [0] weights [7]"},
		"pattern":   {mmHeader + "pattern symmetric\n3 3 2\n2 1\n3 3\n", "3 [1 0 2] [0 1 2]"},
		"skew":      {mmHeader + "real skew-symmetric\n2 2 1\n2 1 3\n", "2 [1 0] [0 1] weights [3 -3]"},
		"bipartite": {mmHeader + "pattern general\n2 5 2\n1 5\n2 1\n", "7 [0 1] [4 0]"},
		"no entry":  {mmHeader + "pattern general\n4 4 0\n", "4 [] []"},
		"nothing":   {mmHeader + "real general\n0 0 0\n", "0 [] []"},
	} {
		g, err := LoadMatrixMarket(write(t, "m.mtx", tt.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := describe(g); got != tt.want || g.Graph.IsBipartite() != (name == "bipartite") {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// hostileMatrices is files that are refused with the given words.
var hostileMatrices = []struct{ name, text, want string }{
	{"empty", "", "m.mtx: the file is empty"},
	{"no header", "3 3 1\n1 2\n", "m.mtx:1: not a MatrixMarket header"},
	{"short header", "%%MatrixMarket matrix coordinate real\n", "m.mtx:1: not a MatrixMarket header"},
	{"array", "%%MatrixMarket matrix array real general\n", "m.mtx:1: a matrix in array form, only coordinate is read"},
	{"complex", mmHeader + "complex general\n", "m.mtx:1: complex entries are not read"},
	{"hermitian", mmHeader + "real hermitian\n", "m.mtx:1: hermitian matrices are not read"},
	{"pattern with signs", mmHeader + "pattern skew-symmetric\n2 2 1\n2 1\n", "m.mtx:1: a pattern that is skew-symmetric"},
	{"no size", mmHeader + "real general\n% only comments\n", "m.mtx: 0 entries, the header says 0"},
	{"cut size", mmHeader + "real general\n3 3\n", "m.mtx:2: 2 fields, want rows, columns and entries"},
	{"rows of 10 GB", mmHeader + "real general\n10000000000 3 1\n1 1 1\n", "m.mtx:2: number of rows 10000000000 out of range"},
	{"rows of 2 GB", mmHeader + "real general\n2000000000 2000000000 1\n1 1 1\n", "m.mtx: 2000000000 vertices in a file of 1 lines"},
	{"entries of 10 GB", mmHeader + "real general\n3 3 10000000000\n1 1 1\n", "m.mtx:2: number of entries 10000000000 out of range"},
	{"entries of 1 GB", mmHeader + "real general\n3 3 1000000000\n1 1 1\n", "m.mtx: 1 entries, the header says 1000000000"},
	{"few entries", mmHeader + "real general\n3 3 2\n1 1 1\n", "m.mtx: 1 entries, the header says 2"},
	{"many entries", mmHeader + "real general\n3 3 1\n1 1 1\n1 2 1\n", "m.mtx:4: more than the 1 entries that the header says"},
	{"symmetric", mmHeader + "real symmetric\n3 4 0\n", "m.mtx:2: a symmetric matrix of 3 rows and 4 columns"},
	{"row 0", mmHeader + "pattern general\n3 3 1\n0 1\n", "m.mtx:3: row 0 out of range [1, 4)"},
	{"column", mmHeader + "pattern general\n3 3 1\n1 4\n", "m.mtx:3: column 4 out of range [1, 4)"},
	{"cut entry", mmHeader + "real general\n3 3 1\n1 2", "m.mtx:3: 2 fields, want 3"},
	{"value of a pattern", mmHeader + "pattern general\n3 3 1\n1 2 1\n", "m.mtx:3: 3 fields, want 2"},
	{"words", mmHeader + "real general\n3 3 1\n1 2 x\n", `m.mtx:3: entry "x" is not a finite number`},
	{"twice", mmHeader + "real general\n3 3 3\n1 2 1\n%\n2 1 1\n1 2 5\n", "m.mtx:6: entry (1, 2) is there twice"},
	{"both triangles", mmHeader + "real symmetric\n3 3 2\n1 2 1\n2 1 1\n", "m.mtx:4: entry (2, 1) is there twice"},
}

func TestHostileMatricesAreRefused(t *testing.T) {
	for _, tt := range hostileMatrices {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "m.mtx", tt.text)
			refused(t, tt.want, func() error { _, err := LoadMatrixMarket(path); return err })
		})
	}
	file := gzipBytes(t, []byte(mmHeader+"real general\n3 3 1\n"+strings.Repeat("% x\n", 10_000)+"1 1 1\n"))
	refused(t, "unexpected EOF", func() error {
		_, err := LoadMatrixMarket(write(t, "m.mtx", string(file[:len(file)-9])))
		return err
	})
}

func FuzzMatrixMarket(f *testing.F) {
	for _, tt := range hostileMatrices {
		f.Add(tt.text)
	}
	f.Add(mmHeader + "real skew-symmetric\n2 2 1\n2 1 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseMatrixMarket(linesOf(text))
		if err != nil {
			return
		}
		if e := g.Graph.NumEdges(); g.Weights != nil && len(g.Weights) != e || firstDuplicate(g.Graph.Src(), g.Graph.Dst()) >= 0 {
			t.Error(describe(g))
		}
	})
}
