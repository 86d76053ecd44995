// Tests of the reader of knowledge graphs.

package data

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

// tinyKG is the members of a set whose order is not that of training.
var tinyKG = []string{"kg/test.txt", "c\tq\ta\n", "kg/train.txt", "a\tp\tb\nb\tp\ta\r\n", "kg/valid.txt", "a\tq\td\n", "kg/other.txt", "x"}

func TestKGNumbersEntitiesAsTheyComeInTraining(t *testing.T) {
	path := write(t, "tiny.tar.gz", string(gzipBytes(t, tarBytes(t, tinyKG...))))
	d, err := LoadKG(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "tiny" || !slices.Equal(d.Entities, []string{"a", "b", "d", "c"}) || !slices.Equal(d.Relations, []string{"p", "q"}) {
		t.Errorf("%s: %q %q", d.Name, d.Entities, d.Relations)
	}
	if !slices.Equal(d.Train, []Triple{{0, 0, 1}, {1, 0, 0}}) || !slices.Equal(d.Val, []Triple{{0, 1, 2}}) || !slices.Equal(d.Test, []Triple{{3, 1, 0}}) {
		t.Errorf("%v %v %v", d.Train, d.Val, d.Test)
	}
	g, err := d.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if g.NumVertices() != 4 || !slices.Equal(g.Src(), []int32{0, 1}) || !slices.Equal(g.Dst(), []int32{1, 0}) || !slices.Equal(g.EdgeTypes(), []int32{0, 0}) || g.NumEdgeTypes() != 2 {
		t.Errorf("%v %v %v %v", g, g.Src(), g.Dst(), g.EdgeTypes())
	}
}

// hostileKG is training triples that make the tiny set be refused.
var hostileKG = []struct{ name, train, want string }{
	{"cut", "a\tp\tb\na\tp", "train.txt:2: 2 fields, want 3"},
	{"four", "a\tp\tb\tc\n", "train.txt:1: 4 fields, want 3"},
	{"blanks", "a p b\n", "train.txt:1: 1 fields, want 3"},
	{"no head", "\tp\tb\n", "train.txt:1: the head has no name"},
	{"no tail", "a\tp\t\n", "train.txt:1: the tail has no name"},
	{"only tabs", "a\tp\tb\n\t\t\n", "train.txt:2: the head has no name"},
	{"only a tab", "a\tp\tb\n\t\n", "train.txt:2: 2 fields, want 3"},
	{"twice", "a\tp\tb\n\na\tp\tb\n", "train.txt:3: the triple is in train.txt already"},
	{"in two parts", "c\tq\ta\n", "train.txt:1: the triple is in test.txt already"},
}

func withTrain(train string) []string {
	m := slices.Clone(tinyKG)
	m[3] = train
	return m
}

func TestHostileKGIsRefused(t *testing.T) {
	for _, tt := range hostileKG {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "tiny.tar.gz", string(gzipBytes(t, tarBytes(t, withTrain(tt.train)...))))
			refused(t, tt.want, func() error { _, err := LoadKG(path); return err })
		})
	}
	whole := tarBytes(t, tinyKG...)
	claims := bytes.Clone(whole) // the first member claims 8 GB
	copy(claims[124:136], "77777777777\x00")
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"missing", tarBytes(t, tinyKG[:4]...), "f: valid.txt is missing"},
		{"member twice", tarBytes(t, append(slices.Clone(tinyKG), "again/test.txt", "")...), "f: test.txt is there twice"},
		{"truncated", whole[:600], "f: "},
		{"text", []byte("not a tar archive, not at all"), "f: tar: "},
		{"8 GB", claims, "f: "},
		{"holes", sparseTar(t), "f: train.txt is a sparse file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, tt.want, func() error { _, err := parseKG("f", bytes.NewReader(tt.b)); return err })
		})
	}
}

func TestKnowledgeGraphsHaveThePublishedCounts(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, want := range []struct {
		name                string
		entities, relations int
		train, val, test    int
	}{
		{"fb15k-237", 14541, 237, 272115, 17535, 20466},
		{"wn18rr", 40943, 11, 86835, 3034, 3134},
	} {
		d, err := LoadTriples(context.Background(), want.name, Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		got := want
		got.entities, got.relations, got.train, got.val, got.test = len(d.Entities), len(d.Relations), len(d.Train), len(d.Val), len(d.Test)
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if g, err := d.Graph(); err != nil || AddInverse(g).NumEdgeTypes() != 2*want.relations {
			t.Errorf("%s: graph %v, %v", want.name, g, err)
		}
	}
}

// FuzzParseKG reads training triples of any text, and archives of any bytes.
func FuzzParseKG(f *testing.F) {
	for _, tt := range hostileKG {
		f.Add([]byte(tt.train), false)
	}
	f.Add([]byte("a\tp\tb\nb\tp\ta\r\n"), false)
	f.Add(tarBytes(f, tinyKG...), true)
	f.Fuzz(func(t *testing.T, b []byte, archive bool) {
		if !archive {
			b = tarBytes(t, withTrain(string(b))...)
		}
		d, err := parseKG("f", bytes.NewReader(b))
		if err != nil {
			return
		}
		if _, err := d.Graph(); err != nil {
			t.Error(err)
		}
	})
}

// sparseTar returns an archive of a file of 4 GB that is one line behind a hole.
func sparseTar(t testing.TB) []byte {
	t.Helper()
	const line, size = "a\tr\tb\n", 4 << 30
	body := fmt.Sprintf("1\n%d\n%d\n", size-len(line), len(line)) // what is not a hole
	body += strings.Repeat("\x00", 512-len(body)) + line
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	records := map[string]string{"NOT.sparse.major": "1", "NOT.sparse.minor": "0", "NOT.sparse.name": "train.txt", "NOT.sparse.realsize": fmt.Sprint(size)}
	if err := w.WriteHeader(&tar.Header{Name: "x", Mode: 0o600, Size: int64(len(body)), PAXRecords: records}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("NOT.sparse"), []byte("GNU.sparse")) // which the writer refuses
}
