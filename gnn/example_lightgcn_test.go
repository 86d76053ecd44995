package gnn_test

import (
	"fmt"
	"log"

	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// Users 0 to 3 bought items 4 to 9: the first two those up to 6, the others the rest, but
// each of them left one out, which is what the model is to find.
func ExampleLightGCN() {
	bought := gnn.Links{
		Src: []int32{0, 0, 1, 1, 2, 2, 3, 3},
		Dst: []int32{4, 5, 5, 6, 7, 8, 8, 9},
	}
	g, err := graph.New(10, append(bought.Src[:8:8], bought.Dst...), append(bought.Dst[:8:8], bought.Src...))
	if err != nil {
		log.Fatal(err)
	}
	// Each bought item before one of the other kind.
	others := gnn.Links{Src: bought.Src, Dst: []int32{7, 8, 8, 9, 4, 5, 5, 6}}

	model := gnn.NewLightGCN(10, 8, 2, gnn.LightGCNConfig{}, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.05})
	for range 50 {
		opt.ZeroGrad()
		h := model.Forward(g)
		positive, negative := gnn.Dot{}.Score(h, bought), gnn.Dot{}.Score(h, others)
		model.Loss(positive, negative.Unsqueeze(1), nil, 1e-4).Backward()
		opt.Step()
	}
	items := gnn.RecommendConfig{Among: []int32{4, 5, 6, 7, 8, 9}, Known: gnn.NewKnownLinks(bought)}
	fmt.Println(model.Recommend(g, nil, []int32{0, 1, 2, 3}, 1, items))
	// Output: [[6] [4] [9] [7]]
}
