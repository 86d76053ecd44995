// The known datasets: their files, checksums and mirrors.

package data

import (
	"slices"
	"strings"
)

// format is how the files of a set are read.
type format int

const (
	embedded format = iota
	planetoidFormat
	npzFormat
)

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
	default:
		repositories = []repository{{"shchur/gnn-benchmark", "1e72912a0810cdf27ae54fd589a3b43358a2b161", "data/npz"}}
	}
	var urls []string
	for _, r := range repositories {
		urls = append(urls,
			"https://raw.githubusercontent.com/"+r.name+"/"+r.commit+"/"+r.folder+"/"+name,
			"https://cdn.jsdelivr.net/gh/"+r.name+"@"+r.commit+"/"+r.folder+"/"+name)
	}
	return urls
}

// repository is a folder of a GitHub repository.
type repository struct{ name, commit, folder string }

// Names returns the names that Load knows, sorted.
func Names() []string {
	var names []string
	for _, e := range catalog() {
		names = append(names, e.name)
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
