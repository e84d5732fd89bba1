-- Which operations of a pattern's group keep its colours, where others turn it into its negative.
alter table patterns add column counterchange text;
