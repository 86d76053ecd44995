package report

// Pictures.

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	pictureWidth  = 20 * vg.Centimeter
	pictureHeight = 11 * vg.Centimeter
)

// hues are colours that stay apart for most colour-blind eyes (Okabe and Ito 2008),
// and black.
var hues = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.Black,
}

// picture is a file that shows a table.
type picture struct {
	section, title, file string

	draw func(p *plot.Plot) error
}

// write makes the file.
func (pic picture) write(path string) error {
	p := plot.New()
	p.Title.Text = pic.title
	p.Legend.Top, p.Legend.Left = true, true
	p.BackgroundColor = color.White
	if err := pic.draw(p); err != nil {
		return err
	}
	c := vgsvg.New(pictureWidth, pictureHeight)
	p.Draw(draw.Crop(draw.New(c), 2*vg.Millimeter, -4*vg.Millimeter, 2*vg.Millimeter, -2*vg.Millimeter))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// pictures are those that there are numbers for.
func (r *Results) pictures() (list []picture) {
	edges := func(t Timing) float64 { return float64(t.Edges) }
	width := func(t Timing) float64 { return float64(t.Width) }
	list = append(list, r.curves(EdgesTable, "edges", edges)...)
	list = append(list, r.curves(WidthsTable, "features", width)...)
	list = append(list, r.curves(StepEdgeTable, "edges", edges)...)
	if overheads := r.Overheads(); len(overheads) > 0 {
		list = append(list, overheadPicture(overheads))
	}
	if i := slices.IndexFunc(r.Memory, func(m Memory) bool { return m.Status == "" && m.Peak >= 0 }); i >= 0 {
		list = append(list, memoryPicture(r.Memory, r.Memory[i].Model, r.Memory[i].Task))
	}
	return list
}

// curves are the pictures of a table, one a case, with a line for each system.
func (r *Results) curves(table, axis string, x func(t Timing) float64) (list []picture) {
	timings := r.find(func(t Timing) bool { return t.Table == table && len(t.Seconds) > 0 })
	var cases []string
	for _, t := range timings {
		if !slices.Contains(cases, t.Case) {
			cases = append(cases, t.Case)
		}
	}
	for _, c := range cases {
		list = append(list, picture{table, c + ", by " + axis, fileName(table + " " + c), func(p *plot.Plot) error {
			var systems []string
			points := map[string]plotter.XYs{}
			for _, t := range timings {
				if t.Case != c {
					continue
				}
				if points[t.System] == nil {
					systems = append(systems, t.System)
				}
				points[t.System] = append(points[t.System], plotter.XY{X: x(t), Y: t.Median()})
			}
			p.Add(plotter.NewGrid())
			for _, s := range systems {
				i := r.place(s)
				line, marks, err := plotter.NewLinePoints(points[s])
				if err != nil {
					return err
				}
				line.Color, line.Width = hues[max(i, 0)%len(hues)], vg.Points(1.5)
				marks.Color, marks.Shape = line.Color, draw.CircleGlyph{}
				if i >= len(hues) {
					line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
				}
				p.Add(line, marks)
				p.Legend.Add(s, line, marks)
			}
			logarithmic(&p.X, axis)
			logarithmic(&p.Y, "seconds")
			return nil
		}})
	}
	return list
}

// place is that of a system in the list, by which it has its colour in all pictures.
func (r *Results) place(name string) int {
	return slices.IndexFunc(r.Systems, func(s System) bool { return s.Name == name })
}

// overheadPicture has the step and the shrunk step of each system, of the first
// model and task.
func overheadPicture(list []Overhead) picture {
	model, task := list[0].Model, list[0].Task
	title := fmt.Sprintf("a training step of %s on %s, and of next to nothing", model, task)
	return picture{StepTable, title, fileName("overhead " + model), func(p *plot.Plot) error {
		var names []string
		var step, shrunk plotter.XYs
		for _, o := range list {
			if o.Model == model && o.Task == task {
				x := float64(len(names))
				names = append(names, o.System)
				step, shrunk = append(step, plotter.XY{X: x, Y: o.Step}), append(shrunk, plotter.XY{X: x, Y: o.Shrunk})
			}
		}
		p.Add(plotter.NewGrid())
		for i, series := range []struct {
			name   string
			points plotter.XYs
			shape  draw.GlyphDrawer
		}{{"step", step, draw.CircleGlyph{}}, {"shrunk to two vertices", shrunk, draw.BoxGlyph{}}} {
			marks, err := plotter.NewScatter(series.points)
			if err != nil {
				return err
			}
			marks.Color, marks.Shape, marks.Radius = hues[i], series.shape, vg.Points(4)
			p.Add(marks)
			p.Legend.Add(series.name, marks)
		}
		logarithmic(&p.Y, "seconds")
		p.Y.Max *= 3 // room for the legend
		p.NominalX(names...)
		p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
		return nil
	}}
}

// memoryPicture stacks what each system takes, of a model and task.
func memoryPicture(list []Memory, model, task string) picture {
	title := fmt.Sprintf("memory of a training step of %s on %s", model, task)
	return picture{"memory", title, fileName("memory " + model), func(p *plot.Plot) error {
		var names []string
		parts := []string{"graph", "features", "parameters", "activations", "workspace"}
		values := make([]plotter.Values, len(parts))
		for _, m := range list {
			if m.Model != model || m.Task != task || m.Status != "" || m.Peak < 0 {
				continue
			}
			names = append(names, m.System)
			for i, bytes := range []int64{m.Graph, m.Features, m.Parameters, m.Activations, m.Workspace} {
				values[i] = append(values[i], float64(max(bytes, 0))/1e6)
			}
		}
		var below *plotter.BarChart
		for i, v := range values {
			bars, err := plotter.NewBarChart(v, vg.Points(28))
			if err != nil {
				return err
			}
			bars.Color, bars.LineStyle.Width = hues[i], 0
			if below != nil {
				bars.StackOn(below)
			}
			below = bars
			p.Add(bars)
			p.Legend.Add(parts[i], bars)
		}
		p.Y.Label.Text, p.Y.Min = "MB", 0
		p.Y.Max *= 1.25 // room for the legend
		p.NominalX(names...)
		p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
		return nil
	}}
}

// axisRoom is how far a logarithmic axis goes beyond its numbers.
const axisRoom = 1.3

// logarithmic makes a logarithmic axis, over what was added, with ticks that can be
// read.
func logarithmic(a *plot.Axis, label string) {
	a.Label.Text = label
	// plot would go a step of 1 to both sides of a single number, and below 0.
	a.Min, a.Max = a.Min/axisRoom, a.Max*axisRoom
	a.Scale, a.Tick.Marker = plot.LogScale{}, readable{}
}

// readable marks powers of ten, and 2 and 5 times them if there are few.
type readable struct{}

func (readable) Ticks(low, high float64) (ticks []plot.Tick) {
	few := math.Log10(high/low) < 4
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, m := range []float64{1, 2, 5} {
			x := m * math.Pow(10, e)
			if x < low*(1-1e-9) || x > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: x}
			if m == 1 || few {
				t.Label = short(x)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// short writes 20000 as 20k and 0.0005 as 500µ.
func short(x float64) string {
	for _, unit := range []struct {
		scale float64
		name  string
	}{{1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}} {
		if x >= unit.scale*(1-1e-9) {
			return fmt.Sprintf("%.3g%s", x/unit.scale, unit.name)
		}
	}
	return fmt.Sprintf("%.1g", x)
}

var notInFileNames = regexp.MustCompile(`[^a-z0-9]+`)

// fileName makes a file name of a title.
func fileName(title string) string {
	return strings.Trim(notInFileNames.ReplaceAllString(strings.ToLower(title), "-"), "-") + ".svg"
}
