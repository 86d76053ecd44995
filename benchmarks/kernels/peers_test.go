package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

var (
	python    = flag.String("python", "python3", "Python interpreter for the test that needs PyTorch")
	dglPython = flag.String("dgl-python", "", "that of DGL; -python by default")
)

// TestPeersComputeTheSame runs every form of every peer that is there, and the
// memory bound, on a graph with all irregularities.
func TestPeersComputeTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PyTorch")
	}
	other := *dglPython
	if other == "" {
		other = *python
	}
	b := tiny(t, "-python "+*python+" -dgl-python "+other)
	b.peers = newPythonPeers(b.opts, b.threads)
	defer b.close()
	var missing *harness.NotInstalled
	if err := b.peers[0].(*pythonPeer).running(); errors.As(err, &missing) {
		t.Skip(err)
	}
	g := smallGraph(t)
	results, err := casesOf(b, "small", g, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, p := range r.Peers {
			switch {
			case strings.HasSuffix(p.Status, "not installed"):
				t.Logf("%s, %s: %s", r.Program, p.Form, p.Status)
			case p.Status != "" || p.Speedup <= 0:
				t.Errorf("%s, %s: %+v", r.Program, p.Form, p)
			}
		}
	}
	var ratios []bound
	err = b.memoryBounds("small", g, 8, func(x bound) {
		if strings.HasPrefix(x.Quantity, "ours / ") {
			ratios = append(ratios, x)
		}
	}, func(note string) { t.Log(note) })
	if err != nil || len(ratios) != 1 || ratios[0].Limit != memoryShare {
		t.Errorf("ratios %+v, error %v", ratios, err)
	}
}

// missingLibraries runs peers.py without PyTorch and the libraries on top of it, and prints
// what forms say.
const missingLibraries = `
import json, sys
from unittest.mock import MagicMock

torch = MagicMock()
torch.nn.Module = torch.autograd.Function = object
F, VERSIONS, timed, values = MagicMock(), [], MagicMock(), MagicMock()
sys.modules["torch_geometric"] = sys.modules["dgl"] = None
exec(sys.argv[1])
said = {}
for program, forms in FORMS.items():
    for name in forms:
        try:
            form({"program": program, "form": name, "wanted": []}, [])
        except RuntimeError as e:
            said[name] = str(e)
        except Exception:
            pass  # there is no graph to set it up on
json.dump(said, sys.stdout)
`

func TestFormsWhoseLibraryIsMissingSaySo(t *testing.T) {
	cmd := exec.Command(*python, "-c", missingLibraries, peersScript)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	var got map[string]string
	if err := errors.Join(err, json.Unmarshal(out, &got)); err != nil {
		t.Fatal(err)
	}
	for _, form := range allForms {
		want := ""
		switch form {
		case formPyG, formPyGCSR:
			want = "PyTorch Geometric is not installed"
		case formDGL, formDGLOwn:
			want = "DGL is not installed"
		}
		if got[form] != want {
			t.Errorf("%s: %q, want %q", form, got[form], want)
		}
	}
}
