"""How the schema of scoring came about, step by step."""
