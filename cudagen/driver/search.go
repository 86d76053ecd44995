// The log of a search for libraries.

package driver

import (
	"fmt"
	"strings"
)

// Search is what was looked for, where, and what came of it.
type Search struct {
	Libraries []LibrarySearch
}

// LibrarySearch is the search for one library.
type LibrarySearch struct {
	Library string // "CUDA driver", "NVRTC", "cuBLAS"
	Names   []string
	Tries   []Try
	Found   string // what was loaded, empty if nothing was
}

// Try is one place that was looked at.
type Try struct {
	Place   string // why there: "ASTERIAS_CUDA_PATH", "system loader", "WSL", "driver", "toolkit", "python packages"
	Path    string // a library's path or name, or the folder that has none
	Outcome string // "loaded", "no such file" or the loader's words
}

// String lists every try, a line each.
func (s *Search) String() string {
	var b strings.Builder
	for _, l := range s.Libraries {
		found := l.Found
		if found == "" {
			found = "not found"
		}
		fmt.Fprintf(&b, "%s: %s\n", l.Library, found)
		for _, t := range l.Tries {
			fmt.Fprintf(&b, "  %s: %s: %s\n", t.Place, t.Path, t.Outcome)
		}
	}
	return b.String()
}

// NotFoundError is a library that no place has.
type NotFoundError struct {
	Search LibrarySearch
}

// Error says in one line what was looked for and where, and quotes the loader
// where a file was there and did not load.
func (e *NotFoundError) Error() string {
	var places, broken []string
	folders := make(map[string][]string) // by place
	for _, t := range e.Search.Tries {
		if _, seen := folders[t.Place]; !seen {
			folders[t.Place] = nil
			places = append(places, t.Place)
		}
		switch {
		case t.Place == placeLoader:
		case t.Outcome == noSuchFile:
			folders[t.Place] = append(folders[t.Place], t.Path)
		default:
			broken = append(broken, t.Path+": "+t.Outcome)
		}
	}
	for i, p := range places {
		if len(folders[p]) > 0 {
			places[i] += " (" + strings.Join(folders[p], ", ") + ")"
		}
	}
	text := fmt.Sprintf("%s not found: looked for %s in %s", e.Search.Library, strings.Join(e.Search.Names, ", "), strings.Join(places, ", "))
	if len(broken) > 0 {
		text += "; " + strings.Join(broken, "; ")
	}
	return strings.ReplaceAll(text, "\n", " ")
}
