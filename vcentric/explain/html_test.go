package explain

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// hostile are names that would break out of a page, a graph or a terminal.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onclick='alert(1)`, `<!--`, `]]>`, `{{.Name}}`, `&lt;b&gt;`,
	`"]; x [label="`, `\`, "a\nb", "\x00\x1b[31m", "\xff\xfe", "../../x", "",
}

// site is what a page holds.
type site struct {
	elements map[string]int
	ids      map[string]bool
	links    []string
	keys     map[string]int // of values, by data-key
	text     string
}

// open parses a page as XML, which is stricter than HTML: everything is closed
// and quoted. Anything that could fetch from elsewhere or run on its own is an
// error.
func open(page string) (*site, error) {
	s := &site{elements: make(map[string]int), ids: make(map[string]bool), keys: make(map[string]int)}
	d := xml.NewDecoder(strings.NewReader(page))
	var text strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			s.text = text.String()
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			s.elements[token.Name.Local]++
			for _, a := range token.Attr {
				switch name := a.Name.Local; {
				case name == "src" || name == "action" || strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(a.Value, "#"):
					return nil, fmt.Errorf("attribute %s=%q", name, a.Value)
				case name == "href":
					s.links = append(s.links, a.Value[1:])
				case name == "id":
					if s.ids[a.Value] {
						return nil, fmt.Errorf("two elements with id %q", a.Value)
					}
					s.ids[a.Value] = true
				case name == "data-key":
					s.keys[a.Value]++
				}
			}
		}
	}
}

func render(t *testing.T, r *Report) (string, *site) {
	t.Helper()
	var b strings.Builder
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	s, err := open(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, l := range s.links {
		if !s.ids[l] {
			t.Errorf("a link to #%s, which is not there", l)
		}
	}
	return b.String(), s
}

func TestPageOfASampleIsTheGolden(t *testing.T) {
	page, s := render(t, sample(t))
	golden(t, "sample.html", page)
	for _, want := range []string{`vertex "h" f32[16]`, "identity", "gcn.go:11", "if (a < b && c)", "1.5ms", "unchanged"} {
		if !strings.Contains(s.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestAnEmptyReportHasAPage(t *testing.T) {
	_, s := render(t, &Report{})
	if s.elements["table"] != 0 || s.elements["h1"] != 1 {
		t.Errorf("elements %v", s.elements)
	}
}

func TestPageOfTrainingHasEveryValueBufferAndStep(t *testing.T) {
	for _, layer := range irtest.Layers() {
		r := trained(layer)
		_, s := render(t, r)
		columns, values := len(r.Stages), 0
		for _, stage := range r.Stages {
			values += len(stage.Program.Values)
		}
		for _, p := range r.plans() {
			columns += 1 + len(p.plan.Steps) // a fold for each step, and one for what no step computes
			for _, b := range p.plan.Buffers {
				if !strings.Contains(s.text, oneLine(b.Name)) {
					t.Errorf("%s lacks buffer %q", layer.Name, b.Name)
				}
			}
		}
		shown := 0
		for _, n := range s.keys {
			shown += n
		}
		for _, p := range r.plans() {
			view := r.planPage(p, newKeys())
			want := fmt.Sprintf("\n%d buffers, %s B\n", len(view.Buffers), strings.ReplaceAll(view.Bytes, ",", ""))
			if !strings.Contains(p.plan.Report(r.Sizes), want) {
				t.Errorf("%s, %s: the page has%sthe plan reports\n%s", layer.Name, p.name, want, p.plan.Report(r.Sizes))
			}
		}
		if s.elements["details"] != columns || shown < values {
			t.Errorf("%s: %d folds, want %d; %d values, want %d and those of the plans", layer.Name, s.elements["details"], columns, shown, values)
		}
	}
}

// A click finds a value in every column: forward's saved values are backward's
// inputs.
func TestPageKnowsAValueInAllColumns(t *testing.T) {
	r := trained(irtest.Layer("gat"))
	keys := newKeys()
	columns := r.columns(keys)
	of := make(map[string][]int)
	for i, c := range columns {
		for _, v := range c.Values {
			if v.Op == "input" && strings.Contains(v.Attrs, `"h"`) && v.Res == "src" {
				of[v.Key] = append(of[v.Key], i)
			}
		}
	}
	if len(of) != 1 {
		t.Errorf(`input "h" has the keys %v`, of)
	}
	last := columns[len(columns)-1]
	early := make(map[string]bool)
	for _, c := range columns[:len(columns)-1] {
		for _, v := range c.Values {
			if v.Op != "input" {
				early[v.Key] = true
			}
		}
	}
	saved, known := 0, 0
	for _, v := range last.Values {
		if v.Op == "input" && strings.Contains(v.Attrs, ir.SavedPrefix) {
			saved++
			if early[v.Key] {
				known++
			}
		}
	}
	if saved == 0 || known == 0 {
		t.Errorf("%d of %d saved values are known from forward", known, saved)
	}
}

func TestPageMarksWhatIsNewAndWhatGoes(t *testing.T) {
	columns := sample(t).columns(newKeys())
	if columns[0].Same || !columns[1].Same || columns[2].Same {
		t.Errorf("unchanged: %v %v %v", columns[0].Same, columns[1].Same, columns[2].Same)
	}
	marks := func(c *columnView) (s string) {
		for _, v := range c.Values {
			switch {
			case v.New:
				s += "n"
			case v.Gone:
				s += "g"
			default:
				s += "."
			}
		}
		return s
	}
	// The multiplication with 1 goes, and with it what read it, which is made anew.
	for i, want := range []string{".....ggg", ".....ggg", ".....n"} {
		if got := marks(columns[i]); got != want {
			t.Errorf("stage %d is marked %s, want %s", i, got, want)
		}
	}
}

func TestPageEscapesHostileNames(t *testing.T) {
	for _, name := range hostile {
		b := ir.NewBuilder(name, ir.F32, false)
		b.At(name)
		b.Output(name, b.Exp(b.Input(name, ir.Src, ir.Shape{2})))
		p := b.Program()
		r := &Report{
			Name: name, Signature: name, Stages: []pass.Stage{{Name: name, Program: p}, {Name: name, Program: p}},
			Rules: pass.Log{name: 1}, Forward: plan.Build(p), Backward: plan.Build(p), Source: map[string]string{name: name},
		}
		page, s := render(t, r)
		if s.elements["script"] != 1 || s.elements["img"] != 0 {
			t.Errorf("%q made elements: %v", name, s.elements)
		}
		if !strings.Contains(strings.Join(strings.Fields(s.text), " "), oneLine(name)) {
			t.Errorf("%q is not on the page", name)
		}
		if strings.ContainsAny(page+r.String(), "\x00\x1b") {
			t.Errorf("%q: control characters", name)
		}
	}
}

func TestHTMLReportsAFailedWrite(t *testing.T) {
	if err := sample(t).HTML(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
