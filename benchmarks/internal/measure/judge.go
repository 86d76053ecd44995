package measure

// The pitfall detector, over systems and over models; planted pitfalls.

import (
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/benchmarks/system/check/planted"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/tensor"
)

func (b *Bench) thoroughness() check.Options { return check.Options{Quick: b.Plan.Quick} }

// judge runs the detector over a system's calls and, if they are right, over the
// models made of them.
func (b *Bench) judge(listed *report.System, sys system.System) error {
	judged, err := check.Run(sys, b.thoroughness())
	if err != nil {
		return err
	}
	listed.Cases, listed.Findings, listed.Unsupported = judged.Cases, judged.Findings, judged.Unsupported
	if !judged.OK() || len(judged.Unsupported) > 0 {
		return nil // a model that lacks a call is no mistake
	}
	return b.judgeModels(listed, workflow.OverSystem(sys), sys.Device())
}

// judgeModels runs the detector over the models of a form.
func (b *Bench) judgeModels(listed *report.System, f workflow.Form, d *tensor.Device) error {
	for _, arch := range []check.Arch{check.GCN, check.GIN, check.GAT} {
		judged, err := check.Model(f.Name(), arch, workflow.Builder(f, d), b.thoroughness())
		if err != nil {
			return err
		}
		listed.Cases += judged.Cases
		for _, found := range judged.Findings {
			found.Call = string(arch) + ", " + found.Call
			listed.Findings = append(listed.Findings, found)
		}
	}
	return nil
}

// plantedPitfalls shows that mistakes are caught and named.
func (b *Bench) plantedPitfalls() error {
	for _, p := range planted.All() {
		judged, err := p.Check(check.Options{Quick: true})
		if err != nil {
			return err
		}
		row := report.Planted{Name: p.Name, Want: p.Want, Found: judged.Findings}
		for _, f := range judged.Findings {
			if f.Pitfall == p.Want {
				row.Caught, row.Found = true, []check.Finding{f}
				break
			}
		}
		b.Results.Planted = append(b.Results.Planted, row)
	}
	return nil
}
