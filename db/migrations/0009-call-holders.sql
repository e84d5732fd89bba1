-- A call in flight belongs to a database session of its process, which holds the advisory lock of
-- this number for as long as it lives. What was in flight under a lease is anybody's.
create sequence call_holders as integer cycle;

alter table idempotent_calls drop column leased_until;
alter table idempotent_calls add column holder integer not null default 0;
alter table idempotent_calls alter column holder drop default;
