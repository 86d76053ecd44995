package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func sample() *report {
	return &report{
		Machine: harness.Machine{CPU: "Example 9000 (family 6, model 1)", Cores: 8, OS: "linux/amd64", Go: "go1.26", Kernels: "avx2", HugePages: "madvise"},
		Peers:   map[string]string{peerTorch: "2.0", peerOpenBLAS: "not installed: no library found", peerGorgonia: "v0.9"},
		Timing:  map[string]string{"rounds": "11", "sample": "50ms", "settle": "40ms", "budget": "15s"},
		Sections: []*section{
			{
				Name: "gemm",
				Comparisons: []comparison{
					{Case: "1024×1024×1024 A·W", Threads: 1, Peer: "torch", Ours: 0.0123456, Theirs: 0.0111, Medians: 0.899, Rounds: 0.95, Target: 0.95},
					{Case: "1024×1024×1024 A·W", Threads: 2, Peer: "gorgonia", Ours: 2, Theirs: 19, Medians: 9.5, Rounds: 9.4, Target: 10},
					{Case: "1024×1024×1024 A·W", Threads: 2, Peer: "openblas", Target: 0.95, Status: "not installed"},
					{Case: "for information", Threads: 2, Peer: "torch", Ours: 512e-9, Theirs: 2e-6, Medians: 3.9, Rounds: 4, Load: 0.1},
					{Case: "disturbed", Threads: 2, Peer: "torch", Ours: 1, Theirs: 2, Medians: 2, Rounds: 2, Target: 1, Load: 1.25, Disturbed: true},
					{Case: "alone", Threads: 2, Ours: 3.21e-5},
				},
				OtherLoad: 0.25,
			},
			{
				Name: "memory",
				Bounds: []bound{
					{Case: "step", Threads: 1, Quantity: "buffers", Value: 0, Limit: 0},
					{Case: "step", Threads: 1, Quantity: "allocations", Value: 4.5, Limit: 4},
					{Case: "step", Threads: 1, Quantity: "bytes", Value: 1234567, Limit: -1},
				},
				Notes:     []string{"most in a step: something"},
				OtherLoad: -1,
			},
		},
	}
}

func TestReportIsAlignedText(t *testing.T) {
	r := sample()
	var text bytes.Buffer
	if err := r.writeHeader(&text); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Sections {
		if err := s.writeText(&text); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(golden, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", text.Bytes(), want)
	}
}

func TestReportAsJSONReadsBack(t *testing.T) {
	var text bytes.Buffer
	if err := sample().writeJSON(&text); err != nil {
		t.Fatal(err)
	}
	got := new(report)
	if err := json.Unmarshal(text.Bytes(), got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("read back as %+v", got)
	}
}
