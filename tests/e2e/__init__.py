"""The whole product as its users meet it: real processes, and what they must survive."""
