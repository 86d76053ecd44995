// One text for float32 and float64: instructions by their names without the last letter,
// which the type gives. Files of float64 define DOUBLE before they include anything. What
// only moves, masks or chooses bits is written with the names for float32 in both.

#ifndef SIZELOG

// SPLAT defines 16 lanes of one number of 32 bits, local to the file.
#define SPLAT(name, bits) \
	DATA name+0(SB)/4, bits  \
	DATA name+4(SB)/4, bits  \
	DATA name+8(SB)/4, bits  \
	DATA name+12(SB)/4, bits \
	DATA name+16(SB)/4, bits \
	DATA name+20(SB)/4, bits \
	DATA name+24(SB)/4, bits \
	DATA name+28(SB)/4, bits \
	DATA name+32(SB)/4, bits \
	DATA name+36(SB)/4, bits \
	DATA name+40(SB)/4, bits \
	DATA name+44(SB)/4, bits \
	DATA name+48(SB)/4, bits \
	DATA name+52(SB)/4, bits \
	DATA name+56(SB)/4, bits \
	DATA name+60(SB)/4, bits \
	GLOBL name(SB), RODATA|NOPTR, $64

// SPLAT64 defines 8 lanes of one number of 64 bits.
#define SPLAT64(name, bits) \
	DATA name+0(SB)/8, bits  \
	DATA name+8(SB)/8, bits  \
	DATA name+16(SB)/8, bits \
	DATA name+24(SB)/8, bits \
	DATA name+32(SB)/8, bits \
	DATA name+40(SB)/8, bits \
	DATA name+48(SB)/8, bits \
	DATA name+56(SB)/8, bits \
	GLOBL name(SB), RODATA|NOPTR, $64

#ifdef DOUBLE

// SIZELOG is the size of an element, as a logarithm; VECTOR is how many Y registers hold.
#define SIZELOG 3
#define SIZE 8
#define VECTOR 4

// NUMBER is SPLAT of the type, with the bits of the number in either.
#define NUMBER(name, single, double) SPLAT64(name, double)

#define VADDP VADDPD
#define VSUBP VSUBPD
#define VMULP VMULPD
#define VDIVP VDIVPD
#define VMAXP VMAXPD
#define VMINP VMINPD
#define VSQRTP VSQRTPD
#define VHADDP VHADDPD
#define VCMPP VCMPPD
#define VFMADD213P VFMADD213PD
#define VFMADD231P VFMADD231PD
#define VFNMADD231P VFNMADD231PD
#define VFMSUB213P VFMSUB213PD
#define VBLENDVP VBLENDVPD
#define VPSLL VPSLLQ
#define VPSRL VPSRLQ
#define VPADD VPADDQ
#define VBROADCASTS VBROADCASTSD
#define VMOVMSKP VMOVMSKPD
#define VMOVS VMOVSD
#define VADDS VADDSD
#define VMAXS VMAXSD
#define VMINS VMINSD

// FOLDLANES combines the lanes of y, whose lower half is x, by P, and by S in the end, into the
// lowest lane of x; t is scratch.
#define FOLDLANES(P, S, y, x, t) \
	VEXTRACTF128 $1, y, t \
	P            t, x, x  \
	VUNPCKHPD    x, x, t  \
	S            t, x, x

#else

#define SIZELOG 2
#define SIZE 4
#define VECTOR 8

#define NUMBER(name, single, double) SPLAT(name, single)

#define VADDP VADDPS
#define VSUBP VSUBPS
#define VMULP VMULPS
#define VDIVP VDIVPS
#define VMAXP VMAXPS
#define VMINP VMINPS
#define VSQRTP VSQRTPS
#define VHADDP VHADDPS
#define VCMPP VCMPPS
#define VFMADD213P VFMADD213PS
#define VFMADD231P VFMADD231PS
#define VFNMADD231P VFNMADD231PS
#define VFMSUB213P VFMSUB213PS
#define VBLENDVP VBLENDVPS
#define VPSLL VPSLLD
#define VPSRL VPSRLD
#define VPADD VPADDD
#define VBROADCASTS VBROADCASTSS
#define VMOVMSKP VMOVMSKPS
#define VMOVS VMOVSS
#define VADDS VADDSS
#define VMAXS VMAXSS
#define VMINS VMINSS

#define FOLDLANES(P, S, y, x, t) \
	VEXTRACTF128 $1, y, t \
	P            t, x, x  \
	VMOVHLPS     x, x, t  \
	P            t, x, x  \
	VMOVSHDUP    x, t     \
	S            t, x, x

#endif
#endif
