// Tests of what the datasets for other tasks than one class a vertex check.

package data

import (
	"bytes"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// bipartite returns a graph that no dataset may have.
func bipartite(t testing.TB) *graph.Graph {
	t.Helper()
	g, err := graph.NewBipartite(1, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// checkFaults breaks a valid dataset in one way after the other.
func checkFaults[D interface{ Validate() error }](t *testing.T, valid func() D, faults map[string]func(d D)) {
	t.Helper()
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range faults {
		d := valid()
		spoil(d)
		if err := d.Validate(); err == nil || err.Error() != "data: tiny: "+want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestGraphDatasetNamesItsFault(t *testing.T) {
	valid := func() *GraphDataset {
		d, err := parseTUBytes(textZip(t, tinyTU()))
		if err != nil {
			t.Fatal(err)
		}
		d.Name, d.Train, d.Val, d.Test = "tiny", []int32{0}, []int32{2}, []int32{1}
		d.Folds = []int32{0, 1, 2}
		d.Targets = tensor.Ones(tensor.Float32, 3, 2)
		return d
	}
	checkFaults(t, valid, map[string]func(d *GraphDataset){
		"graph 1 is missing or bipartite":                       func(d *GraphDataset) { d.Graphs[1] = nil },
		"graph 2 is missing or bipartite":                       func(d *GraphDataset) { d.Graphs[2] = bipartite(t) },
		"5 rows of features for 4 vertices":                     func(d *GraphDataset) { d.Features = IdentityFeatures(5) },
		"3 rows of features for 4 edges":                        func(d *GraphDataset) { d.EdgeFeatures = IdentityFeatures(3) },
		"neither labels nor targets":                            func(d *GraphDataset) { d.Labels, d.Targets = nil, nil },
		"1 labels for 3 graphs":                                 func(d *GraphDataset) { d.Labels = []int32{0} },
		"2 rows of targets for 3 graphs":                        func(d *GraphDataset) { d.Targets = tensor.Ones(tensor.Float32, 2, 2) },
		"targets of shape [3], want a row for each of 3 graphs": func(d *GraphDataset) { d.Targets = tensor.Ones(tensor.Float32, 3) },
		"targets of shape [], want a row for each of 3 graphs":  func(d *GraphDataset) { d.Targets = tensor.Ones(tensor.Float32) },
		"1 folds for 3 graphs":                                  func(d *GraphDataset) { d.Folds = []int32{0} },
		"graph 1: label 2 out of range [0, 2)":                  func(d *GraphDataset) { d.Labels[1] = 2 },
		"train graph 3 out of range [0, 3)":                     func(d *GraphDataset) { d.Train[0] = 3 },
		"test graph 2 is a validation graph already":            func(d *GraphDataset) { d.Test[0] = 2 },
		"feature at row 1, column 0 is +Inf": func(d *GraphDataset) {
			d.Features = DenseFeatures(tensor.FromSlice([]float32{0, float32(math.Inf(1)), 0, 0}, 4, 1))
		},
	})
}

func TestHeteroDatasetNamesItsFault(t *testing.T) {
	valid := func() *HeteroDataset {
		b := textZip(t, tinyHGB())
		z, err := newZip("H.zip", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseHGB(z, 1)
		if err != nil {
			t.Fatal(err)
		}
		d.Name = "tiny"
		return d
	}
	checkFaults(t, valid, map[string]func(d *HeteroDataset){
		"no homogeneous graph":                                           func(d *HeteroDataset) { d.Graph = nil },
		"0 names for 3 vertex types":                                     func(d *HeteroDataset) { d.VertexTypes = nil },
		"1 names for 4 edge types":                                       func(d *HeteroDataset) { d.EdgeTypes = []string{"x"} },
		"ends of 0 edge types of 4":                                      func(d *HeteroDataset) { d.EdgeEnds = nil },
		"features of 1 vertex types of 3":                                func(d *HeteroDataset) { d.Features = d.Features[:1] },
		"1 weights for 4 edges":                                          func(d *HeteroDataset) { d.Weights = []float32{1} },
		"target type 3 out of range [0, 3)":                              func(d *HeteroDataset) { d.Target = 3 },
		"edge 2 of type 1 goes from vertex type 1 to 0, want [0 0]":      func(d *HeteroDataset) { d.EdgeEnds[1] = [2]int32{0, 0} },
		"edges of type 2 go from vertex type -1 to 0, there are 3 types": func(d *HeteroDataset) { d.EdgeEnds[2] = [2]int32{-1, 0} },
		"edges of type 2 go from vertex type 0 to 3, there are 3 types":  func(d *HeteroDataset) { d.EdgeEnds[2] = [2]int32{0, 3} },
		"5 rows of features for 2 vertices of type author":               func(d *HeteroDataset) { d.Features[1] = IdentityFeatures(5) },
		"vertex 0: label 7 out of range [0, 2)":                          func(d *HeteroDataset) { d.Labels[0] = 7 },
		"vertex 1 has a label and is of type author, not paper":          func(d *HeteroDataset) { d.Labels[1] = 0 },
		"vertex 4 of the split has no label":                             func(d *HeteroDataset) { d.Val = []int32{4} },
		"test vertex 0 is a train vertex already":                        func(d *HeteroDataset) { d.Test = []int32{0} },
		"the validation part is nil, which losses and metrics take for all vertices: give it members, or []int32{} for none": func(d *HeteroDataset) { d.Val = nil },
		"vertex 0: labels [1 0] are not ascending in [0, 2)": func(d *HeteroDataset) {
			d.Labels, d.LabelSets = nil, [][]int32{{1, 0}, nil, nil, nil, nil}
		},
	})
}

func TestEntityDatasetNamesItsFault(t *testing.T) {
	valid := func() *EntityDataset {
		d, err := loadTinyRDF(t, tinyTriples, tinyTrain, tinyTest)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	checkFaults(t, valid, map[string]func(d *EntityDataset){
		"no homogeneous graph":                    func(d *EntityDataset) { d.Graph = bipartite(t) },
		"1 names for 4 entities":                  func(d *EntityDataset) { d.Entities = []string{"a"} },
		"3 names for 2 relations":                 func(d *EntityDataset) { d.Relations = make([]string, 3) },
		"1 labels for 4 vertices":                 func(d *EntityDataset) { d.Labels = []int32{0} },
		"vertex 1: label 1 out of range [0, 1)":   func(d *EntityDataset) { d.Classes = d.Classes[:1] },
		"vertex 2 of the split has no label":      func(d *EntityDataset) { d.Test = []int32{2} },
		"train vertex -1 out of range [0, 4)":     func(d *EntityDataset) { d.Train = []int32{-1} },
		"test vertex 0 is a train vertex already": func(d *EntityDataset) { d.Test = []int32{0} },
	})
}

func TestMultiLabelDatasetNamesItsFault(t *testing.T) {
	valid := func() *MultiLabelDataset {
		return &MultiLabelDataset{Name: "tiny", Graph: Karate().Graph, Labels: make([][]int32, 34), NumClasses: 2, Features: IdentityFeatures(34), EdgeFeatures: IdentityFeatures(156)}
	}
	checkFaults(t, valid, map[string]func(d *MultiLabelDataset){
		"no homogeneous graph":                               func(d *MultiLabelDataset) { d.Graph = nil },
		"3 rows of features for 34 vertices":                 func(d *MultiLabelDataset) { d.Features = IdentityFeatures(3) },
		"3 rows of features for 156 edges":                   func(d *MultiLabelDataset) { d.EdgeFeatures = IdentityFeatures(3) },
		"1 label sets for 34 vertices":                       func(d *MultiLabelDataset) { d.Labels = make([][]int32, 1) },
		"vertex 5: labels [2] are not ascending in [0, 2)":   func(d *MultiLabelDataset) { d.Labels[5] = []int32{2} },
		"train vertex 34 out of range [0, 34)":               func(d *MultiLabelDataset) { d.Train = []int32{34} },
		"validation vertex 1 is a validation vertex already": func(d *MultiLabelDataset) { d.Val = []int32{1, 1} },
	})
}
