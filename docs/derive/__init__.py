"""The parts of the documentation that are derived while it is built: reference pages and recorded examples.

`python -m derive` (with `docs` on the path; `make docs` does it) writes `build/docs/html`. Nothing here is shipped with
the package, and nothing that it writes is committed.
"""
