package cpu

// Random programs of the family of attention against the interpreter.

import (
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// checkScores runs a program of a seed as it is, as the passes leave it, and its halves for training.
func checkScores(t testing.TB, seed uint64) {
	r := rand.New(rng.NewStream(seed, 79))
	bipartite := r.IntN(4) == 0
	training := r.IntN(3) > 0
	p, e := pass.DCE(irtest.Scores(r, bipartite, training)), randomGraph(r, bipartite)
	if r.IntN(4) == 0 {
		e = random("larger", r, 120, 120, 1500, bipartite)
	}
	if !training {
		mustAgree(t, p, e, seed)
	} else {
		forward, backward, _ := pass.Training(p, pass.Options{Want: func(string) bool { return true }})
		mustAgree(t, forward, e, seed)
		mustAgree(t, backward, e, seed)
	}
}

func TestRandomScoresAgreeWithTheInterpreter(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		checkScores(t, seed)
	}
}

func FuzzScoresAgreeWithTheInterpreter(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { checkScores(t, seed) })
}
