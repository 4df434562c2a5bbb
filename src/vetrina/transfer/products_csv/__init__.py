"""Products as a table (CSV) in the columns that other shops write and read: as a source, and as an export."""
