//go:build amd64 && !noasm

// Tests of the caches that rows are prefetched to.

package kern

import "testing"

// TestRowsArePrefetchedToEitherCache has the sums of segments and attention as on
// processors that have them prefetched to the other cache.
func TestRowsArePrefetchedToEitherCache(t *testing.T) {
	defer func(was bool) { toFirst = was }(toFirst)
	toFirst = !toFirst
	for name, test := range map[string]func(*testing.T){
		"segments":              TestSegmentKernelsAreTheRowKernelsRowByRow,
		"a row alone":           TestSumsOfARowDependOnTheRowAlone,
		"large tables":          TestSumsOfALargeTablesRowsAreThoseOfASmallOnes,
		"past the caches":       TestSumsWrittenPastTheCachesAreTheSame,
		"attention":             TestAttentionIsItsDefinition,
		"attention's row alone": TestAttentionOfARowDependsOnTheRowAlone,
	} {
		t.Run(name, test)
	}
}

func TestSecondCacheIsInBytes(t *testing.T) {
	if n := SecondCache(); n != 0 && (n < 128<<10 || n > 64<<20) {
		t.Errorf("a second cache of %d bytes", n)
	}
}
