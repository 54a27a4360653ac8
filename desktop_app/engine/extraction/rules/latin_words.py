"""Word lists for names in English text: titles, place and company words, words that are no names.

Data only; `names.py` decides how they are used.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FEMALE_TITLES = _words(
    "Mrs Mrs. Miss Ms Ms. Lady Madam Madame Mme Mme. Mademoiselle Mlle Mlle. Dame Duchess "
    "Countess Queen Princess Empress Aunt Mistress Baroness Marchioness Sister Mother"
)
MALE_TITLES = _words(
    "Mr Mr. Sir Lord Monsieur M. Master Uncle Duke Count King Prince Emperor Earl Baron "
    "Marquis Brother Father Don Herr Signor Señor"
)
NEUTRAL_TITLES = _words(
    "Dr Dr. Doctor Captain Capt Capt. Colonel Col Col. Major General Gen. Lieutenant Lieut "
    "Lieut. Lt. Sergeant Corporal Private Admiral Commodore Professor Prof. Rev Rev. Reverend "
    "Bishop Archbishop Cardinal Pope Saint Judge Justice Inspector Detective Constable "
    "Sheriff Senator President Governor Mayor Squire Esq. Hon. Deacon Parson Rabbi Sheikh "
    "Sultan Cousin Chancellor Abbot Friar Ensign Minister Chairman Congressman Cap'n Messrs. "
    "Messrs"
)
TITLES = FEMALE_TITLES | MALE_TITLES | NEUTRAL_TITLES

# Abbreviations before a name; their full stop does not end a sentence.
ABBREVIATIONS = _words(
    "Mr Mrs Ms Dr St Capt Col Gen Lieut Lt Prof Rev Hon Messrs Mme Mlle M Sgt Jr"
)

# Often capitalised at the start of a sentence or in exclamations: never a name alone.
COMMON = _words(
    "a about above ah aha alas all almost already also although always am amen an and another "
    "any anything are as at ay aye back bah be because been before behind besides between "
    "beyond both but by bye can certainly come coming could d'ye dear did do does don don't "
    "down during each eh either else enough even ever every everybody everyone everything "
    "except few fie finally first five follow for four from further get give go god's going "
    "good gone had hallo halloa ha happily has hark have having he he'd he'll he's heaven "
    "heavens heigh hello hence her here here's hers hey him his hm ho how however humbug "
    "hurrah hush i i'd i'll i'm i've if in indeed instead into is isn't it it's its itself "
    "just know last lastly later least leave less let let's like little look lo many may "
    "maybe me meanwhile merry might mind mine more moreover most much must my nay near nearly "
    "neither never nevertheless next nine no nobody none nonsense nor not nothing now nowhere "
    "o o'clock of off oh old on once one only open or other others ought our out over perhaps "
    "please poor pray presently put quick quite rather really right said same say second see "
    "seven several shall she she's should show silence since six so some somebody something "
    "sometimes soon still stop such suddenly surely sure take tell ten than thank thanks that "
    "that's the thee their them then there there's therefore these they they're thine thing "
    "think this those thou though three through thus thy till tis 'tis to together too true "
    "truly tut twas two under unless until up upon us very wait was we we'll we're well were "
    "what what's whatever when whence whenever where wherever whether which while who who's "
    "whoever whole whom whose why will wish with within without wonderful would ye yes yet yo "
    "you you'll you're young your yours yourself another afterwards again against among "
    "around away whereupon whereas according despite following towards throughout unlike "
    "within along across after chapter stave book volume part section canto act scene preface "
    "contents illustration index appendix footnote copyright project gutenberg ebook etext "
    "introduction prologue epilogue sir sirs madam ma'am mamma papa mama mother father mr mrs "
    "miss gentleman gentlemen ladies lady lord captain doctor uncle aunt mister boy boys girl "
    "master majesty highness lordship ladyship honour excellency christmas easter sunday "
    "monday tuesday wednesday thursday friday saturday january february march april june july "
    "august september october november december spring summer autumn winter today tomorrow "
    "yesterday north south east west english french german italian spanish russian british "
    "american irish scottish welsh dutch polish swedish danish norwegian chinese japanese "
    "indian greek roman turkish latin european african asian canadian australian austrian "
    "hungarian mexican portuguese jewish christian catholic protestant muslim bibliography "
    "references internet tv ad bc am pm ii iii iv "
    "vi vii viii ix xi xii romanized romanised future past present "
    "hilli-ho roast hullo merry thank'ee thankee eve year new tank hallo' goodness mercy "
    "humph pooh pshaw psha tut thanksgiving yuletide xmas lent advent anno domini esquire "
    "ye'll won't can't couldn't wouldn't shouldn't didn't wasn't aren't weren't haven't "
    "hi dearest hadn't hasn't ain't that'll there'll who'd they'd they'll we'd it'll it'd standing "
    "sitting looking hearing seeing providence fortune nature death time love fate lords esq"
)

DEMONYMS = _words(
    "English French German Italian Spanish Russian British American Irish Scottish Scotch "
    "Welsh Dutch Polish Swedish Danish Norwegian Chinese Japanese Indian Greek Roman Turkish "
    "Latin European African Asian Canadian Australian Austrian Hungarian Mexican Portuguese "
    "Jewish Christian Catholic Protestant Muslim Czech Korean Iranian Persian Arab Arabic "
    "Brazilian Argentine Belgian Swiss Finnish Israeli Pakistani Filipino Ukrainian Romanian "
    "Bulgarian Serbian Croatian Egyptian Lutheran Anglican Methodist Buddhist Hindu Islamic "
    "Hebrew Parisian Victorian Gothic Western Eastern Northern Southern Tamil Telugu Hindi "
    "Malayalam Bengali Kannada Marathi Urdu Punjabi Bollywood Hollywood Democratic Republican"
)

# Words that may stand in lower case inside a name.
CONNECTORS = _words(
    "of the de la le du des di da del della der den von van zu and y e in at on for"
)
# "X of Y" is one name when X is one of these.
OF_HEADS = _words(
    "Duke Earl King Queen Prince Princess Count Countess Duchess Lord Lady Bishop Archbishop "
    "Pope Abbot Baron Marquis Emperor Empress House University Bank Bay Isle Isles Battle "
    "Republic States Ministry Department Church City Court College Institute School Cape Gulf "
    "Lake Mount Board Society Museum Museums Kingdom Empire Order Ghost Spirit Tower Treaty "
    "Duchy County Province Council Academy Bureau Federation Union Association Knave Maid "
    "Joan Margaret Eleanor Catherine Henry William Son Daughter Chief Director Secretary Hall "
    "Gulf Strait Sea Master Mayor Siege House Houses Temple Cathedral Port Commonwealth "
    "Dominion"
)

PLACE_HEADS = _words(
    "city town village river lake mountain island street road country county state province "
    "district region commune municipality parish castle bay sea valley hill hills forest park "
    "square house hall church cathedral abbey bridge station suburb settlement township "
    "peninsula peak building airport hamlet community capital"
)
ORGANISATION_HEADS = _words(
    "company band group team club party university school college newspaper magazine agency "
    "organisation organization society association church union league army institute bank "
    "firm airline orchestra label network studio corporation committee council ministry "
    "regiment"
)
OBJECT_HEADS = _words(
    "film movie novel album song book play opera series comedy drama poem single game "
    "painting magazine documentary ship vessel aircraft car locomotive software show episode "
    "sitcom"
)
EVENT_HEADS = _words("battle war revolution festival election championship tournament siege treaty")
PERSON_HEADS = _words(
    "man woman boy girl actor actress director singer politician writer author poet player "
    "footballer composer painter king queen prince princess duke earl emperor son daughter "
    "wife husband brother sister father mother nobleman bishop lawyer soldier officer "
    "filmmaker screenwriter producer musician philosopher scientist historian journalist "
    "artist model professor physician clergyman merchant clerk servant nephew niece uncle "
    "aunt cricketer swimmer athlete wrestler boxer cyclist scholar knight count countess "
    "duchess ruler empress baron lord lady gentleman child friend cousin dancer comedian "
    "editor architect engineer businessman jurist monk saint abbot theologian"
)

PLACE_TAILS = _words(
    "Street Road Lane Square Hill Park House Hall Castle Bridge River Lake Island Islands "
    "Mountain Mountains Valley Bay City Town Village County Abbey Church Court Avenue Place "
    "Gardens Forest Station Harbour Harbor Cathedral Hotel Inn Tavern Farm Cottage Manor "
    "Lodge Grove Terrace Heath Ocean Sea Creek Point Beach Coast Kingdom Cemetery Tower "
    "Palace Theatre Theater Gate Cliff Moor Fort Prison Hospital Province District Market "
    "Common"
)
ORGANISATION_TAILS = _words(
    "Company Society Bank University College School Club Association Party Union League "
    "Committee Council Army Institute Corporation Inc Inc. Ltd Ltd. Co Co. & Ministry "
    "Department Office Press Records Pictures Studios Museum Academy Brothers Entertainment "
    "Band Orchestra Library Navy Airlines Productions Group Commission Agency Parliament Congress "
    "Senate"
)
EVENT_TAILS = _words(
    "War Battle Revolution Festival Olympics Games Cup Championship Treaty Ball Day"
)

FEMALE_NAMES = _words(
    "Elizabeth Jane Mary Lydia Kitty Catherine Charlotte Caroline Louisa Anne Anna Alice Emma "
    "Martha Belinda Belle Fan Lucy Sophia Sarah Margaret Maria Harriet Georgiana Emily Amelia "
    "Rebecca Becky Agnes Florence Helen Ellen Rachel Ruth Rose Julia Grace Eliza Lizzy Mina "
    "Estella Biddy Natasha Sonya Irene Violet Clara Laura Kate Susan Nancy Polly Molly Betty "
    "Dorothy Elinor Marianne Fanny Frances Isabella Henrietta Diana Justine Safie Agatha"
)
MALE_NAMES = _words(
    "Bob Robert Ebenezer Jacob Tim Fred Peter William Charles George John James Thomas Henry "
    "Fitzwilliam Edward Richard Arthur David Joseph Samuel Walter Philip Francis Frank Jack "
    "Tom Dick Harry Jonathan Abraham Victor Sherlock Andrew Pierre Nicholas Boris Hugh "
    "Stephen Herbert Joe Abel Matthew Mark Luke Paul Michael Daniel Oliver Edmund Ralph Roger "
    "Alfred"
)

SPEECH = _words(
    "said says cried replied asked answered exclaimed returned inquired enquired observed "
    "added continued whispered muttered murmured shouted laughed smiled nodded thought "
    "rejoined demanded remarked sighed looked turned repeated began felt knew stood sat "
    "walked spoke"
)
PLACE_BEFORE = _words("in at near from towards into toward leaving reached visit left")
# Never the first word of a name, even where the tagger thinks so.
NEVER_FIRST = _words("and but or so then when if what where why how this that these")
# A title that starts a new name inside a run: "Bob Mrs. Cratchit".
SPLITTERS = _words("Mr Mrs Miss Ms Dr Sir Lady Madame Monsieur Captain Colonel")
# "directed by X", "daughter of X": X is a person.
MADE_BY = _words("directed written produced composed starring starred married sung painted stars")
KIN_OF = _words("son daughter wife husband brother sister father mother widow nephew niece friend")
RULER_OF = _words("king queen duke duchess count countess prince princess earl emperor bishop lord")
