package pass

// Rules names every rule of every pass, in the order of the pipeline.
func Rules() []string {
	var names []string
	for _, rules := range [][]Rule{softmaxRules, reuseRules(Options{}, nil), lowerRules, foldRules, reorderRules(Options{}, nil)} {
		for _, r := range rules {
			names = append(names, r.Name)
		}
	}
	return names
}

// Unsettled is in the logs of passes whose rules undo each other.
const Unsettled = unsettled
