package effect

import (
	"math"
	"math/big"

	"kerf/internal/stats"
)

// Design says how intervals are made.
type Design struct {
	Level float64 // two-sided; each bound is a one-sided one at (1 + Level) / 2
	ICC   float64 // the intraclass correlation that is assumed at least
	Draws int     // of a bootstrap
	Seed  uint64
}

// Standard is the design that kerf uses.
func Standard(seed uint64) Design {
	return Design{Level: 0.95, ICC: stats.DefaultICC, Draws: 10000, Seed: seed}
}

// Interval is a confidence interval of a mean over questions, as a share.
type Interval struct {
	Lo        float64  `json:"lo"`
	Hi        float64  `json:"hi"`
	Level     float64  `json:"level"`
	Method    string   `json:"method"`
	Unit      string   `json:"unit"`      // that is resampled: Document or Question
	Questions int      `json:"questions"` // with a result
	Clusters  int      `json:"clusters"`
	DEFF      float64  `json:"deff"`      // the variance assumed, by that of independent questions with the same values
	Effective float64  `json:"effective"` // questions: Questions / DEFF
	Degrees   int      `json:"degrees"`   // of freedom of t; 0: the normal quantile
	Estimand  string   `json:"estimand"`  // Population or Fixed
	Warnings  []string `json:"warnings"`
}

// What an interval may say of itself.
const (
	Population = "D" // estimand: a population of documents
	Fixed      = "F" // estimand: these documents only

	Document = "document cluster" // unit
	Question = "question"

	OnlyThese = "these-documents-only" // warnings
	Floor     = "floor"                // no variance was seen, which is no proof that there is none
	Large     = "large-cluster"        // one cluster holds more than a fifth of the questions
	Gaps      = "missing"              // some question has no result
)

// Scale is what differences are.
type Scale bool

const (
	Verdicts Scale = true  // -1, 0 or 1: one placement
	Fine     Scale = false // means over placements, reciprocal ranks
)

// Of is the interval of the mean of paired differences, nil ones missing.
// Clusters has the cluster of each question. It is not measured without a value.
//
// It is Tango's score interval on counts divided by k: the sums of what is above
// and below 0 are its gains and losses, and k is such that Tango's variance at the
// estimate is DEFF times that of independent questions with these differences. For
// verdicts k is DEFF; a fraction of a placement varies less than a whole change,
// and k is smaller. Where differences are all alike, that is no proof that they do
// not vary: k is DEFF. t has one degree of freedom less than there are units; of
// these documents only, verdicts and differences all alike have the normal quantile.
func (d Design) Of(differences []*big.Rat, clusters []string, scale Scale) stats.Maybe[Interval] {
	t, population := take(differences, clusters)
	if t.n == 0 {
		return stats.Maybe[Interval]{}
	}
	i := d.begin(t, population, len(differences))
	_, variance, _ := stats.NewSums(t.sums, t.sizes).Jackknife(t.mean)
	own, whole := t.variances()
	i.effective(t, variance, own, d.ICC)
	i.Method = "Tango"
	if population {
		i.Method = "Tango, effective counts"
	}
	k := i.DEFF
	if scale == Fine && own > 0 {
		i.Method = "Tango, scaled counts"
		k *= own / whole
		if !population {
			i.Degrees = t.n - 1
		}
	}
	// Counts divided by k divide the statistic by the root of k.
	up, down := float64(t.up)/float64(t.den), float64(t.down)/float64(t.den)
	b := stats.Tango(up, down, float64(t.n), float64(d.quantile(i.Degrees)*math.Sqrt(k)))
	if variance == 0 {
		i.Warnings = append(i.Warnings, Floor)
	}
	if t.up+t.down == 0 {
		exact := stats.NoLossBound(i.Effective, (1-d.Level)/2)
		b.Low, b.High = min(b.Low, -exact), max(b.High, exact)
	}
	i.Lo, i.Hi = b.Low, b.High
	return stats.Measured(i)
}

// NoneBelow is the exact one-sided bound of the share of questions that would
// lose (or gain), where none of so many effective ones did.
func (d Design) NoneBelow(effective float64) float64 {
	return stats.NoLossBound(effective, (1-d.Level)/2)
}

// begin is an interval but for its bounds and design effect.
func (d Design) begin(t table, population bool, asked int) Interval {
	i := Interval{Level: d.Level, Unit: Document, Questions: t.n, Clusters: t.groups, Estimand: Population, Degrees: t.groups - 1, Warnings: []string{}}
	if !population {
		i.Unit, i.Estimand, i.Degrees = Question, Fixed, 0
		i.Warnings = append(i.Warnings, OnlyThese)
	}
	if 5*t.largest > t.n && population {
		i.Warnings = append(i.Warnings, Large)
	}
	if t.n < asked {
		i.Warnings = append(i.Warnings, Gaps)
	}
	return i
}

// effective sets the design effect: of questions that stand for themselves, 1.
func (i *Interval) effective(t table, variance, independent, icc float64) {
	i.DEFF = 1
	if i.Estimand == Population {
		ratio := 1.0
		if independent > 0 {
			ratio = variance / independent
		}
		i.DEFF = stats.DesignEffect(t.sizes, ratio, icc)
	}
	i.Effective = float64(t.n) / i.DEFF
}

// quantile is that of t, or the normal one for 0 degrees of freedom.
func (d Design) quantile(degrees int) float64 {
	if degrees > 0 {
		return stats.StudentQuantile((1+d.Level)/2, float64(degrees))
	}
	return stats.NormalQuantile((1 + d.Level) / 2)
}

// Rate is the interval of one arm's mean of values in [0, 1]: Wilson's on
// effective counts, and, where the mean is 0 or 1, Clopper and Pearson's beside
// it.
func (d Design) Rate(values []*big.Rat, clusters []string) (i stats.Maybe[Interval], exact *Bounds) {
	t, population := take(values, clusters)
	if t.n == 0 {
		return stats.Maybe[Interval]{}, nil
	}
	v := d.begin(t, population, len(values))
	v.Method, v.Degrees = "Wilson, effective counts", 0
	if !population {
		v.Method = "Wilson"
	}
	p, variance, _ := stats.NewSums(t.sums, t.sizes).Jackknife(t.mean)
	v.effective(t, variance, float64(p*(1-p))/float64(t.n), d.ICC)
	hits := float64(p * v.Effective)
	w := stats.Wilson(hits, v.Effective, d.quantile(0))
	v.Lo, v.Hi = w.Low, w.High
	if p == 0 || p == 1 {
		e := Bounds(stats.ClopperPearson(hits, v.Effective, d.Level))
		exact = &e
	}
	return stats.Measured(v), exact
}

// Bootstrap is the intervals of a bootstrap beside an interval: it never decides.
type Bootstrap struct {
	Unit       string              `json:"unit"`
	Percentile Bounds              `json:"percentile"`
	BCa        stats.Maybe[Bounds] `json:"bca"`        // not measured where it is undefined
	Degenerate bool                `json:"degenerate"` // all draws are equal: no width, which says nothing
}

// Bounds are the two ends of an interval.
type Bounds struct {
	Low  float64 `json:"lo"`
	High float64 `json:"hi"`
}

// Bootstrap resamples the units of Of: whole clusters, or, below
// stats.FewClusters, questions, each in its cluster (statistics.md 4).
func (d Design) Bootstrap(differences []*big.Rat, clusters []string) stats.Maybe[Bootstrap] {
	t, population := take(differences, clusters)
	if t.n == 0 {
		return stats.Maybe[Bootstrap]{}
	}
	b := stats.NewSums(t.sums, t.sizes).Within(t.strata).Bootstrap(d.Seed, d.Draws, t.mean)
	out := Bootstrap{Unit: Question, Percentile: Bounds(b.Percentile(d.Level)), Degenerate: b.Degenerate}
	if population {
		out.Unit = Document
	}
	if i, ok := b.BCa(d.Level); ok {
		out.BCa = stats.Measured(Bounds(i))
	}
	return stats.Measured(out)
}
