// Learning rates that follow the run.

package train

import (
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// A Schedule is a learning-rate schedule and when it moves; see [EachEpoch],
// [EachStep] and [OnMetric].
type Schedule struct {
	state      nn.Stateful
	afterStep  func()
	afterEpoch func(m Metrics)
}

// EachEpoch moves a schedule after every epoch.
func EachEpoch(s optim.Scheduler) Schedule {
	wantThere("EachEpoch", "the schedule", !isNil(s))
	return Schedule{state: s, afterEpoch: func(Metrics) { s.Step() }}
}

// EachStep moves a schedule after every step of the optimiser: of n calls of
// [Epoch.Step] an epoch there are ⌈n / Config.Accumulate⌉.
func EachStep(s optim.Scheduler) Schedule {
	wantThere("EachStep", "the schedule", !isNil(s))
	return Schedule{state: s, afterStep: s.Step}
}

// OnMetric gives a metric to a schedule after every epoch that has it.
func OnMetric(metric string, s *optim.ReduceLROnPlateau) Schedule {
	wantThere("OnMetric", "the schedule", s != nil)
	return Schedule{state: s, afterEpoch: func(m Metrics) {
		if x, ok := m[metric]; ok {
			s.Step(x)
		}
	}}
}
