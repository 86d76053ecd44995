//go:build amd64 && !noasm

// Arguments of maxima: kept beside the largest, looked for, and selected by.

#include "textflag.h"
#include "gather_amd64.h"

// ARGMAX takes the 8 columns at mem into the largest m and their ids arg; the row's id
// is in Y15. It wins if it is larger; if it is the first NaN; or, where both are equal
// or both NaN, if its id is below, taken as unsigned: -1, nobody's, is above all.
#define ARGMAX(mem, m, arg) \
	VMOVUPS   mem, Y8             \
	VCMPPS    $0x1E, m, Y8, Y9    \
	VCMPPS    $3, Y8, Y8, Y10     \
	VCMPPS    $3, m, m, Y11       \
	VCMPPS    $8, m, Y8, Y12      \
	VPMINUD   arg, Y15, Y13       \
	VPCMPEQD  Y13, Y15, Y13       \
	VPAND     Y13, Y12, Y12       \
	VPXOR     Y10, Y11, Y13       \
	VPANDN    Y12, Y13, Y12       \
	VPANDN    Y10, Y11, Y11       \
	VPOR      Y12, Y9, Y9         \
	VPOR      Y11, Y9, Y9         \
	VBLENDVPS Y9, Y8, m, m        \
	VBLENDVPS Y9, Y15, arg, arg

// func gatherArgMaxAVX2(best *float32, arg *int32, width int, x *float32, stride int, rows, ids *int32, n int)
TEXT ·gatherArgMaxAVX2(SB), NOSPLIT, $0-64
	MOVQ best+0(FP), DI
	MOVQ arg+8(FP), BX
	MOVQ width+16(FP), CX
	MOVQ x+24(FP), SI
	MOVQ stride+32(FP), R8
	MOVQ rows+40(FP), R9
	MOVQ ids+48(FP), R11
	MOVQ n+56(FP), R10
	SHLQ $2, R8
	SUBQ $16, CX
	JLT  eight

sixteen:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVDQU (BX), Y2
	VMOVDQU 32(BX), Y3
	XORQ    AX, AX

row16:
	ROW
	VPBROADCASTD (R11)(AX*4), Y15
	ARGMAX((DX), Y0, Y2)
	ARGMAX(32(DX), Y1, Y3)
	INCQ AX
	CMPQ AX, R10
	JLT  row16

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVDQU Y2, (BX)
	VMOVDQU Y3, 32(BX)
	ADDQ    $64, DI
	ADDQ    $64, BX
	ADDQ    $64, SI
	SUBQ    $16, CX
	JGE     sixteen

eight:
	ADDQ $16, CX
	JEQ  done
	VMOVUPS (DI), Y0
	VMOVDQU (BX), Y2
	XORQ    AX, AX

row8:
	ROW
	VPBROADCASTD (R11)(AX*4), Y15
	ARGMAX((DX), Y0, Y2)
	INCQ AX
	CMPQ AX, R10
	JLT  row8

	VMOVUPS Y0, (DI)
	VMOVDQU Y2, (BX)

done:
	VZEROUPPER
	RET

// An edge is written to found in any case, and counted if it is a winner. Of 8 columns or
// more; the last 8 are looked at apart if there are not 8 times as many.
// func findWinnersAVX2(found, arg *int32, width int, rows, ids *int32, n, ahead int) int
TEXT ·findWinnersAVX2(SB), NOSPLIT, $0-64
	MOVQ found+0(FP), DI
	MOVQ arg+8(FP), SI
	MOVQ width+16(FP), R8
	MOVQ rows+24(FP), R9
	MOVQ ids+32(FP), R13
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	SHLQ $2, R8
	MOVQ R8, R12
	ANDQ $~31, R12
	XORQ AX, AX
	XORQ BX, BX

edge:
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH4

near:
	ROW
	VPBROADCASTD (R13)(AX*4), Y15
	VPXOR        Y0, Y0, Y0
	CMPQ         R8, R12
	JEQ          eights
	VPCMPEQD     -32(DX)(R8*1), Y15, Y0

eights:
	MOVQ         R12, CX
	TESTQ        $32, CX
	JEQ          pairs
	VPCMPEQD     (DX), Y15, Y1
	VPOR         Y1, Y0, Y0
	ADDQ         $32, DX
	SUBQ         $32, CX
	JEQ          count

pairs:
	VPCMPEQD (DX), Y15, Y1
	VPCMPEQD 32(DX), Y15, Y2
	VPOR     Y1, Y2, Y1
	VPOR     Y1, Y0, Y0
	ADDQ     $64, DX
	SUBQ     $64, CX
	JNE      pairs

count:
	MOVL  AX, (DI)(BX*4)
	XORQ  DX, DX
	VPTEST Y0, Y0
	SETNE DX
	ADDQ  DX, BX
	INCQ  AX
	CMPQ  AX, R10
	JLT   edge
	MOVQ  BX, ret+56(FP)
	VZEROUPPER
	RET

// Of whole vectors of columns, each of which makes a byte of a mask.
// func markWinnersAVX2(masks *uint64, words int, arg *int32, width int, rows, ids *int32, n int)
TEXT ·markWinnersAVX2(SB), NOSPLIT, $0-56
	MOVQ masks+0(FP), DI
	MOVQ words+8(FP), R12
	MOVQ arg+16(FP), SI
	MOVQ width+24(FP), R8
	MOVQ rows+32(FP), R9
	MOVQ ids+40(FP), R13
	MOVQ n+48(FP), R10
	MOVQ R8, R14
	SHRQ $3, R14
	SHLQ $2, R8
	SHLQ $3, R12
	XORQ AX, AX

edge:
	ROW
	VPBROADCASTD (R13)(AX*4), Y15
	XORQ         CX, CX

eight:
	VPCMPEQD  (DX), Y15, Y0
	VMOVMSKPS Y0, BX
	MOVB      BX, (DI)(CX*1)
	ADDQ      $32, DX
	INCQ      CX
	CMPQ      CX, R14
	JLT       eight

	ADDQ R12, DI
	INCQ AX
	CMPQ AX, R10
	JLT  edge
	VZEROUPPER
	RET

// Of 8 columns or more, of which the last 8 are written last.
// func gatherWinnersAVX2(dst, y *float32, arg *int32, width int, yRows, rows, ids *int32, n int)
TEXT ·gatherWinnersAVX2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ y+8(FP), BX
	MOVQ arg+16(FP), SI
	MOVQ width+24(FP), R8
	MOVQ yRows+32(FP), R11
	MOVQ rows+40(FP), R9
	MOVQ ids+48(FP), R13
	MOVQ n+56(FP), R10
	SHLQ $2, R8
	LEAQ -32(R8), R14
	XORQ AX, AX

edge:
	ROW
	MOVLQSX      (R11)(AX*4), R12
	IMULQ        R8, R12
	ADDQ         BX, R12
	VPBROADCASTD (R13)(AX*4), Y15
	XORQ         CX, CX

eight:
	VPCMPEQD (DX)(CX*1), Y15, Y0
	VANDPS   (R12)(CX*1), Y0, Y0
	VMOVUPS  Y0, (DI)(CX*1)
	ADDQ     $32, CX
	CMPQ     CX, R14
	JLE      eight
	CMPQ     CX, R8
	JEQ      next
	MOVQ     R14, CX
	JMP      eight

next:
	ADDQ     R8, DI
	INCQ     AX
	CMPQ     AX, R10
	JLT      edge
	VZEROUPPER
	RET
