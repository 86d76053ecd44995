//go:build amd64 && !noasm

// From the shape of attention to its assembly: rows of several heads in blocks of them.

package kern

import "unsafe"

// blockOfHeads is how many heads are computed together, 128, 64, 32 or 16 columns; 0 if heads
// are no multiple of a number that can be.
func blockOfHeads(heads, width int) int {
	if heads < 2 || width%heads != 0 {
		return 0
	}
	head := width / heads
	for _, columns := range []int{2 * fullBlock, fullBlock, fullBlock / 2, fullBlock / 4} {
		for _, n := range []int{2, 4, 8} {
			if n*head == columns && heads%n == 0 {
				return n
			}
		}
	}
	return 0
}

// attendWay is forward, for rows alone (with AVX2), for what is told of them, or also for what
// backward wants, or backward.
type attendWay uint8

const (
	attendingAlone attendWay = iota
	attendingOnce
	attendingTwice
	attendingBack
)

// run computes attention, that of several heads a block after another.
func (p *attending) run(a *Attention[float32], way attendWay) {
	const size = int(unsafe.Sizeof(float32(0)))
	block, columns := max(blockOfHeads(a.Heads, a.Width), 1), a.Width/a.Heads
	p.xBytes, p.accBytes = a.Width*size, a.Width*size
	p.rowBytes, p.partBytes, p.twoParts, p.pickBytes = a.Heads*size, a.Heads*size, 2*a.Heads*size, a.Heads*size
	if way == attendingBack {
		p.pickBytes *= quad
	}
	for h := 0; h < a.Heads; h += block {
		b := *p
		for _, x := range []**float32{&b.x, &b.acc} {
			*x = (*float32)(unsafe.Add(unsafe.Pointer(*x), h*columns*size))
		}
		for _, x := range []**float32{&b.picked, &b.own, &b.most, &b.sums, &b.sums2} {
			if *x != nil {
				*x = (*float32)(unsafe.Add(unsafe.Pointer(*x), h*size))
			}
		}
		switch way {
		case attendingOnce:
			b.once(block, columns)
		case attendingTwice:
			b.twice(block, columns)
		case attendingBack:
			b.back(block, columns)
		}
	}
}

func (p *attending) once(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{1, 16}:
		segmentAttend16AVX512(p)
	case [2]int{1, 32}:
		segmentAttend32AVX512(p)
	case [2]int{1, 64}:
		segmentAttend64AVX512(p)
	case [2]int{1, 128}:
		segmentAttend128AVX512(p)
	case [2]int{8, 4}:
		segmentAttend8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttend4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttend2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttend8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttend4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttend2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttend8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttend4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttend2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttend8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttend4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttend2of64AVX512(p)
	}
}

func (p *attending) twice(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{1, 16}:
		segmentAttendTwice16AVX512(p)
	case [2]int{1, 32}:
		segmentAttendTwice32AVX512(p)
	case [2]int{1, 64}:
		segmentAttendTwice64AVX512(p)
	case [2]int{1, 128}:
		segmentAttendTwice128AVX512(p)
	case [2]int{8, 4}:
		segmentAttendTwice8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttendTwice4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttendTwice2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttendTwice8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttendTwice4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttendTwice2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttendTwice8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttendTwice4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttendTwice2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttendTwice8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttendTwice4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttendTwice2of64AVX512(p)
	}
}

func (p *attending) back(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{1, 16}:
		segmentAttendBack16AVX512(p)
	case [2]int{1, 32}:
		segmentAttendBack32AVX512(p)
	case [2]int{1, 64}:
		segmentAttendBack64AVX512(p)
	case [2]int{1, 128}:
		segmentAttendBack128AVX512(p)
	case [2]int{8, 4}:
		segmentAttendBack8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttendBack4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttendBack2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttendBack8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttendBack4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttendBack2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttendBack8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttendBack4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttendBack2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttendBack8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttendBack4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttendBack2of64AVX512(p)
	}
}

//go:noescape
func segmentAttend8of4AVX512(a *attending)

//go:noescape
func segmentAttend4of8AVX512(a *attending)

//go:noescape
func segmentAttend2of16AVX512(a *attending)

//go:noescape
func segmentAttend8of2AVX512(a *attending)

//go:noescape
func segmentAttend4of4AVX512(a *attending)

//go:noescape
func segmentAttend2of8AVX512(a *attending)

//go:noescape
func segmentAttend8of8AVX512(a *attending)

//go:noescape
func segmentAttend4of16AVX512(a *attending)

//go:noescape
func segmentAttend2of32AVX512(a *attending)

//go:noescape
func segmentAttend8of16AVX512(a *attending)

//go:noescape
func segmentAttend4of32AVX512(a *attending)

//go:noescape
func segmentAttend2of64AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of4AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of2AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of4AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of32AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of32AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of64AVX512(a *attending)

//go:noescape
func segmentAttendBack8of4AVX512(a *attending)

//go:noescape
func segmentAttendBack4of8AVX512(a *attending)

//go:noescape
func segmentAttendBack2of16AVX512(a *attending)

//go:noescape
func segmentAttendBack8of2AVX512(a *attending)

//go:noescape
func segmentAttendBack4of4AVX512(a *attending)

//go:noescape
func segmentAttendBack2of8AVX512(a *attending)

//go:noescape
func segmentAttendBack8of8AVX512(a *attending)

//go:noescape
func segmentAttendBack4of16AVX512(a *attending)

//go:noescape
func segmentAttendBack2of32AVX512(a *attending)

//go:noescape
func segmentAttendBack8of16AVX512(a *attending)

//go:noescape
func segmentAttendBack4of32AVX512(a *attending)

//go:noescape
func segmentAttendBack2of64AVX512(a *attending)
