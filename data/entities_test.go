// Tests of the RDF datasets.

package data

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

const (
	tinyTriples = "<a> <p> <b> .\n<a> <label> \"x\" .\n<b> <q> \"7\" .\n<a> <p> <b> .\n<c> <q> <a> .\n"
	tinyTrain   = "id\tthing\tlabel_x\n1\tb\tyes\n2\ta\tno\n"
	tinyTest    = "label_x\tthing\tid\nyes\tc\t3\n"
)

// loadTinyRDF reads a set of the given parts.
func loadTinyRDF(t testing.TB, triples, train, test string) (*EntityDataset, error) {
	t.Helper()
	return LoadRDF(write(t, "tiny.nt", triples), write(t, "train.tsv", train), write(t, "test.tsv", test),
		RDFOptions{Name: "tiny", Drop: []string{"label"}})
}

func TestRDFPutsEverythingWhereItBelongs(t *testing.T) {
	d, err := loadTinyRDF(t, tinyTriples, tinyTrain, tinyTest)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Entities, []string{"a", "b", `"7"`, "c"}) || !slices.Equal(d.Relations, []string{"p", "q"}) || !slices.Equal(d.Classes, []string{"no", "yes"}) {
		t.Errorf("%q %q %q", d.Entities, d.Relations, d.Classes)
	}
	if g := d.Graph; !slices.Equal(g.Src(), []int32{0, 1, 3}) || !slices.Equal(g.Dst(), []int32{1, 2, 0}) || !slices.Equal(g.EdgeTypes(), []int32{0, 1, 1}) {
		t.Errorf("%v %v %v", g.Src(), g.Dst(), g.EdgeTypes())
	}
	if !slices.Equal(d.Labels, []int32{0, 1, NoLabel, 1}) || !slices.Equal(d.Train, []int32{0, 1}) || !slices.Equal(d.Test, []int32{3}) {
		t.Errorf("labels %v, train %v, test %v", d.Labels, d.Train, d.Test)
	}
}

func TestHostileRDFIsRefused(t *testing.T) {
	for _, tt := range []struct{ name, triples, train, test, want string }{
		{"triples", "<a> <p>", tinyTrain, tinyTest, "data: tiny: "},
		{"empty table", tinyTriples, "", tinyTest, "train.tsv: no header"},
		{"no column of labels", tinyTriples, "id\tthing\n", tinyTest, "train.tsv:1: the header has no column"},
		{"no column of entities", tinyTriples, "id\tlabel\n", tinyTest, "train.tsv:1: the header has no column"},
		{"cut row", tinyTriples, "id\tthing\tlabel\n1\tb\n", tinyTest, "train.tsv:2: 2 fields, want 3"},
		{"unknown entity", tinyTriples, "id\tthing\tlabel\n1\tz\tyes\n", tinyTest, `train.tsv:2: "z" is in no triple`},
		{"labelled twice", tinyTriples, tinyTrain, "thing\tlabel\nb\tno\n", `test.tsv:2: "b" is labelled twice`},
		{"no label", tinyTriples, "id\tlabel\tthing\n1\t\tb\n", tinyTest, `train.tsv:2: "b" has no label`},
		{"no label at the end", tinyTriples, "thing\tlabel\nb\t\n", tinyTest, `train.tsv:2: "b" has no label`},
		{"no split", tinyTriples, tinyTrain, "", "test.tsv: no header"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, tt.want, func() error { _, err := loadTinyRDF(t, tt.triples, tt.train, tt.test); return err })
		})
	}
}

// A relation that no triple has is a slip of the pen: what the labels were made of would
// stay in the graph.
func TestRelationsToDropAreThoseOfTriples(t *testing.T) {
	triples, train, test := write(t, "tiny.nt", tinyTriples), write(t, "train.tsv", tinyTrain), write(t, "test.tsv", tinyTest)
	for _, tt := range []struct {
		drop []string
		want string
	}{
		{nil, ""},
		{[]string{"label"}, ""},
		{[]string{"label", "label"}, ""},
		{[]string{"labels"}, `tiny.nt: no triple has the relation "labels", which is to be dropped`},
		{[]string{"label", "a"}, `tiny.nt: no triple has the relation "a", which is to be dropped`}, // an entity
		{[]string{"<label>", ""}, `tiny.nt: no triple has the relation "<label>", which is to be dropped`},
	} {
		load := func() error { _, err := LoadRDF(triples, train, test, RDFOptions{Drop: tt.drop}); return err }
		if tt.want != "" {
			refused(t, tt.want, load)
		} else if err := load(); err != nil {
			t.Errorf("%q: error %v", tt.drop, err)
		}
	}
}

// TestTextThatNamesMoreThanItHoldsIsRefused reads small files of long names and of many
// blank nodes.
func TestTextThatNamesMoreThanItHoldsIsRefused(t *testing.T) {
	const limit = 1 << 20
	long := strings.Repeat("b", maxIRI-10)
	each := func(head, term string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range 200 {
			fmt.Fprintf(&b, term, i)
		}
		return b.String()
	}
	for _, tt := range []struct{ name, text, line string }{
		{"prefix", each("@prefix p: <"+long+"> .\n", "p:%d a p:o .\n"), "16"},
		{"relations", each("@prefix p: <"+long+"> .\n", "<s:s> p:%d <o:o> .\n"), "17"},
		{"base", each("@base <"+long+"> .\n", "<%d> <p:p> <o:o> .\n"), "17"},
		{"datatypes", each("@prefix p: <"+long+"> .\n", "<s:s> <p:p> \"%d\"^^p:t .\n"), "17"},
		{"blank nodes", "<s> <p> []" + strings.Repeat(",[]", 1<<15) + " .", "1"},
		{"collection", "<s> <p> (" + strings.Repeat("1 ", 1<<15) + ") .", "1"},
		{"triples of few names", everyPair(200), "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := gzipBytes(t, []byte(tt.text))
			refused(t, "f:"+tt.line+": names and triples take more than 1048576 bytes", func() error {
				r, err := gunzipped(bytes.NewReader(file), int64(len(file)))
				if err == nil {
					_, err = parseRDF("f", r, nil, limit)
				}
				return err
			})
			if d, err := parseRDF("f", strings.NewReader(tt.text), nil, 16*limit); err != nil || d.Graph.NumEdges() < 200 {
				t.Errorf("with more room: error %v", err)
			}
		})
	}
}

// everyPair is triples from each of n entities to all, in one line.
func everyPair(n int) string {
	var b strings.Builder
	for s := range n {
		fmt.Fprintf(&b, "<%d> <p> <0>", s)
		for o := range n {
			fmt.Fprintf(&b, ",<%d>", o)
		}
		b.WriteString(". ")
	}
	return b.String()
}

func TestRDFSetsHaveThePublishedCounts(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	for _, want := range []struct {
		name                         string
		entities, triples, relations int
		classes, train, test         int
	}{
		{"aifb", 8285, 29043, 45, 4, 140, 36},
		{"aifb-n3", 8285, 29043, 45, 4, 140, 36},
		{"mutag-rdf", 23644, 74227, 23, 2, 272, 68},
	} {
		d, err := LoadEntities(context.Background(), want.name, Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		got := want
		got.entities, got.triples, got.relations = len(d.Entities), d.Graph.NumEdges(), len(d.Relations)
		got.classes, got.train, got.test = len(d.Classes), len(d.Train), len(d.Test)
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// TestTheOriginalAIFBHoldsTheTriplesOfTheStrippedOne compares what N3 and
// N-Triples say, but for the names of blank nodes.
func TestTheOriginalAIFBHoldsTheTriplesOfTheStrippedOne(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "datasets")
	var sets [2][]string
	for i, name := range []string{"aifb", "aifb-n3"} {
		d, err := LoadEntities(context.Background(), name, Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		term := func(v int32) string {
			if name := d.Entities[v]; !strings.HasPrefix(name, "_:") && !strings.HasPrefix(name, "file:") && name != "" {
				return name
			}
			return "_:"
		}
		for e, r := range d.Graph.EdgeTypes() {
			sets[i] = append(sets[i], term(d.Graph.Src()[e])+" "+d.Relations[r]+" "+term(d.Graph.Dst()[e]))
		}
		slices.Sort(sets[i])
	}
	differ := 0
	for i := range sets[0] {
		if sets[0][i] != sets[1][i] {
			if differ++; differ < 5 {
				t.Errorf("stripped %.300s\noriginal %.300s", sets[0][i], sets[1][i])
			}
		}
	}
}

func FuzzEntityTable(f *testing.F) {
	f.Add(tinyTrain)
	f.Add(tinyTest)
	f.Add("id\tthing\tlabel\n1\tz\tyes\n")
	f.Fuzz(func(t *testing.T, text string) {
		l := &entityLabels{ids: map[string]int32{"a": 0, "b": 1, "c": 2}, class: make(map[int32]string)}
		members, err := l.parse(linesOf(text))
		if err != nil {
			return
		}
		labels, classes := l.labels(3)
		if err := checkLabels(labels, 3, len(classes), members, nil, nil); err != nil {
			t.Error(err)
		}
	})
}
