// Systems take turns at one case.

package harness

import (
	"slices"
	"time"
)

// A Contender is one system, set up for one case. It is fresh: nothing has run.
type Contender struct {
	// Run does the work reps times and returns the time it took.
	Run func(reps int) (time.Duration, error)
	// Output does the work once, or for stateful work a few times, and returns
	// what came out. It is called at most once, before Run.
	Output func() ([]float32, error)
	// Spin is for how long its threads look for more work after a run, if that is longer than
	// Timing.Settle: who comes next would share the cores with them, so all pauses of the comparison are as long.
	Spin time.Duration
}

// InProcess is the contender that calls work, and whose output is what result
// returns.
func InProcess(work func(), result func() []float32) Contender {
	return Contender{
		Run: func(reps int) (time.Duration, error) {
			start := time.Now()
			for range reps {
				work()
			}
			return time.Since(start), nil
		},
		Output: func() ([]float32, error) { return result(), nil },
	}
}

// RepeatTimed is the Run of a contender whose work needs a preparation that is
// not to be timed.
func RepeatTimed(prepare func(), work func() error) func(int) (time.Duration, error) {
	return func(reps int) (total time.Duration, err error) {
		for range reps {
			prepare()
			start := time.Now()
			if err := work(); err != nil {
				return 0, err
			}
			total += time.Since(start)
		}
		return total, nil
	}
}

// Timing says how a comparison is run.
type Timing struct {
	Rounds int
	Sample time.Duration // at least this long, by repetition
	Settle time.Duration // pause before a sample: idle threads of the other side spin for a while
	Budget time.Duration // of a whole comparison; slow ones make do with fewer rounds

	// Long repetitions, from this time on, warm up while they are measured: a
	// sample has no others before it. 0 for none.
	Long time.Duration

	// Load starts to measure how many cores others keep busy; what it returns
	// gives the result, negative if unknown.
	Load func() func() float64
}

const (
	minRounds = 3   // whatever the budget
	calm      = 0.2 // cores: a round with more load than this is taken again
	patience  = 3   // as many times the rounds wanted, at most, are run to find calm ones
)

// A lane is a contender with what was measured of it.
type lane struct {
	Contender
	reps    int           // in a sample
	once    time.Duration // about, of one repetition
	seconds []float64     // a repetition's, round by round
}

// calibrate warms up and finds how many repetitions fill a sample.
func (t Timing) calibrate(c Contender) (*lane, error) {
	l := &lane{Contender: c, reps: 1}
	if _, err := c.Run(1); err != nil { // compiles, allocates, fills caches
		return nil, err
	}
	for {
		d, err := c.Run(l.reps)
		if err != nil {
			return nil, err
		}
		l.once = max(d/time.Duration(l.reps), 1)
		if d >= t.Sample {
			return l, nil
		}
		// A fifth more than needed, but no leap from a time too short to trust.
		l.reps = min(int(t.Sample*6/5/l.once)+1, 10*l.reps)
	}
}

// sampleOf takes one sample of l, after a pause. As many repetitions come before it: after the
// pause threads sleep, memory has gone back to the system and caches hold the
// other side's data, none of which a training loop sees.
func (t Timing) sampleOf(l *lane, pause time.Duration) error {
	time.Sleep(pause)
	if !t.long(l) {
		if _, err := l.Run(l.reps); err != nil {
			return err
		}
	}
	d, err := l.Run(l.reps)
	if err != nil {
		return err
	}
	l.seconds = append(l.seconds, d.Seconds()/float64(l.reps))
	return nil
}

// long tells whether a repetition needs no warm-up.
func (t Timing) long(l *lane) bool { return t.Long > 0 && l.once >= t.Long }

// Measurement is what rounds of samples gave.
type Measurement struct {
	Seconds   [][]float64 // of a repetition, for each contender in each round
	Load      float64     // median of the rounds' other load in cores; negative if unknown
	Disturbed bool        // there were not enough calm rounds
}

// Measure times contenders in turns. Who goes first alternates. Rounds that
// others disturb are left out, if enough calm ones come in time.
func (t Timing) Measure(contenders ...Contender) (Measurement, error) {
	pause := t.Settle // after whichever of them ran last, be it for its Output
	for _, c := range contenders {
		pause = max(pause, c.Spin)
	}
	var lanes []*lane
	var round time.Duration // what one takes
	for _, c := range contenders {
		time.Sleep(pause) // or repetitions seem long, and too few fill a sample
		l, err := t.calibrate(c)
		if err != nil {
			return Measurement{}, err
		}
		lanes = append(lanes, l)
		samples := 2
		if t.long(l) {
			samples = 1
		}
		round += pause + time.Duration(samples*l.reps)*l.once
	}
	affordable := max(minRounds, int(t.Budget/max(round, 1)))
	want := min(t.Rounds, affordable)
	var loads []float64
	var quiet []int // rounds
	for i := 0; i < min(patience*want, affordable) && len(quiet) < want; i++ {
		load := t.Load()
		for _, l := range lanes {
			if err := t.sampleOf(l, pause); err != nil {
				return Measurement{}, err
			}
		}
		slices.Reverse(lanes)
		if loads = append(loads, load()); loads[i] <= calm {
			quiet = append(quiet, i)
		}
	}
	if len(loads)%2 == 1 {
		slices.Reverse(lanes)
	}
	m := Measurement{Disturbed: len(quiet) < min(minRounds, want)}
	keep := func(xs []float64) (kept []float64) {
		for _, i := range quiet {
			kept = append(kept, xs[i])
		}
		return kept
	}
	if m.Disturbed {
		keep = slices.Clone
	}
	for _, l := range lanes {
		m.Seconds = append(m.Seconds, keep(l.seconds))
	}
	m.Load = Median(keep(loads))
	return m, nil
}
