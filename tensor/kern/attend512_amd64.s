//go:build amd64 && !noasm

// Attention over the edges of rows with AVX-512, as attend256_amd64.s has it: sums of up to 128
// columns, and second ones, are in registers.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "segments256_amd64.h"
#include "attend_amd64.h"
#include "walk512_amd64.h"
#include "attend512_amd64.h"

SPLAT(minusInfinity<>, $0xFF800000)
SPLAT(tiny<>, $0x0DA24260) // 1e-30: weights are e^-40 and more

// func attendAlone16AVX512(a *attendWalk)
TEXT ·attendAlone16AVX512(SB), NOSPLIT, $24-8
	ALONE(FIRST16, LINES16, NOTHING, ENDROW)

// func attendAlone32AVX512(a *attendWalk)
TEXT ·attendAlone32AVX512(SB), NOSPLIT, $24-8
	ALONE(FIRST32, LINES32, NOTHING, ENDROW)

// func attendAlone64AVX512(a *attendWalk)
TEXT ·attendAlone64AVX512(SB), NOSPLIT, $24-8
	ALONE(FIRST64, LINES64, NOTHING, ENDROW)

// func attendAlone128AVX512(a *attendWalk)
TEXT ·attendAlone128AVX512(SB), NOSPLIT, $24-8
	ALONE(FIRST128, LINES128, NOTHING, ENDROW)

// func attendAloneWideAVX512(a *attendWalk)
TEXT ·attendAloneWideAVX512(SB), NOSPLIT, $24-8
	ALONE(FIRST128, LINES128, KEEP, BLOCKSONCE)

// func attendOnce16AVX512(a *attendWalk)
TEXT ·attendOnce16AVX512(SB), NOSPLIT, $24-8
	TOLD(FIRST16, LINES16, NOTHING, ENDROW)

// func attendOnce32AVX512(a *attendWalk)
TEXT ·attendOnce32AVX512(SB), NOSPLIT, $24-8
	TOLD(FIRST32, LINES32, NOTHING, ENDROW)

// func attendOnce64AVX512(a *attendWalk)
TEXT ·attendOnce64AVX512(SB), NOSPLIT, $24-8
	TOLD(FIRST64, LINES64, NOTHING, ENDROW)

// func attendOnce128AVX512(a *attendWalk)
TEXT ·attendOnce128AVX512(SB), NOSPLIT, $24-8
	TOLD(FIRST128, LINES128, NOTHING, ENDROW)

// func attendOnceWideAVX512(a *attendWalk)
TEXT ·attendOnceWideAVX512(SB), NOSPLIT, $24-8
	TOLD(FIRST128, LINES128, KEEP, BLOCKSONCE)

// func attendTwice16AVX512(a *attendWalk)
TEXT ·attendTwice16AVX512(SB), NOSPLIT, $24-8
	TWOAROW(FIRST16, SECOND16, TWICE16, LINES16, NOTHING, ENDROW)

// func attendTwice32AVX512(a *attendWalk)
TEXT ·attendTwice32AVX512(SB), NOSPLIT, $24-8
	TWOAROW(FIRST32, SECOND32, TWICE32, LINES32, NOTHING, ENDROW)

// func attendTwice64AVX512(a *attendWalk)
TEXT ·attendTwice64AVX512(SB), NOSPLIT, $24-8
	TWOAROW(FIRST64, SECOND64, TWICE64, LINES64, NOTHING, ENDROW)

// func attendTwice128AVX512(a *attendWalk)
TEXT ·attendTwice128AVX512(SB), NOSPLIT, $24-8
	TWOAROW(FIRST128, SECOND128, TWICE128, LINES128, NOTHING, ENDROW)

// func attendTwiceWideAVX512(a *attendWalk)
TEXT ·attendTwiceWideAVX512(SB), NOSPLIT, $24-8
	TWOAROW(FIRST128, SECOND128, TWICE128, LINES128, KEEPBOTH, BLOCKSTWICE)

// func attendBack16AVX512(a *attendWalk)
TEXT ·attendBack16AVX512(SB), NOSPLIT, $24-8
	BACKROW(FIRST16, SECOND16, TWICE16, LINES16, NOTHING, NOTHING)

// func attendBack32AVX512(a *attendWalk)
TEXT ·attendBack32AVX512(SB), NOSPLIT, $24-8
	BACKROW(FIRST32, SECOND32, TWICE32, LINES32, NOTHING, NOTHING)

// func attendBack64AVX512(a *attendWalk)
TEXT ·attendBack64AVX512(SB), NOSPLIT, $24-8
	BACKROW(FIRST64, SECOND64, TWICE64, LINES64, NOTHING, NOTHING)

// func attendBack128AVX512(a *attendWalk)
TEXT ·attendBack128AVX512(SB), NOSPLIT, $24-8
	BACKROW(FIRST128, SECOND128, TWICE128, LINES128, NOTHING, NOTHING)

// func attendBackWideAVX512(a *attendWalk)
TEXT ·attendBackWideAVX512(SB), NOSPLIT, $24-8
	BACKROW(FIRST128, SECOND128, TWICE128, LINES128, KEEPBOTH, BLOCKSBACK)
