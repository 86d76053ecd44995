package cpu

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Dropouts of attentions' weights, of their scores, and of weights on the way back.
const (
	dropped     = "%50:edge f32[H 1] = dropout %7 num=0.4 site=1 res=edge\n  "
	dropped4    = "%50:edge f32[H 1] = dropout %4 num=0.4 site=1 res=edge\n  "
	droppedBack = "%50:edge f32[H 1] = dropout %10 num=0.4 site=1 res=edge\n  %51:edge f32[H 1] = mul %50 %5\n  "
)

// alone leaves out what backward needs.
var alone = []string{"\n  output \"max\" %5\n  output \"recip\" %13", ""}

// noProducts are those of attentions whose exponentials are no products.
var noProducts = []string{"forward, another least", "training, another step"}

// attentions are GAT's passes and what differs from them, by replacements in their
// texts; and whether their kernels are one walk, at 16, 64 and 128 columns.
var attentions = []struct {
	name, text string
	change     []string
	once       bool
}{
	{"forward", gatForward, nil, true},
	{"forward without a rectifier", gatForward, []string{"leakyrelu %3 num=0.2", "leakyrelu %3 num=1"}, true},
	{"forward, another least", gatForward, []string{"num=1e-30", "num=3"}, true},
	{"forward, commuted", gatForward, []string{"add %1 %2", "add %2 %1", "mul %7 %0", "mul %0 %7", "maxof %8 %11", "maxof %11 %8", "mul %10 %13", "mul %13 %10"}, true},
	{"forward, weights are a result", gatForward, []string{"\n}", "\n  output \"weights\" %7\n}"}, false},
	{"forward, scores are a result", gatForward, []string{"\n}", "\n  output \"scores\" %4\n}"}, false},
	{"forward, the undivided sum is a result", gatForward, []string{"\n}", "\n  output \"undivided\" %10\n}"}, false},
	{"forward, scores are no sum", gatForward, []string{"add %1 %2", "mul %1 %2"}, false},
	{"forward, another number taken off", gatForward, []string{"sub %4 %5", "sub %4 %2"}, false},
	{"forward, no least", gatForward, []string{"maxof %8 %11", "mul %8 %8"}, false},
	{"forward, divided by another number", gatForward, []string{"mul %10 %13", "mul %10 %12"}, false},
	{"forward, scores are squared", gatForward, []string{"leakyrelu %3 num=0.2", "square %3"}, false},
	{"forward, the largest before the rectifier", gatForward, []string{"max %4", "max %3"}, false},
	{"forward, scores with the largest", gatForward, []string{
		"%6:edge f32[H 1] = sub %4 %5", "%25:edge f32[H 1] = add %1 %5\n  %26:edge f32[H 1] = leakyrelu %25 num=0.2\n  %6:edge f32[H 1] = sub %26 %2",
	}, false},
	{"forward, squares are summed", gatForward, []string{
		"%8:dst f32[H 1] = sum %7 dir=in", "%8:dst f32[H 1] = sum %7 dir=in\n  %25:edge f32[H 1] = mul %7 %7\n  %26:dst f32[H 1] = sum %25 dir=in", "\n}", "\n  output \"squares\" %26\n}",
	}, false},
	{"forward, dropout", gatForward, []string{"%9:edge f32[H D] = mul %7 %0", dropped + "%9:edge f32[H D] = mul %50 %0"}, true},
	{"forward, dropout before the softmax", gatForward, []string{"%6:edge f32[H 1] = sub %4 %5", dropped4 + "%6:edge f32[H 1] = sub %50 %5"}, false},
	{"forward alone", gatForward, alone, true},
	{"forward alone, dropout", gatForward, append([]string{"%9:edge f32[H D] = mul %7 %0", dropped + "%9:edge f32[H D] = mul %50 %0"}, alone...), true},
	{"forward alone, an activation follows", gatForward, append([]string{"  output \"out\" %14", "  %25:dst f32[H D] = relu %14\n  output \"out\" %25"}, alone...), true},
	{"forward, a factor follows", gatForward, append([]string{"  output \"out\" %14", "  %25:dst f32[H D] = mul %14 %13\n  output \"out\" %25"}, alone...), true},
	{"training", gatTraining, nil, true},
	{"training, dropout", gatTraining, []string{
		"%12:edge f32[H D] = mul %7 %0", dropped + "%12:edge f32[H D] = mul %50 %0",
		"%20:edge f32[H D] = mul %19 %0", "%51:edge f32[H 1] = mul %50 %18\n  %20:edge f32[H D] = mul %51 %0",
	}, true},
	{"training, dropout of one sum", gatTraining, []string{"%12:edge f32[H D] = mul %7 %0", dropped + "%12:edge f32[H D] = mul %50 %0"}, false},
	{"training, dropout of the other sum", gatTraining, []string{"%20:edge f32[H D] = mul %19 %0", dropped + "%51:edge f32[H 1] = mul %50 %18\n  %20:edge f32[H D] = mul %51 %0"}, false},
	{"training, the step times the difference", gatTraining, []string{"%19:edge f32[H 1] = mul %7 %18", "%19:edge f32[H 1] = mul %6 %18"}, false},
	{"training, another step", gatTraining, []string{"%15:param f32[] = const num=0", "%15:param f32[] = const num=0.5", "num=0.2\n  %18", "num=-0.7\n  %18"}, true},
	{"training, the step of the rectified score", gatTraining, []string{"gt %3 %15", "gt %4 %15"}, false},
	{"training, the step times another weight", gatTraining, []string{"%19:edge f32[H 1] = mul %7 %18", "%19:edge f32[H 1] = mul %3 %18"}, false},
	{"training, the step of the exponential", gatTraining, []string{"gt %3 %15", "gt %7 %15"}, false},
	{"training, sums end apart", gatTraining, []string{"%22:dst f32[H D] = mul %21 %11", "%22:dst f32[H D] = mul %21 %8"}, false},
	{"backward", gatBackward, nil, true},
	{"backward, commuted", gatBackward, []string{
		"mul %10 %5", "mul %5 %10", "mul %0 %1", "mul %1 %0", "mul %0 %12", "mul %12 %0", "mul %12 %15", "mul %15 %12",
		"mul %20 %10", "mul %10 %20", "mul %22 %26", "mul %26 %22", "add %2 %3", "add %3 %2",
	}, true},
	{"backward, another slope and step", gatBackward, []string{"leakyrelu %7 num=0.2", "leakyrelu %7 num=0.4", "%25:param f32[] = const num=0.2", "%25:param f32[] = const num=3"}, true},
	{"backward, the step of the rectified score", gatBackward, []string{"gt %7 %23", "gt %8 %23"}, false},
	{"backward, less of the weight", gatBackward, []string{"mul %20 %10", "mul %20 %12"}, false},
	{"backward, the difference turned round", gatBackward, []string{"sub %17 %21", "sub %21 %17"}, false},
	{"backward, the dot product of the exponential", gatBackward, []string{"mul %12 %15", "mul %10 %15"}, false},
	{"backward, the dot product of other rows", gatBackward, []string{"%13:edge f32[H D] = mul %0 %1", "%13:edge f32[H D] = mul %6 %1"}, false},
	{"backward, three numbers of a vertex", gatBackward, []string{"mul %10 %5", "mul %10 %3"}, false},
	{"backward, numbers change places", gatBackward, []string{"sub %8 %4", "sub %8 %5", "mul %10 %5", "mul %10 %4"}, true},
	{"backward, factors after what is less", gatBackward, []string{
		"  %12:edge f32[H 1] = mul %10 %5\n", "  %18:dst f32[H D] = mul %0 %6\n  %19:dst f32[H 1] = reduceto %18 shape=[H,1]\n  %20:dst f32[H 1] = mul %5 %19\n  %21:edge f32[H 1] = mul %20 %10\n  %12:edge f32[H 1] = mul %10 %5\n",
		"  %17:edge f32[H 1] = mul %12 %15\n  %18:dst f32[H D] = mul %0 %6\n  %19:dst f32[H 1] = reduceto %18 shape=[H,1]\n  %20:dst f32[H 1] = mul %5 %19\n  %21:edge f32[H 1] = mul %20 %10\n", "  %17:edge f32[H 1] = mul %12 %15\n",
	}, false},
	{"backward, dropout", gatBackward, []string{
		"%14:edge f32[H D] = mul %0 %12", droppedBack + "%14:edge f32[H D] = mul %0 %51",
		"%17:edge f32[H 1] = mul %12 %15", "%52:edge f32[H 1] = dropout %15 num=0.4 site=1 res=edge\n  %17:edge f32[H 1] = mul %12 %52",
	}, true},
	{"backward, two dropouts", gatBackward, []string{
		"%14:edge f32[H D] = mul %0 %12", droppedBack + "%14:edge f32[H D] = mul %0 %51",
		"%17:edge f32[H 1] = mul %12 %15", "%52:edge f32[H 1] = dropout %15 num=0.4 site=2 res=edge\n  %17:edge f32[H 1] = mul %12 %52",
	}, false},
	{"backward, two probabilities", gatBackward, []string{
		"%14:edge f32[H D] = mul %0 %12", droppedBack + "%14:edge f32[H D] = mul %0 %51",
		"%17:edge f32[H 1] = mul %12 %15", "%52:edge f32[H 1] = dropout %15 num=0.5 site=1 res=edge\n  %17:edge f32[H 1] = mul %12 %52",
	}, false},
	{"backward, dropout of rows alone", gatBackward, []string{"%14:edge f32[H D] = mul %0 %12", droppedBack + "%14:edge f32[H D] = mul %0 %51"}, false},
	{"backward, dropout of products alone", gatBackward, []string{
		"%17:edge f32[H 1] = mul %12 %15", "%52:edge f32[H 1] = dropout %15 num=0.4 site=1 res=edge\n  %17:edge f32[H 1] = mul %12 %52",
	}, false},
	{"backward, heads share rows", gatBackward, []string{
		"%0:dst f32[H D]", "%0:dst f32[1 D]", "%1:src f32[H D]", "%1:src f32[1 D]", "%13:edge f32[H D]", "%13:edge f32[1 D]",
		"%15:edge f32[H 1] = reduceto %13 shape=[H,1]", "%15:edge f32[1 1] = reduceto %13 shape=[1,1]",
	}, true},
	{"backward, slopes are a result", gatBackward, []string{"\n}", "\n  output \"slopes\" %27\n}"}, false},
	{"backward, another kernel has the weights", gatBackward, []string{"\n}", "\n  output \"weights\" %12\n}"}, true},
	{"backward, the largest of the slopes", gatBackward, []string{"%28:src f32[H 1] = sum %27", "%28:src f32[H 1] = max %27"}, false},
	{"backward, no step", gatBackward, []string{"mul %22 %26", "mul %22 %22"}, false},
}

func attentionText(t *testing.T, text string, change []string, heads, cols string) *ir.Program {
	for i := 0; i < len(change); i += 2 {
		if strings.Count(text, change[i]) == 0 {
			t.Fatalf("no %q in the program", change[i])
		}
		text = strings.Replace(text, change[i], change[i+1], 1)
	}
	text = renumber(text)
	return mustParse(strings.NewReplacer("f32[H", "f64["+heads, "shape=[H", "shape=["+heads, " D]", " "+cols+"]", "f32", "f64").Replace(text))
}

// renumber numbers the values of a program's text in order, where others were put in between.
func renumber(text string) string {
	numbers := make(map[string]string)
	for i, m := range definitions.FindAllStringSubmatch(text, -1) {
		numbers[m[1]] = "%" + strconv.Itoa(i)
	}
	return uses.ReplaceAllStringFunc(text, func(v string) string { return numbers[v] })
}

var definitions, uses = regexp.MustCompile(`(?m)^ *(%\d+):`), regexp.MustCompile(`%\d+`)

// walks counts the kernels of a plan that compute attention at once.
func walks(p *plan.Plan) (n int) {
	for _, s := range Compile[float32](p).steps {
		if k, ok := s.(*kernel[float32]); ok && k.attention != nil {
			n++
		}
	}
	return n
}

// TestAttentionIsToldWhatIsWantedOfRows: where exponentials are products, rows alone take two numbers
// of a vertex and not four, and what would be made of sums that nobody reads is not computed.
func TestAttentionIsToldWhatIsWantedOfRows(t *testing.T) {
	if !kern.For[float32]().Attends(1, 64, false).Apart {
		t.Skip("attention is told nothing here")
	}
	for name, want := range map[string]struct {
		alone bool
		of    int
		after int // instructions
	}{
		"forward": {false, 4, 2}, "forward alone": {true, 2, 0}, "forward alone, dropout": {true, 4, 0},
		"forward alone, an activation follows": {true, 2, 1}, "forward, a factor follows": {false, 4, 3}, "training": {false, 4, 3},
	} {
		n := 0
		for _, c := range attentions {
			if c.name != name {
				continue
			}
			p := Compile[float32](plan.Build(typed(t, attentionText(t, c.text, c.change, "1", "64"), ir.F32)))
			for _, s := range p.steps {
				if k, ok := s.(*kernel[float32]); ok && k.attention != nil {
					n++
					if alone := k.attention.walk.(*attend[float32]).alone; alone != want.alone || k.attention.factors.perVertex != want.of {
						t.Errorf("%s: rows alone %v, %d numbers of a vertex, want %v, %d", name, alone, k.attention.factors.perVertex, want.alone, want.of)
					}
					if n := len(k.attention.post); n != want.after {
						t.Errorf("%s: %d instructions follow, want %d", name, n, want.after)
					}
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: %d kernels compute attention at once", name, n)
		}
	}
}

// attentionGraphs have edges enough for attention to be computed at once: many and few for
// a vertex, none, one, and a hub in either direction with more edges than any tile.
func attentionGraphs() []edges {
	r := rand.New(rng.NewStream(6))
	hub := random("hub", r, 500, 500, 3000, false)
	for i := range int32(attendedEdges + 800) {
		hub.from, hub.to = append(hub.from, i%490, 6), append(hub.to, 5, i%480)
	}
	some := random("some have none", r, 30, 30, 300, false)
	some.src, some.dst = 45, 45
	return []edges{
		some, hub, random("dense", r, 20, 20, 1500, false), random("wide", r, 300, 40, 2500, true), random("tall", r, 40, 300, 2500, true),
	}
}

func TestAttentionAtOnceAgreesWithTheInterpreter(t *testing.T) {
	set, graphs := kern.For[float32](), attentionGraphs()
	for _, e := range graphs {
		if g := e.build(t); e.name == "hub" && min(g.In().MaxDegree(), g.Out().MaxDegree()) <= attendedEdges {
			t.Errorf("%v has no hub in one direction", g)
		}
	}
	for _, c := range attentions {
		if raceEnabled && !c.once {
			continue // these run as other programs do
		}
		for _, shape := range [][2]string{{"1", "16"}, {"1", "64"}, {"1", "128"}, {"8", "8"}, {"4", "16"}, {"2", "64"}, {"6", "32"}, {"3", "16"}, {"1", "48"}, {"4", "8"}, {"8", "2"}, {"4", "4"}} {
			p := attentionText(t, c.text, c.change, shape[0], shape[1])
			want := 0
			narrow := shape[0] == "3" || shape[1] == "48" || shape[0] == "6" && strings.Contains(c.name, "dropout")
			heads, columns := number(t, shape[0]), number(t, shape[1])
			attends := set.Attends(heads, heads*columns, strings.Contains(c.name, "dropout"))
			fast := attends.AtOnce && !(attends.Apart && slices.Contains(noProducts, c.name))
			once := c.once || c.name == "backward, slopes are a result" && columns < 8 // rows so narrow are gathered twice, by another kernel for the slopes
			if once && fast && (shape[0] == "1" || !strings.Contains(c.name, "heads share")) {
				want = 1
			}
			if got := walks(plan.Build(typed(t, p, ir.F32))); got != want {
				t.Errorf("%s, %s heads of %s columns: %d kernels compute attention at once, want %d\n%s", c.name, shape[0], shape[1], got, want, p)
			}
			if narrow && !fast || !c.once && shape != [2]string{"1", "64"} && shape[0] != "8" {
				continue // what is not computed at once has nothing of its own for a shape
			}
			for i, e := range graphs {
				if e.name == "hub" && (testing.Short() || !c.once || shape != [2]string{"1", "64"} && shape[1] != "8") || testing.Short() && (shape[1] != "64" && shape[0] != "8" || shape[0] == "2" || i > 0 && (!c.once || i != 3)) {
					continue
				}
				q := p
				if e.bipartite {
					q = attentionText(t, strings.Replace(c.text, " {", " bipartite {", 1), c.change, shape[0], shape[1])
				}
				mustAgree(t, q, e, 17)
			}
		}
	}
}

// A dot product over the columns of all heads is none for each head, though its number
// meets those of each.
func TestOneDotProductOfAllHeadsAgreesWithTheInterpreter(t *testing.T) {
	p := mustParse(`
program back f64 {
  %0:dst f64[2 8] = input name="g"
  %1:src f64[2 8] = input name="h"
  %2:src f64[2 1] = input name="el"
  %3:dst f64[2 1] = input name="er"
  %4:dst f64[2 1] = input name="max"
  %5:dst f64[2 1] = input name="recip"
  %6:dst f64[2 1] = input name="less"
  %7:edge f64[2 1] = add %2 %3
  %8:edge f64[2 1] = leakyrelu %7 num=0.2
  %9:edge f64[2 1] = sub %8 %4
  %10:edge f64[2 1] = exp %9
  %11:edge f64[2 1] = mul %10 %5
  %12:edge f64[2 8] = mul %0 %11
  %13:src f64[2 8] = sum %12 dir=out
  %14:edge f64[2 8] = mul %0 %1
  %15:edge f64[1 1] = reduceto %14 shape=[1,1]
  %16:edge f64[2 1] = mul %11 %15
  %17:edge f64[2 1] = mul %6 %10
  %18:edge f64[2 1] = sub %16 %17
  %19:param f64[] = const num=0
  %20:edge f64[2 1] = gt %7 %19
  %21:param f64[] = const num=1
  %22:param f64[] = const num=0.2
  %23:edge f64[2 1] = select %20 %21 %22
  %24:edge f64[2 1] = mul %18 %23
  %25:src f64[2 1] = sum %24 dir=out
  output "rows" %13
  output "slopes" %25
}`)
	for _, e := range attentionGraphs() {
		if !e.bipartite && e.name != "hub" {
			mustAgree(t, p, e, 18)
		}
	}
}

// Each score less the largest of each head's is no softmax of the scores, though there are as
// many scores as maxima, and as many heads as sums of weights.
func TestScoresLessTheMaximaOfAllHeadsAgreeWithTheInterpreter(t *testing.T) {
	p := mustParse(`
program pairs f64 {
  %0:src f64[2 2 16] = input name="h"
  %1:src f64[1 2 1] = input name="el"
  %2:dst f64[1 2 1] = input name="er"
  %3:edge f64[1 2 1] = add %1 %2
  %4:edge f64[1 2 1] = leakyrelu %3 num=0.2
  %5:dst f64[1 2 1] = max %4 dir=in
  %6:dst f64[2 1 1] = reshape %5 shape=[2,1,1]
  %7:edge f64[2 2 1] = sub %4 %6
  %8:edge f64[2 2 1] = exp %7
  %9:dst f64[2 2 1] = sum %8 dir=in
  %10:edge f64[2 2 16] = mul %8 %0
  %11:dst f64[2 2 16] = sum %10 dir=in
  %12:param f64[] = const num=1e-30
  %13:dst f64[2 2 1] = maxof %9 %12
  %14:dst f64[2 2 1] = recip %13
  %15:dst f64[2 2 16] = mul %11 %14
  output "out" %15
  output "max" %5
  output "recip" %14
}`)
	if n := walks(plan.Build(typed(t, p, ir.F32))); n != 0 {
		t.Errorf("%d kernels compute attention at once", n)
	}
	for _, e := range attentionGraphs() {
		if !e.bipartite && e.name != "hub" {
			mustAgree(t, p, e, 17)
		}
	}
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAttentionAtOnceIsLeftWhereRowsHaveFewEdges: there the instructions one by one take
// several rows together.
func TestAttentionAtOnceIsLeftWhereRowsHaveFewEdges(t *testing.T) {
	k := &kernel[float32]{attention: &attentionWalk[float32]{from: 4}}
	four := &kernel[float32]{attention: &attentionWalk[float32]{from: 4, four: true}}
	r := rand.New(rng.NewStream(7))
	many, few := random("many", r, 10, 10, 40, false).build(t).In(), random("few", r, 10, 10, 39, false).build(t).In()
	for _, c := range []struct {
		name string
		got  *attentionWalk[float32]
		want bool
	}{
		{"many edges", k.attends(many, nil, false), true},
		{"few edges", k.attends(few, nil, false), false},
		{"no edges", k.attends(nil, nil, false), false},
		{"numbers side by side", four.attends(many, make([]float32, 40), false), true},
		{"numbers apart", four.attends(many, nil, false), false},
		{"no attention", (&kernel[float32]{}).attends(many, nil, false), false},
	} {
		if (c.got != nil) != c.want {
			t.Errorf("%s: at once %v, want %v", c.name, c.got != nil, c.want)
		}
	}
}

// TestAttentionAtOnceReachesTheSmallestScores has scores that differ by more than float32
// can tell from nothing, in every order.
func TestAttentionAtOnceReachesTheSmallestScores(t *testing.T) {
	p := attentionText(t, gatTraining, nil, "1", "64")
	e := random("scores", rand.New(rng.NewStream(8)), 40, 40, 900, false)
	in := inputsOf(p, e.structure(), 3)
	for i := range in["el@src"] {
		in["el@src"][i] = float64((i*7)%40)*20 - 400
	}
	mustAgreeOn(t, p, e, in, 3)
}
