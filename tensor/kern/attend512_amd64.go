//go:build amd64 && !noasm

// Attention with AVX-512: the assembly, and which of it takes a block.

package kern

// block512 sums up a block of so many vectors of 256 bits, more than one.
func (p *attendWalk) block512(way attendWay, vectors int) {
	switch way {
	case attendingAlone:
		switch vectors {
		case 2:
			attendAlone16AVX512(p)
		case 4:
			attendAlone32AVX512(p)
		case 8:
			attendAlone64AVX512(p)
		case 16:
			attendAlone128AVX512(p)
		case blocksOfRows:
			attendAloneWideAVX512(p)
		}
	case attendingOnce:
		switch vectors {
		case 2:
			attendOnce16AVX512(p)
		case 4:
			attendOnce32AVX512(p)
		case 8:
			attendOnce64AVX512(p)
		case 16:
			attendOnce128AVX512(p)
		case blocksOfRows:
			attendOnceWideAVX512(p)
		}
	case attendingTwice:
		switch vectors {
		case 2:
			attendTwice16AVX512(p)
		case 4:
			attendTwice32AVX512(p)
		case 8:
			attendTwice64AVX512(p)
		case 16:
			attendTwice128AVX512(p)
		case blocksOfRows:
			attendTwiceWideAVX512(p)
		}
	case attendingBack:
		switch vectors {
		case 2:
			attendBack16AVX512(p)
		case 4:
			attendBack32AVX512(p)
		case 8:
			attendBack64AVX512(p)
		case 16:
			attendBack128AVX512(p)
		case blocksOfRows:
			attendBackWideAVX512(p)
		}
	}
}

//go:noescape
func attendAlone16AVX512(a *attendWalk)

//go:noescape
func attendAlone32AVX512(a *attendWalk)

//go:noescape
func attendAlone64AVX512(a *attendWalk)

//go:noescape
func attendAlone128AVX512(a *attendWalk)

//go:noescape
func attendAloneWideAVX512(a *attendWalk)

//go:noescape
func attendOnce16AVX512(a *attendWalk)

//go:noescape
func attendOnce32AVX512(a *attendWalk)

//go:noescape
func attendOnce64AVX512(a *attendWalk)

//go:noescape
func attendOnce128AVX512(a *attendWalk)

//go:noescape
func attendOnceWideAVX512(a *attendWalk)

//go:noescape
func attendTwice16AVX512(a *attendWalk)

//go:noescape
func attendTwice32AVX512(a *attendWalk)

//go:noescape
func attendTwice64AVX512(a *attendWalk)

//go:noescape
func attendTwice128AVX512(a *attendWalk)

//go:noescape
func attendTwiceWideAVX512(a *attendWalk)

//go:noescape
func attendBack16AVX512(a *attendWalk)

//go:noescape
func attendBack32AVX512(a *attendWalk)

//go:noescape
func attendBack64AVX512(a *attendWalk)

//go:noescape
func attendBack128AVX512(a *attendWalk)

//go:noescape
func attendBackWideAVX512(p *attendWalk)
