"""What every module stands on: the unit of work, options, background work, integrity rules."""
