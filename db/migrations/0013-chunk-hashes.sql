-- Each piece of a file for print is verified when it is read.
alter table export_chunks add column sha256 bytea check (octet_length(sha256) = 32);
update export_chunks set sha256 = sha256(content);
alter table export_chunks alter column sha256 set not null;
