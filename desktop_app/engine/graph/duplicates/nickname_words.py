"""Short and pet forms of English first names. Words only."""

from __future__ import annotations

_TABLE = """
abigail abby gail|abraham abe abram|agnes aggie nessie|albert al bert bertie|alexander alec alex
sandy sasha|alexandra alex sandra sasha|alfred alf alfie fred|alice allie|amelia amy millie|
andrew andy drew|ann anne anna annie nan nancy|anthony tony|antoinette toni nettie|arabella bella
bell|archibald archie|arthur art artie|augustus gus august|barbara babs barbie|bartholomew bart
bat|beatrice bea trixie|belinda bella linda|benjamin ben benny benjy|bernard bernie barney|
bridget biddy bridie|caroline carrie caro lina|catherine katherine katharine kathryn cathy kate
katie kathy kitty kit kat|charles charlie charley chuck chas|charlotte lottie charlie|
christian chris|christina chrissie tina|christopher chris kit kester|clara clare|clarence clem|
cornelius neil|daniel dan danny|david dave davy davie|deborah debbie deb|dorothy dot dolly dora
dodo|ebenezer eben|edmund ed ned ted|edward ed eddie ned ted teddy|edwin ed eddie|eleanor elinor
ellen nell nellie nora|elizabeth eliza lizzy lizzie liz beth betsy betty bess bessie libby elsie
lisbeth bet|emily em emmy millie|emma em emmy|ernest ernie|esther essie hetty|eugene gene|
evelyn eve evie|ezekiel zeke|fitzwilliam fitz|florence flo flossie florrie|frances fanny fran
frankie|francis frank frankie|frederick frederic fred freddy freddie|gabriel gabe|geoffrey geoff
jeff|george georgie|georgiana georgy|gerald gerry jerry|gertrude gertie trudy|gilbert gil bert|
gregory greg|gwendolen gwen|hannah nan|harold harry hal|harriet hattie harry|helen nell nellie
lena|henrietta hetty etta|henry harry hal hank|herbert bert herb bertie|hezekiah hez|horatio
horace|hugh hughie|humphrey humph|ignatius iggy|isaac ike|isabella isabel bella bell izzy|
jacob jake|james jem jim jimmy jamie|jane janie jenny jennie janey|janet jenny|jeffrey jeff|
jeremiah jerry|jessica jess jessie|joan joanie|johanna jo|john jack johnny jackie jock|
jonathan jon jonny|joseph joe joey jo|josephine jo josie|joshua josh|judith judy|julia julie|
julian jules|kenneth ken kenny|laura laurie lolly|lawrence laurence larry laurie|leonard len
lenny leo|leopold leo|letitia letty|lewis louis lou lew|lillian lily lil|louisa louise lou lulu|
lucas luke|lucinda lucy cindy|lucretia lu|lydia liddy|mabel may|madeleine maddy|magdalen
maggie lena|margaret maggie meg peggy madge marge margery daisy greta peg|maria mimi|
marianne annie|marmaduke duke|martha mattie patty marty|martin marty|mary molly polly moll may
mamie minnie|matilda tilly mattie maud|matthew matt|maurice morris|maximilian max|michael mike
mick micky mickey|mildred millie|miriam mimi|montague monty|mortimer mort|nathaniel nat nathan
nate|nicholas nick nicky|nicodemus nick|oliver noll ollie|olivia livy|oswald ozzie|patricia pat
patty|patrick pat paddy|penelope penny|percival percy|peregrine perry|peter pete|philip phil pip|
phineas phin|priscilla cissy|prudence prue|rachel rae|randolph randy|raymond ray|rebecca becky
becca|reginald reg reggie rex|richard dick dickie rick richie dickon|robert bob bobby rob robin
bert robbie|roderick rod|roger hodge|roland rollo rowland|ronald ron ronnie|rosalind rosa roz|
rosamond rose|rose rosie|rudolph rudy|rupert bert|ruth ruthie|samuel sam sammy|sarah sara sally
sal sadie|sebastian seb|silas si|simon sim|solomon sol|sophia sophie sophy|stephen steven steve|
susan susanna susannah sue susie suky|sylvester sly|sylvia syl|tabitha tabby|thaddeus thad tad|
theodore ted teddy theo|theresa teresa tess tessa terry|thomas tom tommy|timothy tim timmy|
tobias toby|uriah uri|ursula ursie|valentine val|veronica ronnie|victor vic|victoria vicky|
vincent vince|virginia ginny|walter walt wat|wilfred will fred|wilhelmina mina minnie|william bill
billy will willy willie liam|winifred winnie freda|winston win|zachariah zach zachary
"""

FULL_NAMES: dict[str, frozenset[str]] = {}
for _entry in _TABLE.replace("\n", " ").split("|"):
    _names = _entry.split()
    for _name in _names:
        FULL_NAMES[_name] = FULL_NAMES.get(_name, frozenset()) | {_names[0]}


def may_be_same_first_name(a: str, b: str) -> bool:
    """Say whether two first names can be forms of one ("Lizzy" and "Eliza")."""
    return a == b or bool(FULL_NAMES.get(a, frozenset((a,))) & FULL_NAMES.get(b, frozenset((b,))))
