-- Words for programs: a reason is shown in the account's history.
update credit_entries set reason = replace(reason, ' ', '_');

-- What happened, written in the transaction of the thing that did, for those who want to be told.
create table events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  event text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);

create index events_account on events (account_id, id);

-- Calls that came with an Idempotency-Key. Only the key's hash is kept, and the answer only as its
-- holder can read it: it is encrypted with a key made of the Idempotency-Key.
create table idempotent_calls (
  account_id bigint not null references accounts,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  fingerprint bytea not null,
  -- Who is at work on it; another one may take over once the lease has run out.
  claim uuid not null,
  leased_until timestamptz not null,
  -- Null until the work is done.
  answer bytea,
  expires_at timestamptz not null,
  primary key (account_id, key_hash)
);

create index idempotent_calls_expiry on idempotent_calls (expires_at);

-- Counters that may be lost with a crash.
create unlogged table rate_limits (
  key text primary key,
  used integer not null,
  window_ends timestamptz not null
);

create index rate_limits_end on rate_limits (window_ends);

-- Secrets that all nodes share, made when they are first needed.
create table secrets (
  name text primary key,
  value bytea not null
);
