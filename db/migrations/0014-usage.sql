-- What each account holds, so that a quota is checked by reading one row however much there is. Kept
-- by triggers: rows also go by cascades.
create table account_usage (
  account_id bigint primary key references accounts on delete cascade,
  sources bigint not null default 0,
  source_bytes bigint not null default 0,
  patterns bigint not null default 0,
  api_keys bigint not null default 0,
  output_bytes bigint not null default 0
);

alter table sources add column bytes bigint;
update sources s set bytes = octet_length(b.bytes) from source_bytes b where b.sha256 = s.sha256;
alter table sources alter column bytes set not null;

-- Bytes that an export or a mockup is counted with: an estimate until it is done.
alter table exports add column counted_bytes bigint not null default 0;
alter table exports alter column counted_bytes drop default;
update exports set counted_bytes = bytes where status = 'done';
alter table mockups add column counted_bytes bigint not null default 0;
alter table mockups alter column counted_bytes drop default;
update mockups set counted_bytes = octet_length(image) where image is not null;

insert into account_usage
select id,
  (select count(*) from sources where account_id = a.id),
  (select coalesce(sum(bytes), 0) from sources where account_id = a.id),
  (select count(*) from patterns where account_id = a.id),
  (select count(*) from api_keys where account_id = a.id and revoked_at is null),
  (select coalesce(sum(counted_bytes), 0) from exports where account_id = a.id)
    + (select coalesce(sum(counted_bytes), 0) from mockups where account_id = a.id)
from accounts a;

create function begin_usage() returns trigger language plpgsql as $$
begin
  insert into account_usage (account_id) values (new.id);
  return null;
end $$;
create trigger begin_usage after insert on accounts for each row execute function begin_usage();

-- By statement, so that a bulk load updates each counter once. `changed` holds the rows.
create function count_sources() returns trigger language plpgsql as $$
declare sign bigint := case tg_op when 'DELETE' then -1 else 1 end;
begin
  update account_usage u
  set sources = u.sources + sign * c.number, source_bytes = u.source_bytes + sign * c.bytes
  from (select account_id, count(*) as number, sum(bytes)::bigint as bytes
        from changed group by account_id) c
  where u.account_id = c.account_id;
  return null;
end $$;
create trigger count_new after insert on sources
  referencing new table as changed for each statement execute function count_sources();
create trigger count_deleted after delete on sources
  referencing old table as changed for each statement execute function count_sources();

create function count_patterns() returns trigger language plpgsql as $$
declare sign bigint := case tg_op when 'DELETE' then -1 else 1 end;
begin
  update account_usage u set patterns = u.patterns + sign * c.number
  from (select account_id, count(*) as number from changed group by account_id) c
  where u.account_id = c.account_id;
  return null;
end $$;
create trigger count_new after insert on patterns
  referencing new table as changed for each statement execute function count_patterns();
create trigger count_deleted after delete on patterns
  referencing old table as changed for each statement execute function count_patterns();

-- A revoked key stays as a row.
create function count_api_keys() returns trigger language plpgsql as $$
begin
  update account_usage set api_keys = api_keys + case tg_op when 'INSERT' then 1 else -1 end
  where account_id = new.account_id;
  return null;
end $$;
create trigger count_new after insert on api_keys
  for each row execute function count_api_keys();
create trigger count_revoked after update of revoked_at on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function count_api_keys();

create function count_output() returns trigger language plpgsql as $$
declare sign bigint := case tg_op when 'DELETE' then -1 else 1 end;
begin
  update account_usage u set output_bytes = u.output_bytes + sign * c.bytes
  from (select account_id, sum(counted_bytes)::bigint as bytes from changed group by account_id) c
  where u.account_id = c.account_id;
  return null;
end $$;
create function recount_output() returns trigger language plpgsql as $$
begin
  update account_usage
  set output_bytes = output_bytes + new.counted_bytes - old.counted_bytes
  where account_id = new.account_id;
  return null;
end $$;
create trigger count_new after insert on exports
  referencing new table as changed for each statement execute function count_output();
create trigger count_deleted after delete on exports
  referencing old table as changed for each statement execute function count_output();
create trigger count_changed after update of counted_bytes on exports
  for each row when (new.counted_bytes <> old.counted_bytes) execute function recount_output();
create trigger count_new after insert on mockups
  referencing new table as changed for each statement execute function count_output();
create trigger count_deleted after delete on mockups
  referencing old table as changed for each statement execute function count_output();
create trigger count_changed after update of counted_bytes on mockups
  for each row when (new.counted_bytes <> old.counted_bytes) execute function recount_output();
