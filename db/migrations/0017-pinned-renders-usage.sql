alter table account_usage add column pinned_renders bigint not null default 0;
update account_usage u set pinned_renders =
  (select count(*) from pinned_renders where account_id = u.account_id);

create trigger count_new after insert on pinned_renders
  referencing new table as changed for each statement
  execute function count_rows('pinned_renders', 'count(*)');
create trigger count_deleted after delete on pinned_renders
  referencing old table as changed for each statement
  execute function count_rows('pinned_renders', 'count(*)');
