// Loading a part of a file: what is taken over, what is told, what stays an error.

package nn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// parted is a module with a body, a head, and a buffer.
type parted struct {
	Body *nn.Linear
	Head *nn.Linear
	Mean *autograd.Var
	More *autograd.Var
}

// newParted returns one whose elements are all x, with a head for so many classes.
func newParted(x float64, classes int) *parted {
	full := func(shape ...int) *autograd.Var {
		return autograd.Parameter(tensor.Full(tensor.Float32, x, shape...))
	}
	return &parted{
		Body: &nn.Linear{Weight: full(2, 3), Bias: full(3)}, Head: &nn.Linear{Weight: full(3, classes), Bias: full(classes)},
		Mean: autograd.Constant(tensor.Full(tensor.Float32, x, 3)), More: full(1),
	}
}

// without leaves parts out.
func (p *parted) without(parts ...string) *parted {
	for _, part := range parts {
		switch part {
		case "head":
			p.Head = nil
		case "body":
			p.Body = nil
		case "mean":
			p.Mean = nil
		case "more":
			p.More = nil
		}
	}
	return p
}

// elements tells of each part of a module's state the first element.
func elements(m any) string {
	var b strings.Builder
	for _, s := range nn.State(m) {
		fmt.Fprintf(&b, "%s=%v ", s.Name, s.Var.Tensor().Float64s()[0])
	}
	return strings.TrimSpace(b.String())
}

func TestPartialTakesOverEqualNamesAndTellsTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		file, module *parted
		skip         bool
		want         string // elements: 1 are of the file, 0 the module's
		left         string
	}{
		"all": {newParted(1, 2), newParted(0, 2), false,
			"body.weight=1 body.bias=1 head.weight=1 head.bias=1 mean=1 more=1", "{Missing:[] Unexpected:[] Mismatched:[]}"},
		"a file without parts": {newParted(1, 2).without("head", "mean"), newParted(0, 2), false,
			"body.weight=1 body.bias=1 head.weight=0 head.bias=0 mean=0 more=1", "{Missing:[head.weight head.bias mean] Unexpected:[] Mismatched:[]}"},
		"a module without parts": {newParted(1, 2), newParted(0, 2).without("body", "more"), false,
			"head.weight=1 head.bias=1 mean=1", "{Missing:[] Unexpected:[body.bias body.weight more] Mismatched:[]}"},
		"both": {newParted(1, 2).without("more"), newParted(0, 2).without("mean"), false,
			"body.weight=1 body.bias=1 head.weight=1 head.bias=1 more=0", "{Missing:[more] Unexpected:[mean] Mismatched:[]}"},
		"a new head": {newParted(1, 2).without("mean"), newParted(0, 5).without("more"), true,
			"body.weight=1 body.bias=1 head.weight=0 head.bias=0 mean=0", "{Missing:[mean] Unexpected:[more] Mismatched:[head.weight head.bias]}"},
		"no head to skip": {newParted(1, 2), newParted(0, 2), true,
			"body.weight=1 body.bias=1 head.weight=1 head.bias=1 mean=1 more=1", "{Missing:[] Unexpected:[] Mismatched:[]}"},
	} {
		for layout, opts := range map[string][]nn.StateOption{"ours": nil, "PyTorch": {nn.PyTorchLayout()}} {
			left := nn.LoadReport{Missing: []string{"of an earlier call"}}
			b := saved(t, c.file, opts...)
			c.module.each(0)
			opts = append(opts, nn.Partial(&left))
			if c.skip {
				opts = append(opts, nn.SkipMismatched())
			}
			err := nn.Load(iotest.OneByteReader(bytes.NewReader(b)), c.module, opts...)
			if got, told := elements(c.module), fmt.Sprintf("%+v", left); err != nil || got != c.want || told != c.left {
				t.Errorf("%s, %s: error %v\n%s, want\n%s\nleft %s, want %s", name, layout, err, got, c.want, told, c.left)
			}
		}
	}
}

// each sets all elements.
func (p *parted) each(x float64) {
	for _, s := range nn.State(p) {
		s.Var.Tensor().Fill(x)
	}
}

func TestPartialKeepsLiveTensorsAndOtherBits(t *testing.T) {
	from, to := newStateful(true), newStateful(false)
	from.Dense.Bias, from.Index = nil, nil
	weight := to.Dense.Weight.Tensor()
	wants := newStateful(true)
	wants.Dense.Bias, wants.Index = newStateful(false).Dense.Bias, newStateful(false).Index
	var left nn.LoadReport
	if err := nn.Load(bytes.NewReader(saved(t, from)), to, nn.Partial(&left)); err != nil {
		t.Fatal(err)
	}
	if got, want := stateBits(to), stateBits(wants); got != want || to.Dense.Weight.Tensor() != weight {
		t.Errorf("loaded\n%s\nwant, in place,\n%s", got, want)
	}
}

func TestPartialTellsNamesOfTheModuleAndOfTheFile(t *testing.T) {
	theirs := nn.FileNames(func(name string) (string, bool) {
		file, ok := strings.CutSuffix(name, ".weight")
		if ok {
			file += ".kernel"
		}
		return "net." + file, ok
	})
	b := saved(t, newParted(1, 2).without("mean"), theirs)
	m := newParted(0, 4).without("more")
	var left nn.LoadReport
	err := nn.Load(bytes.NewReader(b), m, theirs, nn.Partial(&left), nn.SkipMismatched())
	want := "{Missing:[mean] Unexpected:[net.more] Mismatched:[head.weight head.bias]}"
	if got := fmt.Sprintf("%+v", left); err != nil || got != want || elements(m.Body) != "weight=1 bias=1" {
		t.Errorf("error %v, left %s, want %s; the body has %s", err, got, want, elements(m.Body))
	}
}

func TestPartialTakesTheModelOfARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	of := newParted(1, 2)
	opt := optim.NewAdam(optim.Params(nn.Parameters(of)), optim.AdamConfig{LR: 1})
	if err := nn.SaveTraining(path, &nn.Training{Model: of, Parts: map[string]nn.Stateful{"optimizer": opt}}); err != nil {
		t.Fatal(err)
	}
	inRun := nn.FileNames(func(name string) (string, bool) { return "model." + name, false })
	m := newParted(0, 2)
	var left nn.LoadReport
	err := nn.LoadFile(path, m, nn.Partial(&left), inRun)
	want := "[epoch optimizer.adam.groups.0.lr optimizer.adam.groups.0.params optimizer.adam.groups.0.weight_decay]"
	if got := fmt.Sprint(left.Unexpected); err != nil || stateBits(m) != stateBits(of) || got != want || left.Missing != nil {
		t.Errorf("error %v, left %+v, want %s; loaded\n%s", err, left, want, stateBits(m))
	}
	err = nn.LoadFile(path, m, nn.Partial(&left))
	if err == nil || !strings.Contains(err.Error(), "it is a file of SaveTraining, which LoadTraining reads: nothing of the file fits: tensor ") {
		t.Errorf("without FileNames: error %v", err)
	}
}

func TestPartialRefusesWhatIsNoPart(t *testing.T) {
	skip := []nn.StateOption{nn.SkipMismatched()}
	wide := newParted(1, 2)
	nn.ToDType(wide.Head, tensor.Float64)
	turned := newParted(1, 2)
	turned.Body.Weight = autograd.Parameter(tensor.Full(tensor.Float32, 1, 3, 2))
	other := &struct{ Conv *nn.Linear }{newParted(1, 2).Body}
	cut := saved(t, newParted(1, 2))
	for name, c := range map[string]struct {
		file []byte
		opts []nn.StateOption
		want string
	}{
		"a shape": {saved(t, newParted(1, 5).without("more")), nil,
			`tensor "head.bias": shape [5], want [2]; tensor "head.weight": shape [3 5], want [3 2]; SkipMismatched leaves out other shapes`},
		"an element type":           {saved(t, wide), skip, `tensor "head.bias": element type F64, want F32: load into a module of that type, then see ToDType; tensor "head.weight": element type F64, want F32`},
		"PyTorch's layout":          {saved(t, newParted(1, 2), nn.PyTorchLayout()), skip, "PyTorch stores a Linear transposed; see PyTorchLayout"},
		"a matrix of another order": {saved(t, turned), skip, `tensor "body.weight": shape [3 2], want [2 3]: `},
		"no common name":            {saved(t, other), skip, `nothing of the file fits: tensor "conv.bias": the module has none of that name; `},
		"no tensor":                 {file("{}"), skip, `nothing of the file fits: tensor "body.weight": the file has none of that name; `},
		"other shapes only": {saved(t, newParted(1, 5).without("body", "mean", "more")), skip,
			`nothing of the file fits: tensor "head.bias": shape [5], want [2]; `},
		"half of a tensor that is read":    {cut[:len(cut)-30], nil, "unexpected EOF"},
		"half of a tensor that is skipped": {saved(t, &struct{ Mean, Zoo *autograd.Var }{constant32(3), constant32(9)})[:160], nil, `tensor "zoo": `},
		"more at the end":                  {append(saved(t, newParted(1, 2).without("body")), 0), nil, "bytes after the last tensor"},
	} {
		m := newParted(0, 2)
		left := nn.LoadReport{Missing: []string{"untouched"}}
		err := nn.Load(bytes.NewReader(c.file), m, append(c.opts, nn.Partial(&left))...)
		if err == nil || !strings.HasPrefix(err.Error(), "nn: Load: ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "take over") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if got := elements(m); strings.Contains(got, "=1") || len(left.Missing) != 1 || left.Unexpected != nil {
			t.Errorf("%s: after an error the module has %s, the report %+v", name, got, left)
		}
	}
	if err := nn.Load(bytes.NewReader(file("{}")), &struct{ Drop *nn.Dropout }{}, nn.Partial(new(nn.LoadReport))); err != nil {
		t.Errorf("a module without state: %v", err)
	}
}

func constant32(n int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, n)) }

func TestPartialPassesErrorsOfReadersOn(t *testing.T) {
	m := newParted(0, 2).without("head")
	good, broken := saved(t, newParted(1, 5)), errors.New("broken")
	for n := range len(good) + 1 {
		r := io.MultiReader(bytes.NewReader(good[:n]), iotest.ErrReader(broken))
		if err := nn.Load(r, m, nn.Partial(new(nn.LoadReport))); !errors.Is(err, broken) || strings.Contains(elements(m), "=1") {
			t.Fatalf("after %d bytes: error %v, the module has %s", n, err, elements(m))
		}
	}
}

// What a hostile file has beside the module's tensors takes no memory.
func TestSkippedTensorsTakeNoMemory(t *testing.T) {
	const size = 1 << 40
	shape := fmt.Sprint(size / 4)
	b := file(`{"mean":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"x":{"dtype":"F32","shape":[`+shape+`],"data_offsets":[12,`+fmt.Sprint(size+12)+`]}}`, make([]byte, 100))
	m := newParted(0, 2)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := nn.Load(bytes.NewReader(b), m, nn.Partial(new(nn.LoadReport)))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, io.ErrUnexpectedEOF) || n > 1<<20 {
		t.Errorf("error %v, %d bytes allocated", err, n)
	}
}

// Element types that there are none of here are read past.
func TestPartialSkipsElementTypesThatAreNotSupported(t *testing.T) {
	var header strings.Builder
	at := 12
	for dtype, size := range map[string]int{"U64": 8, "U32": 4, "I16": 2, "U16": 2, "I8": 1, "U8": 1, "F8_E4M3": 1, "F8_E5M2": 1} {
		fmt.Fprintf(&header, `,"%s":{"dtype":"%s","shape":[3],"data_offsets":[%d,%d]}`, dtype, dtype, at, at+3*size)
		at += 3 * size
	}
	b := file(`{"mean":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}`+header.String()+`}`, []float32{1, 1, 1}, make([]byte, at-12))
	m := newParted(0, 2)
	var left nn.LoadReport
	if err := nn.Load(bytes.NewReader(b), m, nn.Partial(&left)); err != nil || !strings.Contains(elements(m), "mean=1") || len(left.Unexpected) != 8 {
		t.Errorf("error %v, the module has %s, left are %v", err, elements(m), left.Unexpected)
	}
	own := file(`{"mean":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"more":{"dtype":"F32","shape":[1],"data_offsets":[3,7]}}`, make([]byte, 7))
	want := `nn: Load: tensor "mean": dtype "U8" is not supported; `
	if err := nn.Load(bytes.NewReader(own), m, nn.Partial(&left), nn.SkipMismatched()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestPartialOptionsThatMakeNoSenseAreMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		"nn: Partial: the report is nil":                        func() { nn.Partial(nil) },
		"nn: Load: SkipMismatched is for Partial loading":       func() { nn.Load(strings.NewReader(""), newParted(0, 2), nn.SkipMismatched()) },
		"nn: LoadFile: SkipMismatched is for Partial loading":   func() { nn.LoadFile(".", newParted(0, 2), nn.SkipMismatched()) },
		"nn: Load: a module is a non-nil pointer to a struct, ": func() { nn.Load(strings.NewReader(""), 3, nn.Partial(new(nn.LoadReport))) },
	} {
		if err := autograd.Try(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("misuse %v, want %q", err, want)
		}
	}
	var left nn.LoadReport // Save takes no notice
	if got, want := saved(t, newParted(1, 2), nn.Partial(&left), nn.SkipMismatched()), saved(t, newParted(1, 2)); !bytes.Equal(got, want) {
		t.Errorf("saved %q, want %q", got, want)
	}
}

// FuzzPartial: no input panics; one that is refused leaves module and report alone; of one
// that is taken, what the report names is as it was, and it names nothing exactly if strict
// loading takes the file.
func FuzzPartial(f *testing.F) {
	a, b := entry("a", "F32", "[2]", 0, 8), entry("b", "I32", "[]", 8, 12)
	f.Add(file("{"+a+","+b+"}", []float32{5, 6}, int32(7)), true)
	f.Add(file("{"+a+","+entry("c", "U8", "[3]", 8, 11)+"}", []float32{5, 6}, make([]byte, 3)), false)
	f.Add(file("{"+a+","+entry("b", "I32", "[1]", 8, 12)+"}", []float32{5, 6}, int32(7)), true)
	f.Fuzz(func(t *testing.T, data []byte, skip bool) {
		m, left := newPair(), nn.LoadReport{Missing: []string{"untouched"}}
		opts := []nn.StateOption{nn.Partial(&left)}
		if skip {
			opts = append(opts, nn.SkipMismatched())
		}
		if err := nn.Load(bytes.NewReader(data), m, opts...); err != nil {
			if stateBits(m) != stateBits(newPair()) || len(left.Missing) != 1 || left.Missing[0] != "untouched" {
				t.Errorf("refused with %v, yet the module is changed, or the report: %+v", err, left)
			}
			return
		}
		for name, v := range map[string]*autograd.Var{"a": m.A, "b": m.B} {
			was := map[string]*autograd.Var{"a": newPair().A, "b": newPair().B}[name]
			kept := slices.Contains(left.Missing, name) || slices.Contains(left.Mismatched, name)
			if kept && stateBits(&struct{ V *autograd.Var }{v}) != stateBits(&struct{ V *autograd.Var }{was}) {
				t.Errorf("%s is left, %+v, yet changed", name, left)
			}
		}
		strict := newPair()
		if err := nn.Load(bytes.NewReader(data), strict); (err == nil) != (len(left.Missing)+len(left.Unexpected)+len(left.Mismatched) == 0) {
			t.Errorf("strict loading gives %v, and partial loading leaves %+v", err, left)
		} else if err == nil && stateBits(strict) != stateBits(m) {
			t.Error("strict and partial loading differ")
		}
	})
}
