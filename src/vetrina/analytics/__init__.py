"""Reports on what a shop sold: fact rows of each order, stored sums over them, and the reports that read both."""
