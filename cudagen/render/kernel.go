package render

// Kernels over vertices: their entry points.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// kernel is what the entry points of a kernel have in common.
type kernel struct {
	*renderer
	spec *plan.Kernel
	shape
	dir   ir.Dir // of the edges
	elems *elemsTable

	computed map[*ir.Value]bool
	loopOf   map[*ir.Value]scope     // of aggregates
	running  map[*ir.Value]bool      // maxima that are read while they are found
	weights  map[*ir.Value]*ir.Value // what is e^(x - m) of such a maximum m

	types int                // of edges
	nests map[scope]*nest    // by the scopes of their parts
	inner map[*ir.Value]bool // what is there part by part only

	needed    map[number]bool
	needs     map[rowOf][]*elems // in the order they were asked for
	crossings map[number]*crossing
	covers    map[*plan.Store][]cover
	tables    map[*elems]string

	transposed map[*ir.Value]int // regions of matrices' copies

	stageAt map[rowOf]int // where rows stand in the shared memory of a group
	stage   int           // numbers of it
	warpsAt int           // where it has a number of each warp, or -1

	sums      []*sum
	sumSize   int   // numbers of a group's partial sums
	slices    Count // blocks whose groups have partial sums, so far
	sumRegion int
}

func (r *renderer) kernel(p *plan.Kernel) {
	k := &kernel{
		renderer: r, spec: p, dir: ir.Over(p.Rows),
		computed:   make(map[*ir.Value]bool),
		loopOf:     make(map[*ir.Value]scope),
		running:    make(map[*ir.Value]bool),
		weights:    make(map[*ir.Value]*ir.Value),
		nests:      make(map[scope]*nest),
		inner:      make(map[*ir.Value]bool),
		needed:     make(map[number]bool),
		needs:      make(map[rowOf][]*elems),
		crossings:  make(map[number]*crossing),
		covers:     make(map[*plan.Store][]cover),
		tables:     make(map[*elems]string),
		stageAt:    make(map[rowOf]int),
		transposed: make(map[*ir.Value]int),
		warpsAt:    -1,
	}
	k.online()
	k.note()
	k.nestLoops()
	k.shape = r.shapeFor(k.width(), k.outerSize(), len(p.Loops) > 0, k.heavy())
	if len(k.nests) > 0 || k.sumsEdges() {
		k.slots, k.groups = 1, max(k.groups*k.slots, 1) // whose edges are met in order, or summed by one
	}
	k.elems = newElemsTable(k.lanes, r.plan.Program.Type)
	k.needAll()
	k.fitShared()
	k.transpose()
	k.prepareSums()
	k.launchRows()
	if len(p.Loops) > 0 {
		k.launchHubs()
	}
	k.launchSums()
}

// heavy tells whether loops compute for their edges what is many instructions.
func (k *kernel) heavy() bool {
	return slices.ContainsFunc(k.spec.Loops, func(l *plan.Loop) bool {
		return slices.ContainsFunc(l.Edge, func(v *ir.Value) bool { return v.Op.Transcendental() })
	})
}

// sumsEdges tells whether loops add up something over all edges.
func (k *kernel) sumsEdges() bool {
	return slices.ContainsFunc(k.spec.Loops, func(l *plan.Loop) bool { return len(l.Totals) > 0 })
}

// fitShared takes as many groups into a block as its shared memory has room for.
func (k *kernel) fitShared() {
	bytes := func() int { return k.groups * k.slots * k.stage * k.plan.Program.Type.Size() }
	for bytes() > maxShared && k.groups > 1 {
		k.groups /= 2
	}
	for bytes() > maxShared && k.slots > 1 {
		k.slots /= 2
	}
	if bytes() > maxShared {
		refuse("rows of %d numbers in shared memory", k.stage)
	}
}

// fn is an entry point being written.
type fn struct {
	*kernel
	params []string
	args   []Arg
	known  map[string]bool // parameters, and names declared once a thread

	once, row, end code      // of a thread: before its rows, for a row, after them
	edges          *edgeLoop // being written

	names     map[number]string
	indices   map[*elems]string
	declared  map[string]bool // of the row
	staged    map[rowOf]bool
	pending   map[number]func() // names what is read from memory, if it is
	registers int
	done      *code  // being written: what is done when the edges of a type are over
	doneAt    string // C for the position after them
	rowAt     string // the place of the row in the order of degrees; empty if it is the row
}

func (k *kernel) newFn(depth int) *fn {
	f := &fn{
		kernel: k, known: make(map[string]bool),
		names: make(map[number]string), indices: make(map[*elems]string),
		declared: make(map[string]bool), staged: make(map[rowOf]bool), pending: make(map[number]func()),
	}
	f.once.depth, f.row.depth, f.end.depth = 1, depth, 1
	return f
}

// param adds a parameter once, and returns its name.
func (f *fn) param(a Arg, declaration, name string) string {
	if !f.known[name] {
		f.known[name] = true
		f.params = append(f.params, declaration)
		f.args = append(f.args, a)
	}
	return name
}

func (f *fn) count(name string, c Count) string {
	return f.param(Arg{Kind: CountArg, Count: c}, "int "+name, name)
}

func (f *fn) seed() string {
	return f.param(Arg{Kind: SeedArg}, "const u64 *AST_RESTRICT seed", "seed")
}

func (f *fn) workspace(region int) string {
	name, of := fmt.Sprintf("w%d", region), "T"
	if f.out.Regions[region].Type == ir.I32 {
		of = "int"
	}
	return f.param(Arg{Kind: WorkspaceArg, Index: region}, of+" *AST_RESTRICT "+name, name)
}

// array is the name of the parameter for an array of the graph.
func (f *fn) array(a Array) string {
	name := arrayNames[a.Name]
	if a.Name < TypeOf && a.Dir != f.dir { // for degrees
		name += "_" + a.Dir.String()
	}
	if a.Name >= TypeOf {
		name += "_" + a.Res.String()
	}
	return f.param(Arg{Kind: ArrayArg, Array: a}, "const int *AST_RESTRICT "+name, name)
}

var arrayNames = [...]string{
	Offsets: "offsets", Neighbors: "neighbors", EdgeIDs: "ids", EdgeTypes: "types", Across: "across", Order: "order",
	HubFirst: "hub_first", ChunkHub: "chunk_hub", ChunkBegin: "chunk_begin",
	TypeOf: "type_of", ByType: "by_type", End: "end",
}

// writes tells whether the kernel stores to a buffer.
func (k *kernel) writes(b *plan.Buffer) bool {
	to := func(s plan.Store) bool { return s.Buffer == b }
	return slices.ContainsFunc(k.spec.Stores, to) ||
		slices.ContainsFunc(k.spec.Loops, func(l *plan.Loop) bool { return slices.ContainsFunc(l.Stores, to) })
}

// r is C for the row.
func (f *fn) r() string {
	if f.rowAt != "" {
		f.declareIn("r", fmt.Sprintf("%s[%s]", f.array(Array{Name: Order, Dir: f.dir}), f.rowAt))
	}
	return "r"
}

// mask names the lanes of a slot, groupMask those of a group.
func (f *fn) mask() string { return f.maskOf("lanes", f.lanes) }

func (f *fn) groupMask() string { return f.maskOf("group", f.threads()) }

func (f *fn) maskOf(what string, n int) string {
	if n >= warp {
		return "0xffffffffu"
	}
	return f.onceNamed(what+"_mask", "const u32", fmt.Sprintf("0x%xu << (threadIdx.x & %du)", 1<<n-1, warp-n))
}

// sync is C that makes what the lanes of a slot wrote visible to them.
func (f *fn) sync() string {
	if f.lanes > warp {
		return "__syncthreads();"
	}
	return fmt.Sprintf("__syncwarp(%s);", f.mask())
}

// items says what a launch iterates over: item number name, below count; if there
// are partial sums, each group takes several.
type items struct {
	name, from, count string
}

// finish writes the entry point, if it does anything, and adds the launch.
func (f *fn) finish(part string, over items, grid Count) {
	if f.row.b.Len() == 0 && f.sumSize == 0 {
		return
	}
	name := f.entry(part)
	var t code
	text := f.once.b.String() + f.row.b.String() + f.end.b.String()
	t.line("")
	t.open("AST_KERNEL(%s)(%s)", name, strings.Join(f.params, ", "))
	if strings.Contains(text, "lane") {
		t.line("const int lane = threadIdx.x %% %d;", f.lanes)
	}
	if f.slots > 1 && (strings.Contains(text, "slot") || strings.Contains(text, "stage")) {
		t.line("const int slot = threadIdx.x / %d %% %d;", f.lanes, f.slots)
	}
	t.line("const int group = threadIdx.x / %d;", f.threads())
	if strings.Contains(text, "stage") {
		slot := "group"
		if f.slots > 1 {
			slot = fmt.Sprintf("group * %d + slot", f.slots)
		}
		t.line("AST_SHARED T shared[%d];", max(f.groups*f.slots*f.stage, 1)) // rows of no columns need nothing, but have an address
		t.line("T *const stage = shared + (%s) * %d;", slot, f.stage)
	}
	t.add(&f.once)
	first := fmt.Sprintf("%sblockIdx.x * %d + group", over.from, f.groups)
	if f.sumSize > 0 {
		t.open("for (int %[1]s = %[2]s; %[1]s < %[3]s; %[1]s += gridDim.x * %[4]d)", over.name, first, over.count, f.groups)
		t.add(&f.row)
		t.close()
		t.add(&f.end)
	} else {
		t.line("const int %s = %s;", over.name, first)
		t.line("if (%s >= %s) return;", over.name, over.count)
		t.add(&f.row)
	}
	t.close()
	f.unit.WriteString(t.b.String())
	f.out.Launches = append(f.out.Launches, Launch{Name: name, Grid: grid, Block: f.block(), Args: f.args})
}

// depth is that of the text of a row.
func (k *kernel) depth() int {
	if k.sumSize > 0 {
		return 2
	}
	return 1
}

// grid is the blocks for so many items, and notes those whose groups have partial
// sums.
func (k *kernel) grid(t Term) (grid, before Count) {
	t.Per = k.groups
	if k.sumSize > 0 {
		t.Max = max(min(maxGroups, maxSums/k.sumSize)/k.partials(), 1)
		before = k.slices
		k.slices = append(slices.Clone(k.slices), t)
	}
	return Count{t}, before
}

// launchRows writes the entry point for all rows but hubs.
func (k *kernel) launchRows() {
	grid, before := k.grid(Term{Of: Rows, Res: k.spec.Rows})
	f := k.newFn(k.depth())
	over := items{name: "r", count: f.count("rows", Count{{Of: Rows, Res: k.spec.Rows}})}
	if len(k.spec.Loops) > 0 {
		over.name, over.from = "p", f.count("hubs", Count{{Of: Hubs, Dir: k.dir}})+" + "
		f.rowAt = "p"
	}
	f.beginSums(before)
	for i := range k.spec.Loops {
		offsets := f.array(Array{Name: Offsets, Dir: k.dir})
		f.declareIn("begin", fmt.Sprintf("%s[%s]", offsets, f.r()))
		f.declareIn("end", fmt.Sprintf("%s[%s + 1]", offsets, f.r()))
		n := f.nests[-scope(i+1)]
		f.beginParts(&f.row, n, "begin")
		all := f.loop(i, n)
		f.endParts(&f.row, n, all, "end")
		complete(&f.row, all, "begin < end")
		for _, a := range f.ofRows(i, all) {
			f.result(a, "begin < end")
		}
	}
	f.endRow()
	f.endSums()
	f.finish("", over, grid)
}

// endRow writes what follows the loops of a row.
func (f *fn) endRow() {
	for _, s := range f.sums {
		if s.scope == rowScope {
			f.sum(s)
		}
	}
	for i := range f.spec.Stores {
		s := &f.spec.Stores[i]
		if f.partScope(s.Value) == rowScope && !f.isWinner(s.Value) {
			f.store(rowScope, s.Value, s.Buffer, f.covers[s])
		}
	}
}
