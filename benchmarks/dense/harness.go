// Two systems take turns at one case.

package main

import (
	"slices"
	"time"
)

// A contender is one system, set up for one case. It is fresh: nothing has run.
type contender struct {
	// run does the work reps times and returns the time it took.
	run func(reps int) (time.Duration, error)
	// output does the work once, or for stateful work a few times, and returns
	// what came out. It is called at most once, before run.
	output func() ([]float32, error)
}

// inProcess is the contender that calls work, and whose output is what result
// returns.
func inProcess(work func(), result func() []float32) contender {
	return contender{
		run: func(reps int) (time.Duration, error) {
			start := time.Now()
			for range reps {
				work()
			}
			return time.Since(start), nil
		},
		output: func() ([]float32, error) { return result(), nil },
	}
}

// repeatTimed is the run of a contender whose work needs a preparation that is
// not to be timed.
func repeatTimed(prepare func(), work func() error) func(int) (time.Duration, error) {
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

// timing says how a comparison is run.
type timing struct {
	rounds int
	sample time.Duration // at least this long, by repetition
	settle time.Duration // pause before a sample: idle threads of the other side spin for a while
	budget time.Duration // of a whole comparison; slow ones make do with fewer rounds

	// load starts to measure how many cores others keep busy; what it returns
	// gives the result, negative if unknown.
	load func() func() float64
}

const (
	minRounds = 3   // whatever the budget
	calm      = 0.2 // cores: a round with more load than this is taken again
	patience  = 3   // as many times the rounds wanted, at most, are run to find calm ones
)

// A lane is a contender with what was measured of it.
type lane struct {
	contender
	reps    int           // in a sample
	once    time.Duration // about, of one repetition
	seconds []float64     // a repetition's, round by round
}

// calibrate warms up and finds how many repetitions fill a sample.
func (t timing) calibrate(c contender) (*lane, error) {
	l := &lane{contender: c, reps: 1}
	if _, err := c.run(1); err != nil { // compiles, allocates, fills caches
		return nil, err
	}
	for {
		d, err := c.run(l.reps)
		if err != nil {
			return nil, err
		}
		l.once = max(d/time.Duration(l.reps), 1)
		if d >= t.sample {
			return l, nil
		}
		// A fifth more than needed, but no leap from a time too short to trust.
		l.reps = min(int(t.sample*6/5/l.once)+1, 10*l.reps)
	}
}

// sampleOf takes one sample of l. As many repetitions come before it: after the
// pause threads sleep, memory has gone back to the system and caches hold the
// other side's data, none of which a training loop sees.
func (t timing) sampleOf(l *lane) error {
	time.Sleep(t.settle)
	if _, err := l.run(l.reps); err != nil {
		return err
	}
	d, err := l.run(l.reps)
	if err != nil {
		return err
	}
	l.seconds = append(l.seconds, d.Seconds()/float64(l.reps))
	return nil
}

// measurement is what rounds of samples gave.
type measurement struct {
	seconds   [][]float64 // of a repetition, for each contender in each round
	load      float64     // median of the rounds' other load in cores; negative if unknown
	disturbed bool        // there were not enough calm rounds
}

// measure times contenders in turns. Who goes first alternates. Rounds that
// others disturb are left out, if enough calm ones come in time.
func (t timing) measure(contenders ...contender) (measurement, error) {
	var lanes []*lane
	var round time.Duration // what one takes
	for _, c := range contenders {
		l, err := t.calibrate(c)
		if err != nil {
			return measurement{}, err
		}
		lanes = append(lanes, l)
		round += t.settle + time.Duration(2*l.reps)*l.once
	}
	affordable := max(minRounds, int(t.budget/max(round, 1)))
	want := min(t.rounds, affordable)
	var loads []float64
	var quiet []int // rounds
	for i := 0; i < min(patience*want, affordable) && len(quiet) < want; i++ {
		load := t.load()
		for _, l := range lanes {
			if err := t.sampleOf(l); err != nil {
				return measurement{}, err
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
	m := measurement{disturbed: len(quiet) < min(minRounds, want)}
	keep := func(xs []float64) (kept []float64) {
		for _, i := range quiet {
			kept = append(kept, xs[i])
		}
		return kept
	}
	if m.disturbed {
		keep = slices.Clone
	}
	for _, l := range lanes {
		m.seconds = append(m.seconds, keep(l.seconds))
	}
	m.load = median(keep(loads))
	return m, nil
}
