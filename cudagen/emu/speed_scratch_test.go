package emu_test
import ("testing";"time";"fmt";"sort";"github.com/asterias-ml/asterias/cudagen/emu")
func TestScratchSpeed(t *testing.T) {
	for _, races := range []bool{false,true} {
	p := compile(t, emu.Options{Races: races}, text(t,"reduce",""), text(t,"warps",""), text(t, "transpose", ""))
	x := emu.From(p, numbers(64*128)); out, pos := p.Buffer(4*64), p.Buffer(4*256)
	o2 := p.Buffer(4*256)
	big := emu.From(p, numbers(512*512)); bo := p.Buffer(4*512*512)
	for seed := range uint64(4) {
		p.SetSeed(seed)
		var a,b,c []float64
		for range 15 {
			s := time.Now(); launch(t,p,"reduce",dim(64),dim(128),emu.Ptr(x),emu.Ptr(out),emu.Int32(64*128)); a = append(a, time.Since(s).Seconds()*1e3)
			s = time.Now(); launch(t,p,"warps",dim(64),dim(128),emu.Ptr(x),emu.Ptr(o2),emu.Ptr(pos),emu.Int32(64*128)); b = append(b, time.Since(s).Seconds()*1e3)
			s = time.Now(); launch(t,p,"transpose",dim(16,16),dim(32,8),emu.Ptr(big),emu.Ptr(bo),emu.Int32(512),emu.Int32(512)); c = append(c, time.Since(s).Seconds()*1e3)
		}
		sort.Float64s(a); sort.Float64s(b); sort.Float64s(c)
		fmt.Printf("races %v seed %d: reduce %.2f warps %.2f transpose %.2f ms\n", races, seed, a[7], b[7], c[7])
	}
	}
}
