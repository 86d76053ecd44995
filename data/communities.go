// Graphs with overlapping communities: a list of undirected edges between
// numbered vertices and, a line a community, the numbers of its members.

package data

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/graph"
)

// LoadCommunities reads a graph and its communities as labels, such as PPI of
// Grover and Leskovec (2016), "node2vec", from files compressed with gzip or
// not. Vertices are numbered from 0; line k of the second file has the members
// of community k. The graph is made symmetric and has no duplicates.
func LoadCommunities(name, edges, communities string) (*MultiLabelDataset, error) {
	d, err := readCommunities(edges, communities)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d.Name = name
	return d, d.Validate()
}

func readCommunities(edges, communities string) (d *MultiLabelDataset, err error) {
	err = readLines(edges, func(l *lineReader) error {
		list, err := parseEdgeList(l, EdgeListOptions{Comma: ' ', Comment: '#', Integers: true})
		if err != nil {
			return err
		}
		g, err := undirected(list.Graph.NumVertices(), list.Graph.Src(), list.Graph.Dst())
		if err != nil {
			return &FileError{File: edges, Err: err}
		}
		d = &MultiLabelDataset{Graph: g}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = readLines(communities, func(l *lineReader) error {
		d.Labels, d.NumClasses, err = parseCommunities(l, d.Graph)
		return err
	})
	return d, err
}

func parseCommunities(l *lineReader, g *graph.Graph) (labels [][]int32, classes int, err error) {
	labels = make([][]int32, g.NumVertices())
	var fields [][]byte
	comments := 0
	err = l.each(func(line []byte) error {
		if line[0] == '#' {
			comments++
			return nil
		}
		classes = l.line - 1 - comments // a blank line before it is a community without members
		if classes >= math.MaxInt32 {
			return l.errorf("too many communities")
		}
		fields = splitFields(fields[:0], line, 0)
		for _, field := range fields {
			v, err := l.id(field, "vertex", len(labels))
			if err != nil {
				return err
			}
			if n := len(labels[v]); n > 0 && labels[v][n-1] == int32(classes) {
				return l.errorf("vertex %d is in the community twice", v)
			}
			labels[v] = append(labels[v], int32(classes))
		}
		classes++
		return nil
	})
	return labels, classes, err
}
