"""Everything outside the process: databases, tables, files, caches, the change log, jobs, mail, outgoing HTTP."""
