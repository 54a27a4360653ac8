"""Answers a question from one cell or row of a table, without a model.

Read in this order: `answer` (the one function that the pipeline calls), `named_tables` (the tables
among the passages), `question` (what the words of a question ask for), `schema_linking` (which rows
and columns they name), `cell_selection` and `extremes` (which cells that leaves), `cell_values`
(what one cell says). `name_forms` and `column_wordings` know how a name may be written and asked
for.
"""
