package cudagen_test

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/render"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestZZ(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("ZZ"))
	if n == 0 {
		t.Skip()
	}
	sys, _ := driver.Load()
	cache, err := driver.NewCubinCache(sys.Compiler, os.Getenv("ZZDIR"))
	if err != nil {
		t.Fatal(err)
	}
	work := make(chan uint64)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for seed := range work {
				c := irtest.New(seed)
				forward, _ := pass.Forward(c.Program, pass.Options{})
				f, back, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
				for _, p := range []*ir.Program{forward, f, back} {
					off := []string{plan.FuseRowProduct, plan.FuseRowOuter}
					if c.Seed%2 == 0 {
						off = append(off, plan.FuseEdgeProduct, plan.FuseEdgeOuter)
					}
					src, err := render.Render(plan.BuildWithout(p, off...), render.Options{Degree: 4})
					if err != nil {
						t.Error(err)
						continue
					}
					if _, err := cache.Compile(driver.Source{Name: p.Name + ".cu", Text: src.Text, Options: []string{"--std=c++17"}, SM: 90}); err != nil {
						t.Error(seed, err)
					}
				}
			}
		}()
	}
	for seed := range uint64(n) {
		work <- seed
		if seed%20 == 0 {
			fmt.Println(seed)
		}
	}
	close(work)
	wg.Wait()
}
