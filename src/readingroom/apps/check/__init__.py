"""`readingroom check`: probes any MCP server by the rules that can be seen from outside, and says what it found.

`probes` are what is tried, family by family; `line` and `post` carry bytes; `hearing` judges whatever comes; `verdicts`
keeps one verdict for each rule. Nothing here trusts a server: every wait has an end, and what was started is ended.
"""
