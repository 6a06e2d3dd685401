"""Words that carry grammar, not matter, by language: they tell a language, and no answer is missed for want of them.

Data only; written in lower case with their accents. Question words belong here, for they are asked with, not for.
"""

WORDS: dict[str, str] = {
    "en": (
        "the of and to in a is that it for was on are as with his they at be this from have or by had not "
        "but what were when your can there an which she do their if will how about many then them these so "
        "some would him has its who did been than into only does where why whom whose while during after "
        "before between both also such other any because could should may our we you i he her my no more "
        "most over under very one out up just"
    ),
    "de": (
        "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden "
        "aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur "
        "oder aber vor zur bis mehr durch man sein wurde sei wenn ich wir was wer wo wann warum welche "
        "welcher welches wieviel viele kann diese dieser dieses eines unter gegen wurden ihre seine ihr ihm "
        "ihn kein keine während zwischen seit"
    ),
    "fr": (
        "le la les de des du et à un une en est que qui dans pour par sur pas plus au ce se avec il elle ne "
        "sont ont cette son sa ses aux ou mais nous vous été être avait leur leurs comme même fait était où "
        "quand comment quel quelle quels quelles combien pourquoi dont sans entre si l d qu c s n lui ces "
        "aussi tout après avant sous depuis pendant on y a ils elles quoi deux"
    ),
    "es": (
        "el la los las de del y a en un una que es por con para se no al lo su sus como más pero fue era "
        "son ha han este esta esto estos estas ese esa entre cuando donde qué quién quiénes cuál cuáles "
        "cómo cuándo dónde cuánto cuántos cuánta cuántas o si sin sobre también hasta desde muy ya todo le "
        "les ser tiene había durante según porque fueron cada uno otro otra e"
    ),
    "pt": (
        "o a os as de do da dos das e em no na nos nas um uma que é por com para se não ao à mais como mas "
        "foi era são seu sua seus suas ou quando onde qual quais quem quanto quantos quantas também já "
        "entre até sobre pelo pela pelos pelas isso este esta esse essa ser tem havia foram você sem muito "
        "há nem depois porque cada numa num"
    ),
    "it": (
        "il lo la i gli le di del della dei delle degli e a in un una che è per con non si da al alla nel "
        "nella sono come più ma ha anche questo questa quando dove chi quale quali quanto quanti quante "
        "cosa perché o se su suo sua suoi dal dalla essere stato era fu hanno tra fra dopo prima molto ogni "
        "loro cui dall sul sulla nei l"
    ),
    "nl": (
        "de het een en van in is dat op te zijn met voor niet aan er om door bij ook als maar die dit naar "
        "uit over tot werd worden wordt heeft hebben was ze hij wij je u of nog meer hoe wat wie waar "
        "wanneer waarom welke hoeveel deze zich geen kan zou hun haar onder tussen na tijdens veel dan"
    ),
    "sv": (
        "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så "
        "kan när man hur vad vem vilka vilken vilket där varför många eller efter också under mellan vid "
        "blev hade ska denna detta dessa sina sin sitt utan mot bara dem hon"
    ),
    "da": (
        "og i at det som en på er af for med til den har de ikke om et han men var jeg sig fra vi så kan "
        "når man hvor hvad hvem hvilke hvilken hvilket hvorfor mange eller efter også under mellem ved blev "
        "havde skal denne dette disse sine sin sit uden mod kun dem hun blevet bliver der mere end nogle "
        "noget hver hvordan selv sådan kunne meget andre"
    ),
    "no": (
        "og i at det som en på er av for med til den har de ikke om et han men var jeg seg fra vi så kan "
        "når man hvor hva hvem hvilke hvilken hvilket hvorfor mange eller etter også under mellom ved ble "
        "hadde skal denne dette disse sine sin sitt uten mot bare dem hun blitt blir ei der mer enn noen "
        "noe hver hvordan selv slik kunne mye andre"
    ),
    "fi": (
        "ja on ei se että oli hän ovat mutta joka kun niin myös tai kuin jos sen mitä mikä kuka missä "
        "milloin miksi miten kuinka monta nyt ole olla sekä jotka vain hänen siitä tämä tämän ne he me "
        "kanssa jälkeen ennen koska voi voidaan joita jossa itse olivat"
    ),
    "et": (
        "ja on ei see et oli ta kes mis kui ka aga või siis seda selle kus millal miks kuidas mitu nad me "
        "ning olid pärast enne oma kõik ole olla saab tema nende mida ainult veel juba"
    ),
    "hu": (
        "a az és hogy nem is egy ez azt meg van volt de csak már el ha mint vagy mi ki hol mikor miért "
        "hogyan hány melyik milyen még ezt én te ő minden lehet után előtt között szerint sem kell való "
        "által így pedig voltak"
    ),
    "ro": (
        "și în de la a al ale ai cu pe pentru nu o un una este sunt care ce că din se mai prin fost dar sau "
        "lui ei lor după când unde cum cine cât câți câte câtă cărui căror fi au era ca le îi îl său sa săi "
        "sale între până despre aceasta acest această acestea fără dintre cel cea cei cele asupra către"
    ),
    "tr": (
        "ve bir bu için ile da de ne olarak en çok daha olan gibi kadar sonra var mi mı ama değil o ise "
        "hangi kim nasıl nerede zaman neden kaç ya veya her ki göre tarafından olduğu olduğunu ettiği bunu "
        "onun şey önce üzere vardır oldu idi şu hem diye çünkü nedir nelerdir kimdir hangisi"
    ),
    "cs": (
        "a se v na je že s z do o i k ve za by ale jako to pro po si jsou od které který která co kdo kde "
        "kdy proč jak kolik byl byla bylo byly nebo tak podle již jeho její jejich při však také než ze ke "
        "být má přes mezi pod před"
    ),
    "sk": (
        "a sa v na je že s z do o i k vo za by ale ako to pre po si sú od ktoré ktorý ktorá čo kto kde kedy "
        "prečo koľko bol bola bolo boli alebo tak podľa už jeho jej ich pri však tiež než zo ku byť má cez "
        "medzi pod pred"
    ),
    "pl": (
        "i w na z do się nie że to jest o jak po od przez za ale dla co przy są być które który która kto "
        "gdzie kiedy dlaczego ile był była było były lub oraz tym tego jego jej ich we ze czy już tylko "
        "także może jako ten ta te"
    ),
    "hr": (
        "i u na je da se s za od do su o kao iz po ne ali koji koja koje što tko gdje kada zašto kako "
        "koliko bio bila bilo bili ili te nije prema nakon njegov njezin njihov samo još može biti kod bi "
        "ga ovaj ova ovo između prije"
    ),
    "ca": (
        "el la els les de del dels i a en un una que és per amb no es al als com més però va ser són ha han "
        "aquest aquesta aquests quan on què qui quin quina quins quantes quants o si sense sobre també fins "
        "entre molt ja seu seva seus pel pels perquè després abans d l s n"
    ),
    "id": (
        "yang dan di dari untuk dengan pada adalah ini itu dalam tidak akan ke oleh juga sebagai telah "
        "dapat atau ada karena saat lebih bisa mereka apa siapa mana kapan mengapa bagaimana berapa seperti "
        "hanya setelah sebelum antara tersebut menjadi secara kami kita saya anda ia dia"
    ),
    "lt": (
        "ir yra kad iš su į ne kaip bet tai buvo jo jos jų už apie po prie nuo iki tik ar arba kas kur kada "
        "kodėl kiek kuris kuri kurie kurios šis ši tarp prieš pagal bei dar gali būti jau"
    ),
    "vi": (
        "của và là các có trong được cho với một những không người này đã đến từ khi ở ra về như cũng ông "
        "để nào bao nhiêu gì ai đâu sao thế trên tại theo vào hay hoặc đó sẽ bị nhưng còn vì nên bởi mà "
        "rằng do sau trước giữa mấy lại họ"
    ),
    "ru": (
        "и в не на я что он с как это по но они к у из за вы так же от бы о для при до или его ее её их мы "
        "ты она оно был была было были есть быть который которая которое которые которых которого кто где "
        "когда почему зачем сколько какой какая какое какие каких каким каком какую чем чего чей чья кому "
        "кем чему во со ко об обо то а если уже только также между после перед над под без через этот эта "
        "эти этого этой том тем тот та те ли ни себя свой своей своего"
    ),
    "uk": (
        "і й в у не на я що він з із як це по але вони до та за ви так же від би о для при або його її їх "
        "ми ти вона воно був була було були є бути який яка яке які яких якого хто де коли чому скільки "
        "якої чим чого кому ким якщо вже тільки також між після перед над під без через цей ця ці цього "
        "цієї тому"
    ),
    "be": (
        "і ў у не на я што ён з як гэта па але яны да та за вы так жа ад бы аб для пры або яго яе іх мы ты "
        "яна яно быў была было былі ёсць быць які якая якое якія хто дзе калі чаму колькі чым каго каму кім"
    ),
    "bg": (
        "и в не на да се че от за с по но как са е си ще ли до при или която който което които това тази "
        "този тези кой коя кое кои какво какъв каква къде кога защо колко чрез след преди между през без "
        "беше били бил била го му ги им най той тя те ние аз като още само може"
    ),
    "sr": (
        "и у на је да се с са за од до су о као из по не али који која које што шта ко где када зашто како "
        "колико био била било били или те није према након његов њен њихов само још може бити код би га "
        "овај ова ово између пре"
    ),
    "el": (
        "και το η ο να του της την τα των με στο στη στην στον για που είναι από θα τον τη οι δεν σε ως "
        "τους τις ένα μια μία ένας αυτό αυτή αυτός κατά όπως ή αλλά έχει ήταν είχε τι ποιος ποια ποιο ποιοι "
        "ποιες πού πότε γιατί πώς πόσο πόσα πόσοι πόσες πόσους μετά πριν μεταξύ όταν αν στις στους στα κάθε "
        "ότι πιο τότε"
    ),
    "ar": (
        "في من على إلى عن أن إن التي الذي هذا هذه ذلك كان كانت ما مع هو هي كما أو لم لا قد بعد قبل بين كل "
        "ثم عند حتى وقد أي كم متى أين كيف لماذا ماذا هل منذ خلال تم و الذين غير إذا لكن أنه أنها يكون تكون "
        "حيث بها به له لها فيها فيه منها منه عليها عليه"
    ),
    "fa": (
        "و در به از که این را با است برای آن یک خود تا بر هم نیز شد می شده کرد بود یا ها های اما چه چند کی "
        "کجا چرا چگونه کدام آنها او ما شما اگر هر پس دیگر بین باید کند شود"
    ),
    "hi": (
        "के का की में है और से को पर ने एक यह भी कि हैं था थे थी इस वह जो नहीं तो ही या हो कर गया लिए अपने "
        "साथ तक उस कुछ क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने किसे कौनसा द्वारा बाद "
        "जब उनके इसके उसके होता होती होते रहा करने किया गई गए उन्होंने"
    ),
    "ne": (
        "र को मा छ यो का लाई हो पनि ले गर्न भएको छन् थियो के कि तर यस एक त्यो गरेको भने नै कुन कहाँ किन "
        "कसरी कति बाट सँग लागि भन्ने हुन्छ"
    ),
    "he": (
        "של את על לא הוא זה עם היא כי או אם גם יש אני כל היה הם אבל זו מה מי איפה מתי למה איך כמה איזה אשר "
        "בין לפני אחרי היו להיות כדי רק עד אך לו לה שלו שלה"
    ),
}

# Characters of function words in scripts written without spaces: a pair that holds one carries little matter.
CHARACTERS = frozenset(
    "かがでとにねのはへもやよるれを与为么之也了于什从们何個其几到及吗吧呢和哪啊嗎在多对少就幾很怎或把於是為的而與被誰谁这這那都麼"
)
