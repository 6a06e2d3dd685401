"""The public kit: `Server` and `Client`, each a registry or a set of calls joined to a carrier."""
