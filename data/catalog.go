// The known datasets: their files, checksums and mirrors.

package data

import (
	"path"
	"slices"
	"strings"
)

// format is how the files of a set are read.
type format int

const (
	embedded format = iota
	planetoidFormat
	npzFormat
	tuFormat
	hgbFormat
	triplesFormat
	rdfFormat
	communitiesFormat
)

// Task is what the sets of a catalog are for, and so which function loads them
// by name.
type Task uint8

// The tasks.
const (
	VertexTask     Task = iota // one class a vertex: Load
	MultiLabelTask             // several classes a vertex: LoadMultiLabel
	GraphTask                  // one class a graph: LoadGraphs
	HeteroTask                 // vertices and edges of several types: LoadHetero
	EntityTask                 // entities of RDF triples: LoadEntities
	TripleTask                 // link prediction in knowledge graphs: LoadTriples
)

// taskLoaders are the functions that load sets by name, by task.
var taskLoaders = [...]string{"Load", "LoadMultiLabel", "LoadGraphs", "LoadHetero", "LoadEntities", "LoadTriples"}

func (f format) task() Task {
	switch f {
	case tuFormat:
		return GraphTask
	case hgbFormat:
		return HeteroTask
	case triplesFormat:
		return TripleTask
	case rdfFormat:
		return EntityTask
	case communitiesFormat:
		return MultiLabelTask
	}
	return VertexTask
}

// entry is one known dataset.
type entry struct {
	name   string
	format format
	set    string // the name of the set in its files' names
	files  []file
}

// file is one file of a dataset.
type file struct {
	path   string // below the data folder, with slashes
	sha256 string // "" if the file is not known well enough to be downloaded
}

// catalog returns the known datasets. The checksums are those of the files in
// the repositories that mirrors names.
func catalog() []entry {
	return []entry{
		{name: "karate", format: embedded},
		{name: "cora", format: planetoidFormat, set: "cora", files: []file{
			{"planetoid/ind.cora.y", "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1"},
			{"planetoid/ind.cora.tx", "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a"},
			{"planetoid/ind.cora.ty", "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad"},
			{"planetoid/ind.cora.allx", "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543"},
			{"planetoid/ind.cora.ally", "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71"},
			{"planetoid/ind.cora.graph", "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d"},
			{"planetoid/ind.cora.test.index", "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875"},
		}},
		{name: "citeseer", format: planetoidFormat, set: "citeseer", files: []file{
			{"planetoid/ind.citeseer.y", "8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924"},
			{"planetoid/ind.citeseer.tx", "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21"},
			{"planetoid/ind.citeseer.ty", "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce"},
			{"planetoid/ind.citeseer.allx", "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668"},
			{"planetoid/ind.citeseer.ally", "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95"},
			{"planetoid/ind.citeseer.graph", "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7"},
			{"planetoid/ind.citeseer.test.index", "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4"},
		}},
		{name: "pubmed", format: planetoidFormat, set: "pubmed", files: []file{
			{"planetoid/ind.pubmed.y", "e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3"},
			{"planetoid/ind.pubmed.tx", "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d"},
			{"planetoid/ind.pubmed.ty", "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd"},
			{"planetoid/ind.pubmed.allx", ""},
			{"planetoid/ind.pubmed.ally", "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e"},
			{"planetoid/ind.pubmed.graph", "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9"},
			{"planetoid/ind.pubmed.test.index", "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5"},
		}},
		{name: "cora-ml", format: npzFormat, set: "cora_ml", files: []file{
			{"npz/cora_ml.npz", "ffbe4e64857dc6bf38f1877e4312559a064df84b59d0f32f938717de5d5af0fd"},
		}},
		{name: "cora-linqs", format: npzFormat, set: "cora", files: []file{
			{"npz/cora.npz", "068e22d90c3849b4057dfb05851741428992af058efcd4e7ebb4186f3d581de2"},
		}},
		{name: "citeseer-linqs", format: npzFormat, set: "citeseer", files: []file{
			{"npz/citeseer.npz", "280278b21b434c047922e8389518861416fb3ad39389c27865ff0e6bbb0aaab7"},
		}},
		{name: "polblogs", format: npzFormat, set: "polblogs", files: []file{
			{"npz/polblogs.npz", "cd0983c2b1caa3bbe2703a4e316f97bb1dccd33f98800d3d8e4bbe51cc86941b"},
		}},
		{name: "amazon-photo", format: npzFormat, set: "amazon_electronics_photo", files: []file{
			{"npz/amazon_electronics_photo.npz", "bdb1feb8e6ff42ee44024b04479145029c563fd42fc31bff80af20887ba0439a"},
		}},
		{name: "amazon-computers", format: npzFormat, set: "amazon_electronics_computers", files: []file{
			{"npz/amazon_electronics_computers.npz", "736ba1d9fd85eac2da83a5ad25c463f04b0031a6ca01563f90a7099d9e8ffb2c"},
		}},
		{name: "coauthor-cs", format: npzFormat, set: "ms_academic_cs", files: []file{
			{"npz/ms_academic_cs.npz", "933c745734e78908c7eb77172a673fee0503f30e26e5a99b36814d88534c42e3"},
		}},
		{name: "coauthor-physics", format: npzFormat, set: "ms_academic_phy", files: []file{
			{"npz/ms_academic_phy.npz", "e4d68468eba5fb8f6b280ffd406bd53e6e4295ba1dd2967d6fe99b978e4b3375"},
		}},
		{name: "mutag", format: tuFormat, set: "MUTAG", files: []file{
			{"tu/MUTAG.zip", "20f52db82d6d85d5f67d2fa42c3fb705d05934be44329314ab17b05d0c012f7e"},
		}},
		{name: "proteins", format: tuFormat, set: "PROTEINS", files: []file{
			{"tu/PROTEINS.zip", "fe9d19741637486ea1fd285bf669fce0b117e10b03cdd379f6a5e6197fc830ae"},
		}},
		{name: "nci1", format: tuFormat, set: "NCI1", files: []file{
			{"tu/NCI1.zip", "eae6b0c076d59e667c67de0039cfc3214eefb91a8dddc2fa3099126da02d4376"},
		}},
		{name: "enzymes", format: tuFormat, set: "ENZYMES", files: []file{
			{"tu/ENZYMES.zip", "0ca7125d7978788346fc6ba5c3cc643b6122153b304220c2230bcb09f99f8ffb"},
		}},
		{name: "imdb-binary", format: tuFormat, set: "IMDB-BINARY", files: []file{
			{"tu/IMDB-BINARY.zip", "2a4abb6431ec1ab025a6fbcd3b546607191f79a1e0aef0f42cd8bd4ec1546116"},
		}},
		{name: "hgb-acm", format: hgbFormat, set: "ACM", files: []file{
			{"hgb/ACM.zip", "ae44fdd7bd0a42ec7ac747bcb7d2b5d27eeb23aa4ea28e226094d0691d123c16"},
		}},
		{name: "hgb-dblp", format: hgbFormat, set: "DBLP", files: []file{
			{"hgb/DBLP.zip", "3bca0a2857957bbd79ef233f041c174946bc2e4ce19b9deb632c9882e75a02ca"},
		}},
		{name: "hgb-imdb", format: hgbFormat, set: "IMDB", files: []file{
			{"hgb/IMDB.zip", "a6beb1b501b7ac2e8dae505356c8c9333dca5708a19a5389061ef1d109b66175"},
		}},
		{name: "fb15k-237", format: triplesFormat, set: "FB15k-237", files: []file{
			{"kg/FB15k-237.tar.gz", "311df7930f842a02979eaa7a802484a6afe62303c07f915f1e6edbc30cbe05e8"},
		}},
		{name: "wn18rr", format: triplesFormat, set: "WN18RR", files: []file{
			{"kg/WN18RR.tar.gz", "1eb9152f804c140d163462c0d49f65e5a0b30ab5fbb375c5e3353c11a6249060"},
		}},
		{name: "aifb", format: rdfFormat, set: "aifb", files: []file{
			{"rdf/aifb/aifb_stripped.nt.gz", "ba4191235456e09d8f12a2415f24273b8d7641ffee6001ca9340f02c04d77fea"},
			{"rdf/aifb/trainingSet.tsv", "4960629668c6548215871321e4b6daaee24191f38f41ccfbc4de62016d18c5a7"},
			{"rdf/aifb/testSet.tsv", "abe4a9e7c393164996d1fe7250d72ec1f1a7b350583f2dff5d880f60ec04b3b6"},
		}},
		{name: "aifb-n3", format: rdfFormat, set: "aifb", files: []file{
			{"rdf/aifb/aifb-fixed_complete.n3", "9964193b395e19e7ee72a57f02c594677282a575cb7d836c324a38558f9a4db1"},
			{"rdf/aifb/trainingSet.tsv", "4960629668c6548215871321e4b6daaee24191f38f41ccfbc4de62016d18c5a7"},
			{"rdf/aifb/testSet.tsv", "abe4a9e7c393164996d1fe7250d72ec1f1a7b350583f2dff5d880f60ec04b3b6"},
		}},
		{name: "mutag-rdf", format: rdfFormat, set: "mutag", files: []file{
			{"rdf/mutag/mutag_stripped.nt.gz", "9a4449b4815d4ec6ee571537390d84065e58b4268645aba80a0d4516bc23cf2a"},
			{"rdf/mutag/trainingSet.tsv", "d2fe71b68bb25735465128b4aed50d9b165fa5ab92aa2e221fad3d1cd87b7297"},
			{"rdf/mutag/testSet.tsv", "20e69309a037cbf0fb2b52be3eaa6c43888215cbc0b96e8f8bd9e2af55652a3f"},
		}},
		{name: "ppi-node2vec", format: communitiesFormat, set: "PPI", files: []file{
			{"ppi/PPI.ungraph", "853faf8f8f9705d0ccf2f12db80277cc779ccef04ba6a8703671138dca76796a"},
			{"ppi/PPI.cmty", "d57a61e7cc5c46acafdd370c5126a2a5c57cb23f1a84ed1d0877f20149c90637"},
		}},
	}
}

// mirrors returns where a file may be fetched from: whole repositories at a
// fixed commit, straight and through a content delivery network.
func mirrors(f file) []string {
	folder, name, _ := strings.Cut(f.path, "/")
	var repositories []repository
	switch {
	case folder == "planetoid":
		repositories = []repository{
			{"tkipf/gcn", "39a4089fe72ad9f055ed6fdb9746abdcfebc4d81", "gcn/data"},
			{"kimiyoung/planetoid", "master", "data"},
		}
	case name == "cora_ml.npz" || name == "polblogs.npz":
		repositories = []repository{{"danielzuegner/gnn-meta-attack", "982d900d05f19f0bd061b8d4988310bd7baa5f91", "data"}}
	case folder == "npz":
		repositories = []repository{{"shchur/gnn-benchmark", "1e72912a0810cdf27ae54fd589a3b43358a2b161", "data/npz"}}
	case folder == "tu":
		repositories = []repository{{"bknyaz/graph_nn", "72eaa1c6bd70a90fde772ad4a21049ccd6bc97a2", "data"}}
	case folder == "hgb":
		repositories = []repository{{"CrawlScript/gnn_datasets", "482d7152d60e429763ca256dd0906fa9badaae0c", "HGB"}}
	case folder == "kg":
		repositories = []repository{{"TimDettmers/ConvE", "f3c0eb286025410fa5b4c04696c918264163d0ca", ""}}
	case folder == "ppi":
		repositories = []repository{{"THUDM/ProNE", "873630a5943f3eba8f4bbc9751fdf16af98d2171", "data"}}
	case name == "aifb/aifb_stripped.nt.gz":
		repositories = []repository{{"pbloem/gated-rgcn", "44d9324f9a6821fb12dcea98f669ed0aa6ab401b", "data"}}
	case name == "aifb/aifb-fixed_complete.n3":
		repositories = []repository{{"Data2Semantics/mustard", "8b1e03493df46396979ede3d557bcca3f1b947ca", "mustard-experiments/datasets"}}
		name = path.Base(name)
	case name == "mutag/mutag_stripped.nt.gz":
		repositories = []repository{{"LuThe17/explainable-RGCNs-and-RGATs", "9fef91ebade8bd6aec9794fa67fac6d767540141", "data/MUTAG"}}
		name = path.Base(name)
	case folder == "rdf": // the splits
		repositories = []repository{{"tkipf/relational-gcn", "4bec1341dd46b72bf482f7ed26c2dca4533577f6", "rgcn/data"}}
	}
	var urls []string
	for _, r := range repositories {
		in := path.Join(r.folder, name)
		urls = append(urls,
			"https://raw.githubusercontent.com/"+r.name+"/"+r.commit+"/"+in,
			"https://cdn.jsdelivr.net/gh/"+r.name+"@"+r.commit+"/"+in)
	}
	return urls
}

// repository is a folder of a GitHub repository.
type repository struct{ name, commit, folder string }

// Names returns the names that Load knows, sorted.
func Names() []string { return NamesOf(VertexTask) }

// NamesOf returns the names of the known sets for a task, sorted.
func NamesOf(t Task) []string {
	var names []string
	for _, e := range catalog() {
		if e.format.task() == t {
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	return names
}

func lookup(name string) (entry, bool) {
	for _, e := range catalog() {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}
