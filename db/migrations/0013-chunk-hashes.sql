-- Files for print lie in pieces of 256 KiB in place of 1 MiB, each of them verified when it is read.
create temporary table larger_chunks on commit drop as select * from export_chunks;
truncate export_chunks;
alter table export_chunks add column sha256 bytea not null check (octet_length(sha256) = 32);
insert into export_chunks (export_id, number, content, sha256)
select export_id, 4 * number + part, piece, sha256(piece)
from larger_chunks
cross join generate_series(0, 3) as part
cross join lateral (select substring(content from 262144 * part + 1 for 262144) as piece) as pieces
where octet_length(piece) > 0;
