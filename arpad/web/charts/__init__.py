"""Charts as SVG made on the server; colours come from the tokens by classes."""
