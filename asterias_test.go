package asterias

import (
	"errors"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric"
)

func TestExplainOfNilIsMisuse(t *testing.T) {
	g, err := graph.New(1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := vcentric.Compile("degree", func(v vcentric.Vertex) vcentric.Value { return v.InDegree() })
	for want, f := range map[string]func(){
		"vcentric: no program: Explain: the program is nil or empty: make it with Compile": func() { Explain(nil, g) },
		"vcentric: degree: graph: is nil":                                                  func() { Explain(p, nil) },
	} {
		var typed *vcentric.BindError
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
