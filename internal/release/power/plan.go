package power

import (
	"math"

	"kerf/internal/stats"
)

// MostQuestions is where a plan gives up.
const MostQuestions = 100_000

// Plan is a decision to come: the rule, what is assumed of the change, and how
// many questions the documents have.
type Plan struct {
	Rule
	Discordance float64 // chance that a question changes, either way
	Effect      float64 // gains less losses; above -Margin
	ICC         float64 // of the changes within a document
	Sizes       []int   // questions of the documents, over and over; none below 1
	Power       float64 // wanted, above Alpha
	Seed        uint64
	Trials      int
	Jobs        int
}

// Size is an amount of labels.
type Size struct {
	Questions int `json:"questions"`
	Documents int `json:"documents"`
}

// Trials is a simulation: in how many the rule accepted.
type Trials struct {
	Accepted int `json:"accepted"`
	Trials   int `json:"trials"`
}

// documents are the sizes of the first n documents.
func (p Plan) documents(n int) []int {
	sizes := make([]int, n)
	for d := range sizes {
		sizes[d] = p.Sizes[d%len(p.Sizes)]
	}
	return sizes
}

func (p Plan) size(documents int) Size { return Size{sum(p.documents(documents)), documents} }

// DesignEffect is what the interval assumes at least for n documents.
func (p Plan) DesignEffect(documents int) float64 {
	return stats.DesignEffect(p.documents(documents), 1, p.Floor)
}

// ZeroLosses is what accepts where no question is lost: the least whole documents
// whose effective questions the exact rule needs.
func (p Plan) ZeroLosses() Size {
	return p.least(func(documents int) bool {
		return float64(p.size(documents).Questions)/p.DesignEffect(documents) >= stats.NoLossNeeds(p.Margin, p.Alpha)
	})
}

// Guess is the formula's number of questions, in whole documents: the design
// effect is that of the larger of ICC and Floor.
func (p Plan) Guess() Size {
	icc := max(p.ICC, p.Floor)
	return p.least(func(documents int) bool {
		deff := stats.DesignEffect(p.documents(documents), 1, icc)
		return float64(p.size(documents).Questions) >= Guess(p.Margin, p.Discordance, p.Effect, p.Alpha, p.Power, deff)
	})
}

// At simulates the rule on so many documents.
func (p Plan) At(documents int) Trials {
	return p.simulate(documents, p.Effect)
}

// FalseAccepts simulates the rule where the truth is just the margin, with the
// same discordance, or the margin where that is larger.
func (p Plan) FalseAccepts(documents int) Trials {
	p.Discordance = max(p.Discordance, p.Margin)
	return p.simulate(documents, -p.Margin)
}

func (p Plan) simulate(documents int, effect float64) Trials {
	c := Changed(p.Discordance, effect, p.ICC)
	return Trials{p.Simulate(c, p.documents(documents), p.Seed, p.Trials, p.Jobs), p.Trials}
}

// Needed is the number of documents at which the simulated power is reached, the
// least one to within 1 in 100, which is finer than the simulation is; ok is false
// where MostQuestions do not do, or the formula already asks for more.
func (p Plan) Needed() (needed Size, at Trials, ok bool) {
	enough := func(documents int) (Trials, bool) {
		t := p.At(documents)
		return t, float64(t.Accepted) >= float64(p.Power*float64(t.Trials))
	}
	low, high := stats.FewClusters-1, p.Guess().Documents
	for {
		if p.size(high).Questions > MostQuestions {
			return p.size(high), at, false
		}
		if at, ok = enough(high); ok {
			break
		}
		low, high = high, high+max(1, high/8)
	}
	for high-low > max(1, high/100) {
		mid := low + (high-low)/2
		if t, ok := enough(mid); ok {
			high, at = mid, t
		} else {
			low = mid
		}
	}
	return p.size(high), at, true
}

// least is the least number of documents, stats.FewClusters or more, that is
// enough, where more than enough is enough too: by doubling, then by halving.
func (p Plan) least(enough func(documents int) bool) Size {
	low, high := stats.FewClusters-1, stats.FewClusters
	for !enough(high) {
		low, high = high, 2*high
	}
	for high-low > 1 {
		mid := low + (high-low)/2
		if enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return p.size(high)
}

// Provable are the margins that an amount of labels can prove, 1 where there is
// none smaller.
type Provable struct {
	Size
	ZeroLosses float64 `json:"zero_losses"` // where no question is lost: exact
	Formula    float64 `json:"formula"`     // with the wanted power, by the formula: a guess
}

// Smallest are the smallest margins that n questions can prove in the plan's
// documents, the last of which may have fewer, whatever the plan's own margin is.
func (p Plan) Smallest(n int) Provable {
	var sizes []int
	for left := n; left > 0; left -= sizes[len(sizes)-1] {
		sizes = append(sizes, min(left, p.Sizes[len(sizes)%len(p.Sizes)]))
	}
	s := Provable{Size{n, len(sizes)}, 1, 1}
	if len(sizes) >= stats.FewClusters {
		s.ZeroLosses = stats.NoLossBound(float64(n)/stats.DesignEffect(sizes, 1, p.Floor), p.Alpha)
		s.Formula = SmallestMargin(float64(n), p.Discordance, p.Effect, p.Alpha, p.Power, stats.DesignEffect(sizes, 1, max(p.ICC, p.Floor)))
	}
	return s
}

// Whole is the least whole number of independent questions that the exact rule
// needs.
func (r Rule) Whole() int { return int(math.Ceil(stats.NoLossNeeds(r.Margin, r.Alpha))) }

// Share is the share of the trials that accept.
func (t Trials) Share() float64 { return float64(t.Accepted) / float64(t.Trials) }

// Error is the Monte Carlo standard error of Share.
func (t Trials) Error() float64 {
	p := t.Share()
	return math.Sqrt(float64(p*(1-p)) / float64(t.Trials))
}
