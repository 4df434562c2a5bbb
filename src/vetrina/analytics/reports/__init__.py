"""The reports: their definitions, filters, intervals, segments, and the engine that computes them."""
