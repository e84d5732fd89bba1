-- Bytes may be in an object store. Then a row has the key of its object, and no bytes.
alter table source_bytes
  add column object_key text,
  alter column bytes drop not null,
  add constraint source_bytes_place check (num_nonnulls(bytes, object_key) = 1);
alter table mockups
  add column object_key text,
  -- Of the picture; null for those that are older than this column.
  add column image_bytes bigint,
  add constraint mockups_place check (num_nonnulls(image, object_key) <= 1);
alter table exports add column object_key text;
-- Of a file in the object store only the hashes are here.
alter table export_chunks alter column content drop not null;

create unique index source_bytes_object on source_bytes (object_key) where object_key is not null;
create unique index mockups_object on mockups (object_key) where object_key is not null;
create unique index exports_object on exports (object_key) where object_key is not null;

-- Keys of objects that no row has any more, until they are deleted. Kept by triggers: rows also go by
-- cascades.
create table removed_objects (
  key text primary key,
  removed_at timestamptz not null default now(),
  -- When its deletion last failed.
  failed_at timestamptz
);
create index removed_objects_order on removed_objects (failed_at nulls first, removed_at);

create function remove_object() returns trigger language plpgsql as $$
begin
  insert into removed_objects (key) values (old.object_key) on conflict do nothing;
  return null;
end $$;

create trigger remove_object after delete on source_bytes
  for each row when (old.object_key is not null) execute function remove_object();
create trigger replace_object after update of object_key on source_bytes
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object();
create trigger remove_object after delete on mockups
  for each row when (old.object_key is not null) execute function remove_object();
create trigger replace_object after update of object_key on mockups
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object();
create trigger remove_object after delete on exports
  for each row when (old.object_key is not null) execute function remove_object();
create trigger replace_object after update of object_key on exports
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object();
