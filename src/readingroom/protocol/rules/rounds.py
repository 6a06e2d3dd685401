"""Rules of rounds: what a server asks of a client before it answers (requirements §9.1, §11)."""

TABLE = """
MRTR-5 | MUST | client | any | basic/patterns/mrtr
    Everything that was asked is answered before the call is made again; where nothing was, it is made again a little later.
MRTR-6 | MUST | client | any | basic/patterns/mrtr
    A call that is made again has the same parameters, the answers by their keys, the state, and an id of its own.
MRTR-7 | MUST | client | any | basic/patterns/mrtr
    The state goes back as it came, and only the one that came last.
MRTR-8 | MUST NOT | client | any | basic/patterns/mrtr
    Answers and states go to no other call.
MRTR-9 | OURS | client | any | basic/patterns/mrtr
    Each round has the answers to the last questions alone, and there is an end to the rounds.
MRTR-10 | MUST NOT | server | any | basic/patterns/mrtr
    A server does not count on a client's coming back: a request that is answered with a question is over.
MRTR-11 | MUST | server | any | basic/patterns/mrtr
    A state that the server did not give, or that was changed, is refused, and not taken for a first try.
MRTR-12 | SHOULD | server | any | basic/patterns/mrtr
    A state is good for the method, the arguments and the principal it was given for, and for a short time.
MRTR-13 | SHOULD | server | any | basic/patterns/mrtr
    Answers that are missing are asked for again, and answers that nobody asked for are passed over.
MRTR-14 | SHOULD | server | any | basic/patterns/mrtr
    Answers are an object of objects, and one that does not fit what was asked is never accepted.
MRTR-15 | OURS | server | any | basic/patterns/mrtr
    Answers that come with a first request, without a state, are taken for what the handler asks by their names.
MRTR-16 | MUST | client | any | basic/patterns/mrtr
    What is asked is put to whoever may answer it, and a refusal is told as one.
MRTR-17 | MUST NOT | both | any | basic/patterns/mrtr
    What was answered after input is not kept for others.
MRTR-18 | OURS | server | any | basic/patterns/mrtr
    A handler runs anew in each round, and takes effect only in the one that answers.
ELIC-1 | MUST NOT | server | any | client/elicitation
    A form or an address is asked for only where the request declared it; an empty declaration means forms.
ELIC-2 | MUST | server | any | client/elicitation
    A form comes with a message and a schema, an address with a message and is a web address.
ELIC-3 | MUST | server | any | client/elicitation
    The schema of a form is flat: texts, numbers, yes or no, and choices.
ELIC-4 | MUST | server | any | client/elicitation
    An answer accepts, declines or cancels, and only an accepted form has content.
ELIC-5 | SHOULD | server | any | client/elicitation
    What was filled in is checked again by the server, which can do without an answer.
ELIC-6 | MUST NOT | server | any | client/elicitation
    Secrets are not asked for in a form, nor are there any in an address.
SAMP-1 | MUST NOT | server | any | client/sampling
    Tools and context are not given to a client's model unless the request declared them.
SAMP-2 | MUST | server | any | client/sampling
    A request for a message has messages and a bound on its tokens; an answer has a role, content and a model.
SAMP-3 | MUST | both | any | client/sampling
    Every use of a tool is answered in the very next message, which holds nothing else.
ROOT-1 | MUST | both | any | client/roots
    Roots are asked for only where the request declared them, and are file addresses.
"""
