package render

// Loops over the edges of a row. Loads come before everything else, those of several
// edges at once: a thread has them all in flight before it waits for one.

import "fmt"

// edgeLoop is the text of a loop. What is loaded is indexed by q, the edge of the
// round, if a round has several.
type edgeLoop struct {
	declared, loads, body code
	at                    string // C for the position of the edge, for loads
	unroll                int
	names                 map[string]string // of what belongs to the edge
}

// load writes a load, and returns what reads it.
func (l *edgeLoop) load(of, name, text string) string {
	if l.unroll == 1 {
		l.loads.line("const %s %s = %s;", of, name, text)
		return name
	}
	l.declared.line("%s %s[%d];", of, name, l.unroll)
	l.loads.line("%s[q] = %s;", name, text)
	return name + "[q]"
}

// begin starts the text of loop i.
func (f *fn) beginLoop(i int) *edgeLoop {
	l := &edgeLoop{at: "at", unroll: f.unroll, names: make(map[string]string)}
	for key := range f.stageAt {
		if key.scope == scope(i+1) { // lanes wait for each other at every edge
			l.unroll = 1
		}
	}
	depth := f.row.depth + 1
	if l.unroll > 1 {
		l.at = "e"
		depth++
	}
	l.declared.depth, l.loads.depth, l.body.depth = f.row.depth+1, depth, depth
	if l.unroll > 1 {
		l.body.depth++
	}
	f.edges = l
	return l
}

// endLoop writes the loop, over the edges from begin to end.
func (f *fn) endLoop(l *edgeLoop) {
	f.edges = nil
	if l.body.b.Len() == 0 {
		return
	}
	t := &f.row
	from := "begin"
	if f.slots > 1 {
		from = "begin + slot"
	}
	step := func(n int) string {
		if n == 1 {
			return "at++"
		}
		return fmt.Sprintf("at += %d", n)
	}
	t.open("for (int at = %s; at < end; %s)", from, step(f.slots*l.unroll))
	if l.unroll == 1 {
		t.add(&l.loads)
		t.add(&l.body)
		t.close()
		return
	}
	round := fmt.Sprintf("for (int q = 0; q < %d; q++)", l.unroll)
	on := linear("q", f.slots, 0)
	if l.loads.b.Len() > 0 {
		t.add(&l.declared)
		t.line("AST_UNROLL")
		t.open("%s", round)
		t.line("const int e = at + %[1]s < end ? at + %[1]s : end - 1;", on)
		t.add(&l.loads)
		t.close()
	}
	t.line("AST_UNROLL")
	t.open("%s", round)
	t.open("if (at + %s < end)", on)
	t.add(&l.body)
	t.close()
	t.close()
	t.close()
}

// loop writes loop i with what it reduces, sums and stores. If its edges are of
// several types, n says what is done between them; it may be nil.
func (f *fn) loop(i int, n *nest) []*accumulator {
	spec, s := f.spec.Loops[i], scope(i+1)
	all := f.accumulators(i)
	l := f.beginLoop(i)
	if n != nil {
		at := "at"
		if l.unroll > 1 {
			at = "at + q"
		}
		f.nextPart(&l.body, n, all, f.edgeType(), at)
	}
	for _, a := range all {
		f.take(a, s)
	}
	for _, t := range f.sums {
		if t.scope == s {
			f.sum(t)
		}
	}
	for j := range spec.Stores {
		f.store(s, spec.Stores[j].Value, spec.Stores[j].Buffer, f.covers[&spec.Stores[j]])
	}
	for _, a := range all {
		a.declare(&f.row)
	}
	f.endLoop(l)
	f.mergeSlots(&f.row, all)
	return all
}
