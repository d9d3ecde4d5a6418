package main

// share is a published share of so many trials.
type share struct {
	value  float64
	trials int
}

// published is the figure of statistics.md 5, nil where it has none. Its first
// table (2,000 trials) and its second (1,200) have 4 questions at ICC .2 both; for
// CRV3-t the first is taken there.
func published(d design, c truth, method int) *share {
	if d.icc == .2 && d.questions == 4 && c == common {
		for _, r := range [][]float64{
			// documents, point, iid percentile, percentile, basic, BCa, CRV3-t, Tango
			{8, .524, .189, .183, .176, .193, .157, .077},
			{12, .525, .144, .131, .156, .139, .091, .083},
			{20, .517, .153, .117, .108, .120, .091, .103},
			{30, .512, .124, .090, .085, .101, .076, .102},
			{50, .518, .119, .083, .086, .084, .076, .102},
			{100, .515, .122, .068, .072, .069, .066, .112},
		} {
			if d.documents == int(r[0]) && method+1 < len(r) {
				return &share{r[method+1], 2000}
			}
		}
	}
	if d.icc == .2 && d.questions == 4 && c == rare && method == 2 {
		if v := map[int]float64{8: .31, 20: .20, 50: .12}[d.documents]; v > 0 {
			return &share{v, 2000}
		}
	}
	for _, r := range []struct {
		design
		tangoCommon, crv3Common, tangoRare, crv3Rare, power float64
	}{
		{design{.2, 4, 8}, .005, .144, .000, .287, .013},
		{design{.2, 4, 12}, .022, .102, .000, .185, .107},
		{design{.2, 4, 20}, .042, .091, .060, .169, .339},
		{design{.2, 4, 30}, .041, .077, .049, .166, .468},
		{design{.2, 4, 50}, .053, .068, .057, .126, .623},
		{design{.2, 4, 100}, .045, .053, .050, .096, .869},
		{design{0, 1, 50}, .035, .084, .000, .086, .248},
		{design{0, 1, 100}, .044, .063, .039, .109, .522},
		{design{0, 1, 200}, .048, .062, .029, .115, .839},
		{design{.5, 6, 20}, .059, .121, .162, .263, .338},
		{design{.5, 6, 50}, .055, .090, .098, .170, .520},
		{design{.5, 6, 100}, .046, .056, .073, .135, .727},
	} {
		if r.design != d {
			continue
		}
		switch {
		case c == common && method == deff05:
			return &share{r.tangoCommon, 1200}
		case c == common && method == crv3:
			return &share{r.crv3Common, 1200}
		case c == rare && method == deff05:
			return &share{r.tangoRare, 1200}
		case c == rare && method == crv3:
			return &share{r.crv3Rare, 1200}
		case c == equal && method == deff05:
			return &share{r.power, 1200}
		}
	}
	return nil
}
