package harness

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// pretend is a Contender whose repetition takes a given time on its own clock,
// and none on the wall's. It logs its runs.
func pretend(name string, once time.Duration, log *[]string) Contender {
	return Contender{Run: func(reps int) (time.Duration, error) {
		*log = append(*log, name)
		return time.Duration(reps) * once, nil
	}}
}

// loads is a load meter that shows the given values one after another.
func loads(values ...float64) func() func() float64 {
	next := 0
	return func() func() float64 {
		return func() float64 {
			next++
			return values[(next-1)%len(values)]
		}
	}
}

var quick = Timing{Rounds: 4, Sample: 10 * time.Millisecond, Budget: time.Minute, Load: loads(0)}

func TestCalibrateFillsTheSample(t *testing.T) {
	for _, once := range []time.Duration{1, time.Microsecond, 3 * time.Millisecond, time.Second} {
		var log []string
		l, err := quick.calibrate(pretend("x", once, &log))
		if err != nil {
			t.Fatal(err)
		}
		filled := time.Duration(l.reps) * once
		if filled < quick.Sample || filled > 2*quick.Sample && l.reps > 1 {
			t.Errorf("%v a repetition: %d of them take %v, want %v", once, l.reps, filled, quick.Sample)
		}
	}
}

func TestCalibrateEndsForWorkThatTakesNoTime(t *testing.T) {
	var log []string
	calls := 0
	c := pretend("x", 0, &log)
	still := c.Run
	c.Run = func(reps int) (time.Duration, error) {
		if calls++; calls > 5 { // the clock ticks at last
			return time.Second, nil
		}
		return still(reps)
	}
	if _, err := quick.calibrate(c); err != nil {
		t.Error(err)
	}
}

func TestMeasureTakesTurnsAndAlternatesWhoIsFirst(t *testing.T) {
	for rounds, turns := range map[int]string{
		3: " ours ours peer peer peer peer ours ours ours ours peer peer",
		4: " ours ours peer peer peer peer ours ours ours ours peer peer peer peer ours ours",
	} {
		var log []string
		s := quick
		s.Rounds = rounds
		m, err := s.Measure(pretend("ours", 20*time.Millisecond, &log), pretend("peer", 40*time.Millisecond, &log))
		if err != nil {
			t.Fatal(err)
		}
		if want := slices.Repeat([]float64{.02}, rounds); !slices.Equal(m.Seconds[0], want) {
			t.Errorf("ours took %v, want %v", m.Seconds[0], want)
		}
		if want := slices.Repeat([]float64{.04}, rounds); !slices.Equal(m.Seconds[1], want) {
			t.Errorf("the peer took %v, want %v", m.Seconds[1], want)
		}
		// Two runs each to calibrate; then a warm-up and a sample each a round.
		if got, want := strings.Join(log, " "), "ours ours peer peer"+turns; got != want {
			t.Errorf("runs were %s\nwant      %s", got, want)
		}
	}
}

func TestWhoComesAfterThreadsThatSpinWaitsForThem(t *testing.T) {
	const spin = 20 * time.Millisecond
	var ended time.Time
	var waited []time.Duration // before each run of the second; the first two are its calibration
	first := Contender{Spin: spin, Run: func(int) (time.Duration, error) {
		ended = time.Now()
		return time.Microsecond, nil
	}}
	second := Contender{Run: func(int) (time.Duration, error) {
		waited = append(waited, time.Since(ended))
		return time.Microsecond, nil
	}}
	if _, err := (Timing{Rounds: 1, Sample: 1, Load: func() func() float64 { return func() float64 { return 0 } }}).Measure(first, second); err != nil {
		t.Fatal(err)
	}
	if last := waited[len(waited)-1]; last < spin {
		t.Errorf("the second began after %v, want %v at least", last, spin)
	}
}

// A peer's output has been compared before, and its threads spin as ours is calibrated.
func TestCalibrationWaitsForThreadsThatSpin(t *testing.T) {
	const spin = 20 * time.Millisecond
	peer := Contender{Spin: spin, Run: func(int) (time.Duration, error) { return time.Second, nil }}
	var waited []time.Duration
	spins := time.Now()
	ours := Contender{Run: func(int) (time.Duration, error) {
		waited = append(waited, time.Since(spins))
		return time.Second, nil
	}}
	for _, contenders := range [][]Contender{{ours, peer}, {peer, ours}} {
		waited, spins = nil, time.Now()
		if _, err := (Timing{Rounds: 1, Sample: 1, Load: loads(0)}).Measure(contenders...); err != nil {
			t.Fatal(err)
		}
		if waited[0] < spin {
			t.Errorf("calibration began after %v, want %v at least", waited[0], spin)
		}
	}
}

func TestBudgetShortensAMeasurementButLeavesThreeRounds(t *testing.T) {
	for _, c := range []struct {
		budget time.Duration
		rounds int
	}{
		{time.Second, 3},      // for one round
		{10 * time.Second, 5}, // two samples with their warm-ups a round: 2 s
		{time.Hour, 7},
	} {
		var log []string
		s := Timing{Rounds: 7, Sample: time.Millisecond, Budget: c.budget, Load: loads(0)}
		m, err := s.Measure(pretend("ours", 500*time.Millisecond, &log), pretend("peer", 500*time.Millisecond, &log))
		if err != nil || len(m.Seconds[0]) != c.rounds {
			t.Errorf("budget %v: %d rounds, error %v; want %d", c.budget, len(m.Seconds[0]), err, c.rounds)
		}
	}
}

// TestDisturbedRoundsAreTakenAgain has samples that say which round they are of.
func TestDisturbedRoundsAreTakenAgain(t *testing.T) {
	for _, c := range []struct {
		name      string
		loads     []float64
		want      []float64 // rounds that count
		load      float64
		disturbed bool
	}{
		{"calm", []float64{0}, []float64{1, 2, 3, 4}, 0, false},
		{"unknown", []float64{-1}, []float64{1, 2, 3, 4}, -1, false},
		{"now and then", []float64{0, 1.5, 0.1, 2, 0, 0.1}, []float64{1, 3, 5, 6}, 0.05, false},
		{"too often", []float64{1, 1, 0, 1}, []float64{3, 7, 11}, 0, false},
		{"always", []float64{1}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1, true},
	} {
		calls := 0
		s := quick
		s.Load = loads(c.loads...)
		m, err := s.Measure(Contender{Run: func(int) (time.Duration, error) {
			calls++ // two to calibrate, then a warm-up and a sample a round
			return time.Duration(max(calls-2, 2)/2) * time.Second, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Seconds[0], c.want) || m.Load != c.load || m.Disturbed != c.disturbed {
			t.Errorf("%s: rounds %v, load %v, disturbed %v; want %v, %v, %v", c.name, m.Seconds[0], m.Load, m.Disturbed, c.want, c.load, c.disturbed)
		}
	}
}

func TestMeasurePassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for when := 1; when <= 4; when++ {
		var log []string
		runs := 0
		peer := Contender{Run: func(int) (time.Duration, error) {
			if runs++; runs == when {
				return 0, broken
			}
			return time.Second, nil
		}}
		if _, err := quick.Measure(pretend("ours", time.Second, &log), peer); !errors.Is(err, broken) {
			t.Errorf("run %d fails: error is %v", when, err)
		}
	}
}

func TestRepeatTimedLeavesThePreparationOut(t *testing.T) {
	prepared, worked := 0, 0
	run := RepeatTimed(func() { prepared++; time.Sleep(20 * time.Millisecond) }, func() error { worked++; return nil })
	d, err := run(3)
	if err != nil || prepared != 3 || worked != 3 {
		t.Errorf("prepared %d times, worked %d times, error %v; want 3, 3, nil", prepared, worked, err)
	}
	if d >= 60*time.Millisecond {
		t.Errorf("took %v: the preparation was timed", d)
	}
}

func TestLongRepetitionsHaveNoWarmUp(t *testing.T) {
	for long, runs := range map[time.Duration]int{0: 2 + 2*4, time.Second: 2 + 4, time.Minute: 2 + 2*4} {
		var log []string
		s := quick
		s.Long = long
		if _, err := s.Measure(pretend("x", time.Second, &log)); err != nil || len(log) != runs {
			t.Errorf("from %v on: %d runs, error %v; want %d", long, len(log), err, runs)
		}
	}
}
