alter table account_usage add column pinned_renders bigint not null default 0;
update account_usage u set pinned_renders =
  (select count(*) from pinned_renders where account_id = u.account_id);

create function count_pinned_renders() returns trigger language plpgsql as $$
declare sign bigint := case tg_op when 'DELETE' then -1 else 1 end;
begin
  update account_usage u set pinned_renders = u.pinned_renders + sign * c.number
  from (select account_id, count(*) as number from changed group by account_id) c
  where u.account_id = c.account_id;
  return null;
end $$;
create trigger count_new after insert on pinned_renders
  referencing new table as changed for each statement execute function count_pinned_renders();
create trigger count_deleted after delete on pinned_renders
  referencing old table as changed for each statement execute function count_pinned_renders();
