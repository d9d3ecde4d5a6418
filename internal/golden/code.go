package golden

// Codes of the findings of this package, explained in docs/codes.md. A code
// keeps its meaning for good.
const (
	CodeHeader      = "K101" // the header line is missing, of another kind, or stands twice
	CodeUnit        = "K102" // the unit of the offsets is not declared, or unknown
	CodeField       = "K103" // unknown field
	CodeType        = "K104" // a value of the wrong type
	CodeMissing     = "K105" // a required field is missing
	CodeEmpty       = "K106" // a required value is empty
	CodeValue       = "K107" // not one of the values that the field can have
	CodeNoQuestion  = "K109" // the file holds no question
	CodeQIDTwice    = "K110" // two questions have one qid
	CodeQIDBlank    = "K111" // a qid begins or ends with a blank
	CodeSupportName = "K112" // a support set names a span that is not there
	CodeSetEmpty    = "K113" // a support set is empty
	CodeSetName     = "K114" // a support set names a span twice
	CodeSetTwice    = "K115" // two support sets hold the same spans
	CodeNeededBy    = "K116" // needed_by names a span that is not there
	CodeCycle       = "K117" // needed_by goes in a circle
	CodeEvidence    = "K118" // an unanswerable question has evidence
	CodeNoEvidence  = "K119" // an answerable question has none
	CodeTwice       = "K120" // a value stands twice in a list
	CodeReason      = "K121" // adjudication.reasons names a span that is not there
	CodeDigest      = "K122" // a fixture's source text is not its source_version
	CodeFixtureDoc  = "K123" // a fixture's document id is taken by another text
	CodeOutside     = "K124" // evidence in a document that `within` leaves out

	CodeDoc          = "K130" // a span's document is not in the corpus
	CodeWithin       = "K131" // a document of `within` is not in the corpus
	CodeVersionForm  = "K132" // a version that is no digest
	CodeVersion      = "K133" // a version that the manifest does not know
	CodeVersionShort = "K134" // a shortened version that fits several
	CodeStale        = "K135" // a label on a superseded version
	CodeSpanEmpty    = "K136" // a span holds nothing
	CodeReversed     = "K137" // a span ends before it starts
	CodeRange        = "K138" // a span reaches outside its document
	CodeInside       = "K139" // an offset stands inside a character, or its unit cannot name the place
	CodeShifted      = "K140" // the quote stands elsewhere in the document
	CodeLineBreaks   = "K141" // quote and text differ in line endings
	CodeNormal       = "K142" // quote and text differ in Unicode normalisation
	CodeFolded       = "K143" // quote and text differ in case, blanks or typographic signs
	CodeExtracted    = "K144" // quote and text differ in ligatures or hyphens at line ends
	CodeOtherDoc     = "K145" // the quote stands in another document
	CodeNowhere      = "K146" // the quote stands nowhere
	CodeContext      = "K147" // prefix or suffix is not what surrounds the quote
	CodeAmbiguous    = "K148" // a draft's quote stands in several places
	CodeDraft        = "K149" // a draft that `kerf anchor -w` can complete (strict: error)

	CodeBlankEdge     = "K150" // a span begins or ends with a blank (warning, like those below)
	CodeBlank         = "K151" // a span of blanks alone
	CodeWord          = "K152" // a span's edge cuts a word
	CodeElsewhere     = "K153" // a quote stands elsewhere too
	CodeUnused        = "K155" // a span in no support set
	CodeNeedMissing   = "K156" // a set holds a span without what that span needs
	CodeDisputed      = "K157" // adjudication is open (strict: error)
	CodeObjection     = "K158" // a review is not "ok" (strict: error)
	CodeSynthetic     = "K159" // a synthetic question without review
	CodeOrigin        = "K160" // questions without origin
	CodeUnadjudicated = "K161" // questions without adjudication (strict: error)
	CodeNoReview      = "K162" // strict: a question without review
	CodeNoVersion     = "K163" // strict: a span without version
	CodeNoText        = "K164" // the corpus holds no text (error)

	CodeCopy         = "K171" // all evidence of a set stands in another document too (warning)
	CodeOtherNumbers = "K172" // evidence that another document states with other numbers (warning)
	CodeAsked        = "K173" // a line to be added asks what the set asks already
	CodeUnreadable   = "K174" // no set that its own reader may read (warning)

	CodePositional  = "K320" // a relevant chunk id that is a bare position
	CodeOtherTable  = "K321" // another chunk table than the one that the header pins
	CodeNoSuchChunk = "K322" // a relevant chunk that the table does not have
	CodeBoth        = "K323" // chunk ids and spans in one question
	CodeByID        = "K324" // questions that can be scored by id only (warning)
)
