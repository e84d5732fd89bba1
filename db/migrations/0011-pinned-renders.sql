-- What signed links stand for, as it was when they were made. Links of an account to the same picture
-- share a row, which is kept until the last of them has expired.
create table pinned_renders (
  -- A content hash, as it stands in the links.
  id bytea primary key check (octet_length(id) = 16),
  account_id bigint not null references accounts on delete cascade,
  -- No reference: the pattern may go before the links do.
  pattern_id bigint not null,
  name text,
  -- The SHA-256 of everything that decides the picture's bytes, the engine's version included.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  source_sha256 bytea not null check (octet_length(source_sha256) = 32),
  design jsonb not null,
  fields jsonb not null,
  expires_at timestamptz not null
);

create index pinned_renders_account on pinned_renders (account_id, expires_at);
create index pinned_renders_by_expiry on pinned_renders (expires_at);
