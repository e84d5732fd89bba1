-- Pictures by content address: the same bytes are kept once, whoever sends them.
create table source_bytes (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  bytes bytea not null
);

-- Pictures are compressed already.
alter table source_bytes alter column bytes set storage external;

create table sources (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  kind text not null check (kind in ('preset', 'url', 'upload')),
  preset text,
  seed bigint,
  url text,
  media_type text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  has_alpha boolean not null,
  sha256 bytea not null references source_bytes,
  created_at timestamptz not null default now(),
  -- What a pattern's reference stands on, so that it cannot reach into another account.
  unique (account_id, id)
);

create index sources_sha256 on sources (sha256);

create table patterns (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  source_id bigint not null,
  "group" text not null,
  name text,
  motif jsonb not null,
  lattice jsonb not null,
  seam jsonb not null,
  effects jsonb not null,
  palette jsonb,
  style text,
  background text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint patterns_source foreign key (account_id, source_id) references sources (account_id, id)
);

create index patterns_account on patterns (account_id, id);
create index patterns_source on patterns (account_id, source_id);
