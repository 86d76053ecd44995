// Gradients of activations that need no function, for both types: g is in Y0, x or y in Y1.

#include "loops_amd64.h"
#include "vec256_amd64.h"

NUMBER(one<>, $0x3F800000, $0x3FF0000000000000)  // 1
NUMBER(sign<>, $0x80000000, $0x8000000000000000) // the sign bit

// Y14 is zeros, Y15 and Y13 the scalars of each.
#define GATE \
	VCMPP   $0x12, Y14, Y1, Y2 \
	VANDNPS Y0, Y2, Y0

#define GATELEAKY \
	VCMPP     $0x1E, Y14, Y1, Y2 \
	VMULP     Y15, Y0, Y4        \
	VBLENDVPS Y2, Y0, Y4, Y0

#define ELUGRAD \
	VADDP     Y15, Y1, Y2        \
	VMULP     Y0, Y2, Y2         \
	VCMPP     $0x1E, Y14, Y1, Y4 \
	VBLENDVPS Y4, Y0, Y2, Y0

#define TANHGRAD \
	VMOVAPS     Y15, Y2    \
	VFNMADD231P Y1, Y1, Y2 \
	VMULP       Y2, Y0, Y0

#define SIGMOIDGRAD \
	VSUBP Y1, Y15, Y2 \
	VMULP Y1, Y2, Y2  \
	VMULP Y2, Y0, Y0

#define SQRTGRAD \
	VADDP Y1, Y1, Y1 \
	VDIVP Y1, Y0, Y0

// Where x is 0 or NaN, so is the result.
#define ABSGRAD \
	VANDPS    Y15, Y1, Y2     \
	VXORPS    Y0, Y2, Y2      \
	VCMPP     $8, Y14, Y1, Y4 \
	VBLENDVPS Y4, Y1, Y2, Y0

#define CLAMPGRAD \
	VCMPP  $0x1D, Y15, Y1, Y2 \
	VCMPP  $0x12, Y13, Y1, Y4 \
	VANDPS Y4, Y2, Y2         \
	VANDPS Y0, Y2, Y0
