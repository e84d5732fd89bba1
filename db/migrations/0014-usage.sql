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

-- Bytes that an export or a mockup is counted with: an estimate until it is done, as the orders make it.
alter table exports add column counted_bytes bigint not null default 0;
alter table exports alter column counted_bytes drop default;
update exports set counted_bytes = case status
  when 'done' then bytes
  when 'failed' then 0
  else 65536 + (preflight #>> '{pixels,width}')::bigint * (preflight #>> '{pixels,height}')::bigint
    * case when fields ->> 'format' = 'jpeg'
        or (preflight ->> 'repeats')::boolean and preflight ->> 'raster' = 'sheet' then 1 else 4 end
  end;
alter table mockups add column counted_bytes bigint not null default 0;
alter table mockups alter column counted_bytes drop default;
update mockups set counted_bytes = case status
  when 'done' then octet_length(image) when 'failed' then 0 else 1048576 end;

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

-- By statement, so that a bulk load updates each counter once. `changed` holds the rows; the trigger's
-- arguments are a counter and the aggregate by which they change it.
create function count_rows() returns trigger language plpgsql as $$
begin
  execute format(
    'update account_usage u set %1$I = u.%1$I %2$s c.amount
     from (select account_id, %3$s::bigint as amount from changed group by account_id) c
     where u.account_id = c.account_id',
    tg_argv[0], case tg_op when 'DELETE' then '-' else '+' end, tg_argv[1]);
  return null;
end $$;
create trigger count_new after insert on sources
  referencing new table as changed for each statement
  execute function count_rows('sources', 'count(*)');
create trigger count_deleted after delete on sources
  referencing old table as changed for each statement
  execute function count_rows('sources', 'count(*)');
create trigger count_new_bytes after insert on sources
  referencing new table as changed for each statement
  execute function count_rows('source_bytes', 'sum(bytes)');
create trigger count_deleted_bytes after delete on sources
  referencing old table as changed for each statement
  execute function count_rows('source_bytes', 'sum(bytes)');
create trigger count_new after insert on patterns
  referencing new table as changed for each statement
  execute function count_rows('patterns', 'count(*)');
create trigger count_deleted after delete on patterns
  referencing old table as changed for each statement
  execute function count_rows('patterns', 'count(*)');
create trigger count_new after insert on api_keys
  referencing new table as changed for each statement
  execute function count_rows('api_keys', 'count(*)');
create trigger count_new after insert on exports
  referencing new table as changed for each statement
  execute function count_rows('output_bytes', 'sum(counted_bytes)');
create trigger count_deleted after delete on exports
  referencing old table as changed for each statement
  execute function count_rows('output_bytes', 'sum(counted_bytes)');
create trigger count_new after insert on mockups
  referencing new table as changed for each statement
  execute function count_rows('output_bytes', 'sum(counted_bytes)');
create trigger count_deleted after delete on mockups
  referencing old table as changed for each statement
  execute function count_rows('output_bytes', 'sum(counted_bytes)');

-- A revoked key stays as a row.
create function count_revoked() returns trigger language plpgsql as $$
begin
  update account_usage set api_keys = api_keys - 1 where account_id = new.account_id;
  return null;
end $$;
create trigger count_revoked after update of revoked_at on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function count_revoked();

create function recount_output() returns trigger language plpgsql as $$
begin
  update account_usage
  set output_bytes = output_bytes + new.counted_bytes - old.counted_bytes
  where account_id = new.account_id;
  return null;
end $$;
create trigger count_changed after update of counted_bytes on exports
  for each row when (new.counted_bytes <> old.counted_bytes) execute function recount_output();
create trigger count_changed after update of counted_bytes on mockups
  for each row when (new.counted_bytes <> old.counted_bytes) execute function recount_output();
