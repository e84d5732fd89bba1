-- Files for print. What is to be made is kept with the order, so that a pattern that is changed
-- afterwards changes nothing of it.
create table exports (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  pattern_id bigint not null references patterns on delete cascade,
  design jsonb not null,
  source_sha256 text not null,
  fields jsonb not null,
  preflight jsonb not null,
  media_type text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  -- Percent.
  progress integer not null default 0 check (progress between 0 and 100),
  -- How often it was begun. Whoever began it earlier has no say any more.
  runs integer not null default 0,
  -- How often one of those ended by a fault of ours, or without a word.
  failures integer not null default 0,
  certificate jsonb,
  error text,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz
);

create index exports_of_account on exports (account_id, id desc);
create index exports_of_pattern on exports (pattern_id, id desc);
create index exports_by_expiry on exports (expires_at);

-- Their files in pieces, so that any node can give out any part of them.
create table export_chunks (
  export_id bigint not null references exports on delete cascade,
  number integer not null,
  content bytea not null,
  primary key (export_id, number)
);

-- Pictures of products, one of each for a pattern.
create table mockups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  pattern_id bigint not null references patterns on delete cascade,
  product text not null,
  cell_mm double precision not null,
  -- The order in which it was last asked for.
  batch uuid not null,
  status text not null default 'queued' check (status in ('queued', 'done', 'failed')),
  error text,
  image bytea,
  sha256 text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (pattern_id, product)
);

create index mockups_of_batch on mockups (batch);

-- Both are compressed already.
alter table export_chunks alter column content set storage external;
alter table mockups alter column image set storage external;
