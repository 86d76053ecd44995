// The heterogeneous graph benchmark of Lv et al. (2021), "Are we really making
// much progress? Revisiting, benchmarking, and refining heterogeneous graph
// neural networks": a zip of tables with tab-separated columns.
//
//	node.dat             id, name, type, features separated by commas (or no such column)
//	link.dat             source, destination, type, weight
//	label.dat            id, name, type, labels separated by commas
//	label.dat.test       the same for half of the test vertices
//	info.dat             names of the types, JSON

package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

// hgbVal is the part of label.dat that is for validation, as in the
// benchmark's own scripts.
const hgbVal = 0.2

// maxTypes bounds the types of vertices, of edges and of labels of a set.
const maxTypes = 1 << 12

// LoadHGB reads a set from a zip file of the benchmark. Ids and the order of
// edges are the file's. A fifth of the vertices of label.dat, drawn with the
// seed, is for validation, the others are for training; those of
// label.dat.test, half of the benchmark's test vertices, are for testing. The other
// half's labels are not public: label.dat.test_full lists all of these vertices with
// labels that have been shuffled (it agrees with label.dat.test, and with what edges
// say of the labels, as often as chance does), and is not read. If any vertex has two
// labels, all have LabelSets.
func LoadHGB(path string, seed uint64) (*HeteroDataset, error) {
	return readHGB(strings.TrimSuffix(filepath.Base(path), ".zip"), path, seed)
}

func readHGB(name, path string, seed uint64) (d *HeteroDataset, err error) {
	err = readZip(path, func(z *zipArchive) error {
		d, err = parseHGB(z, seed)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d.Name = name
	return d, d.Validate()
}

// hgbReader is what is read of a set so far.
type hgbReader struct {
	types     []int32       // of the vertices
	rows      []*rowBuilder // features by vertex type, nil without
	noRows    []bool        // the type has a vertex without features
	src, dst  []int32
	edgeTypes []int32
	ends      [][2]int32 // by edge type, vertex types plus 1, 0 before the first edge
	weights   []float32
	sets      [][]int32
	target    int // -1 before the first label
	classes   int
}

func parseHGB(z *zipArchive, seed uint64) (*HeteroDataset, error) {
	r := &hgbReader{target: -1}
	if err := z.lines("node.dat", r.nodes); err != nil {
		return nil, err
	}
	if err := z.lines("link.dat", r.links); err != nil {
		return nil, err
	}
	r.sets = make([][]int32, len(r.types))
	var train, test []int32
	for _, part := range []struct {
		name string
		to   *[]int32
	}{{"label.dat", &train}, {"label.dat.test", &test}} {
		err := z.lines(part.name, func(l *lineReader) (err error) {
			*part.to, err = r.labels(l)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var info hgbInfo
	if z.members["info.dat"] != nil {
		if err := z.lines("info.dat", info.read); err != nil {
			return nil, err
		}
	}

	g, err := graph.New(len(r.types), r.src, r.dst, graph.WithVertexTypes(r.types, len(r.rows)), graph.WithEdgeTypes(r.edgeTypes, len(r.ends)))
	if err != nil {
		return nil, &FileError{File: z.member("link.dat"), Err: err}
	}
	d := &HeteroDataset{Graph: g, Weights: r.weights, NumClasses: r.classes, Target: max(r.target, 0), Test: test}
	for t, b := range r.rows {
		var f Features
		if b != nil {
			f = b.features()
		}
		d.Features = append(d.Features, f)
		d.VertexTypes = append(d.VertexTypes, info.vertexType(t))
	}
	for t, ends := range r.ends {
		d.EdgeEnds = append(d.EdgeEnds, [2]int32{ends[0] - 1, ends[1] - 1})
		d.EdgeTypes = append(d.EdgeTypes, info.edgeType(t))
	}
	several := slices.ContainsFunc(r.sets, func(set []int32) bool { return len(set) > 1 })
	if d.LabelSets = r.sets; !several {
		d.LabelSets = nil
		if d.Labels, err = firstLabels(r.sets, r.classes); err != nil {
			panic("BUG: data: HGB: " + err.Error())
		}
	}
	d.Train, d.Val = splitOff(train, hgbVal, seed)
	return d, nil
}

// splitOff draws a fraction of ids, rounded down; both parts are ascending.
func splitOff(ids []int32, fraction float64, seed uint64) (rest, drawn []int32) {
	ids = slices.Clone(ids)
	sortByHash(ids, seed)
	k := int(fraction * float64(len(ids)))
	rest, drawn = ids[k:], slices.Clip(ids[:k])
	slices.Sort(rest)
	slices.Sort(drawn)
	return rest, drawn
}

// nodes reads node.dat. Its ids are 0, 1, … in order.
func (r *hgbReader) nodes(l *lineReader) error {
	var fields, features [][]byte
	return l.each(func(line []byte) error {
		fields = splitFields(fields[:0], line, '\t')
		if len(fields) != 3 && len(fields) != 4 {
			return l.errorf("%d fields, want 3 or 4", len(fields))
		}
		id, err := l.int(fields[0], "vertex", 0, math.MaxInt32)
		if err != nil {
			return err
		}
		if id != int64(len(r.types)) {
			return l.errorf("vertex %d, want %d: ids go up by one", id, len(r.types))
		}
		t, err := l.id(fields[2], "type", maxTypes)
		if err != nil {
			return err
		}
		for int(t) >= len(r.rows) {
			r.rows, r.noRows = append(r.rows, nil), append(r.noRows, false)
		}
		r.types = append(r.types, t)
		hasRow := len(fields) == 4 && len(fields[3]) > 0
		if hasRow && r.noRows[t] || !hasRow && r.rows[t] != nil {
			return l.errorf("some vertices of type %d have features and some have none", t)
		}
		if !hasRow {
			r.noRows[t] = true
			return nil
		}
		features = splitFields(features[:0], fields[3], ',')
		if r.rows[t] == nil {
			r.rows[t] = newRowBuilder(len(features))
		}
		return r.rows[t].parse(l, features)
	})
}

// links reads link.dat.
func (r *hgbReader) links(l *lineReader) error {
	uniform := true
	err := l.eachRow('\t', 4, func(fields [][]byte) error {
		if len(r.src) == math.MaxInt32 {
			return l.errorf("too many edges")
		}
		u, err := l.id(fields[0], "vertex", len(r.types))
		if err != nil {
			return err
		}
		v, err := l.id(fields[1], "vertex", len(r.types))
		if err != nil {
			return err
		}
		t, err := l.id(fields[2], "type", maxTypes)
		if err != nil {
			return err
		}
		w, err := l.float(fields[3], "weight")
		if err != nil {
			return err
		}
		for int(t) >= len(r.ends) {
			r.ends = append(r.ends, [2]int32{})
		}
		ends := [2]int32{r.types[u] + 1, r.types[v] + 1}
		if r.ends[t] == [2]int32{} {
			r.ends[t] = ends
		}
		if r.ends[t] != ends {
			return l.errorf("an edge of type %d from vertex type %d to %d, others go from %d to %d", t, ends[0]-1, ends[1]-1, r.ends[t][0]-1, r.ends[t][1]-1)
		}
		uniform = uniform && w == 1
		r.src, r.dst = append(r.src, u), append(r.dst, v)
		r.edgeTypes, r.weights = append(r.edgeTypes, t), append(r.weights, w)
		return nil
	})
	if uniform {
		r.weights = nil
	}
	return err
}

// labels reads label.dat or label.dat.test and returns its vertices.
func (r *hgbReader) labels(l *lineReader) ([]int32, error) {
	members := []int32{}
	err := l.eachRow('\t', 4, func(fields [][]byte) error {
		v, err := l.id(fields[0], "vertex", len(r.types))
		if err != nil {
			return err
		}
		t, err := l.id(fields[2], "type", len(r.rows))
		if err != nil {
			return err
		}
		if r.target < 0 {
			r.target = int(t)
		}
		if int(t) != r.target || r.types[v] != t {
			return l.errorf("vertex %d of type %d has a label as type %d, others as type %d", v, r.types[v], t, r.target)
		}
		if r.sets[v] != nil {
			return l.errorf("vertex %d is labelled twice", v)
		}
		for _, field := range splitFields(nil, fields[3], ',') {
			c, err := l.id(field, "label", maxTypes)
			if err != nil {
				return err
			}
			if slices.Contains(r.sets[v], c) {
				return l.errorf("vertex %d has label %d twice", v, c)
			}
			r.sets[v] = append(r.sets[v], c)
			r.classes = max(r.classes, int(c)+1)
		}
		slices.Sort(r.sets[v])
		members = append(members, v)
		return nil
	})
	slices.Sort(members)
	return members, err
}

// hgbInfo is the names of info.dat, by type in decimal.
type hgbInfo struct {
	Node struct {
		Types map[string]string `json:"node type"`
	} `json:"node.dat"`
	Link struct {
		Types map[string]struct {
			Meaning string `json:"meaning"`
		} `json:"link type"`
	} `json:"link.dat"`
}

func (i *hgbInfo) read(l *lineReader) error {
	var text bytes.Buffer
	err := l.each(func(line []byte) error {
		text.Write(line)
		if text.WriteByte('\n'); text.Len() > maxLine {
			return l.errorf("more than %d bytes", maxLine)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// Python writes NaN, which is not JSON, for a name that is missing.
	if err := json.Unmarshal(nanToNull(text.Bytes()), i); err != nil {
		return &FileError{File: l.file, Err: err}
	}
	return nil
}

// nanToNull replaces the value NaN, not the text in strings.
func nanToNull(text []byte) []byte {
	var out []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\' && i+1 < len(text):
			out = append(out, text[i])
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(text[i:], []byte("NaN")):
			out = append(out, "null"...)
			i += len("NaN") - 1
			continue
		}
		out = append(out, text[i])
	}
	return out
}

func (i *hgbInfo) vertexType(t int) string {
	if name := i.Node.Types[strconv.Itoa(t)]; name != "" {
		return name
	}
	return strconv.Itoa(t)
}

func (i *hgbInfo) edgeType(t int) string {
	if name := i.Link.Types[strconv.Itoa(t)].Meaning; name != "" {
		return name
	}
	return strconv.Itoa(t)
}
