-- Renders that are ordered together. Their pictures are not stored: an item has the hash of its own, and
-- what renders it again.
create table batches (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  name text,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'finished', 'cancelled')),
  -- Items: all, those with a picture, and those with an error.
  total integer not null check (total > 0),
  done integer not null default 0,
  failed integer not null default 0,
  -- How often a job began it; only the latest run may write.
  runs integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz
);

create index batches_of_account on batches (account_id, id desc);
create index batches_by_expiry on batches (expires_at);

-- Their patterns as they were when the batch was created.
create table batch_patterns (
  batch_id bigint not null references batches on delete cascade,
  -- No reference: the pattern may be deleted before the batch.
  pattern_id bigint not null,
  name text,
  source_sha256 bytea not null,
  design jsonb not null,
  primary key (batch_id, pattern_id)
);

create table batch_items (
  batch_id bigint not null references batches on delete cascade,
  -- From 0.
  index integer not null,
  pattern_id bigint not null,
  -- As json: it is checked when the item is rendered, and jsonb takes no NUL.
  request json not null,
  status text not null default 'queued' check (status in ('queued', 'done', 'failed')),
  -- How often its render was begun.
  attempts integer not null default 0,
  error json,
  fingerprint bytea check (octet_length(fingerprint) = 32),
  sha256 bytea check (octet_length(sha256) = 32),
  bytes bigint,
  media_type text,
  width integer,
  height integer,
  primary key (batch_id, index)
);

create index batch_items_by_status on batch_items (batch_id, status, index);

alter table account_usage
  add column batch_items bigint not null default 0,
  add column open_batches bigint not null default 0;

create trigger count_new after insert on batches
  referencing new table as changed for each statement
  execute function count_rows('batch_items', 'sum(total)');
create trigger count_deleted after delete on batches
  referencing old table as changed for each statement
  execute function count_rows('batch_items', 'sum(total)');
create trigger count_new_open after insert on batches
  referencing new table as changed for each statement
  execute function count_rows('open_batches', 'count(*) filter (where finished_at is null)');
create trigger count_deleted_open after delete on batches
  referencing old table as changed for each statement
  execute function count_rows('open_batches', 'count(*) filter (where finished_at is null)');

create function count_ended() returns trigger language plpgsql as $$
begin
  update account_usage set open_batches = open_batches - 1 where account_id = new.account_id;
  return null;
end $$;
create trigger count_ended after update of finished_at on batches
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function count_ended();
