"""One file per published ruleset, its dated editions inside. The contract: arpad.rulesets.catalogue."""
