//go:build amd64 && !noasm

// Attention with AVX2: the assembly, and which of it takes a block.

package kern

// block256 sums up a block of so many vectors.
func (p *attendWalk) block256(way attendWay, vectors int) {
	switch way {
	case attendingAlone:
		switch vectors {
		case 1:
			attendAloneOneAVX2(p)
		case 2:
			attendAloneTwoAVX2(p)
		case 4:
			attendAloneFourAVX2(p)
		case 8:
			attendAloneEightAVX2(p)
		case blocksOfRows:
			attendAloneWideAVX2(p)
		}
	case attendingOnce:
		switch vectors {
		case 1:
			attendOnceOneAVX2(p)
		case 2:
			attendOnceTwoAVX2(p)
		case 4:
			attendOnceFourAVX2(p)
		case 8:
			attendOnceEightAVX2(p)
		case blocksOfRows:
			attendOnceWideAVX2(p)
		}
	case attendingTwice:
		switch vectors {
		case 1:
			attendTwiceOneAVX2(p)
		case 2:
			attendTwiceTwoAVX2(p)
		case 4:
			attendTwiceFourAVX2(p)
		case blocksOfRows:
			attendTwiceWideAVX2(p)
		}
	case attendingBack:
		switch vectors {
		case 1:
			attendBackOneAVX2(p)
		case 2:
			attendBackTwoAVX2(p)
		case 4:
			attendBackFourAVX2(p)
		case 8:
			attendBackEightAVX2(p)
		case blocksOfRows:
			attendBackWideAVX2(p)
		}
	}
}

//go:noescape
func attendPairsAVX2(a *powering)

//go:noescape
func attendQuadsAVX2(a *powering)

//go:noescape
func attendFactorsAVX2(a *factoring)

//go:noescape
func attendForwardRowsAVX2(a *attendWalk)

//go:noescape
func attendBackRowsAVX2(a *attendWalk)

//go:noescape
func attendTotalsAVX2(a *attendWalk)

//go:noescape
func attendAloneOneAVX2(a *attendWalk)

//go:noescape
func attendAloneTwoAVX2(a *attendWalk)

//go:noescape
func attendAloneFourAVX2(a *attendWalk)

//go:noescape
func attendAloneEightAVX2(a *attendWalk)

//go:noescape
func attendAloneWideAVX2(a *attendWalk)

//go:noescape
func attendOnceOneAVX2(a *attendWalk)

//go:noescape
func attendOnceTwoAVX2(a *attendWalk)

//go:noescape
func attendOnceFourAVX2(a *attendWalk)

//go:noescape
func attendOnceEightAVX2(a *attendWalk)

//go:noescape
func attendOnceWideAVX2(a *attendWalk)

//go:noescape
func attendTwiceOneAVX2(a *attendWalk)

//go:noescape
func attendTwiceTwoAVX2(a *attendWalk)

//go:noescape
func attendTwiceFourAVX2(a *attendWalk)

//go:noescape
func attendTwiceWideAVX2(a *attendWalk)

//go:noescape
func attendBackOneAVX2(a *attendWalk)

//go:noescape
func attendBackTwoAVX2(a *attendWalk)

//go:noescape
func attendBackFourAVX2(a *attendWalk)

//go:noescape
func attendBackEightAVX2(a *attendWalk)

//go:noescape
func attendBackWideAVX2(a *attendWalk)
