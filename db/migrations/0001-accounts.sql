create table accounts (
  id bigint generated always as identity primary key,
  email text not null,
  password_hash text,
  plan text not null check (plan in ('starter', 'pro', 'agency', 'trial')),
  credits bigint not null check (credits >= 0),
  frozen boolean not null default false,
  low_credit_threshold bigint not null default 10 check (low_credit_threshold >= 0),
  return_origins text[] not null default '{}',
  created_at timestamptz not null default now()
);

-- One account per mailbox, however its name is capitalised.
create unique index accounts_email on accounts (lower(email));

-- Why a balance is what it is: one row for every change of it, never rewritten.
create table credit_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  amount bigint not null check (amount <> 0),
  reason text not null,
  reference text,
  balance_after bigint not null check (balance_after >= 0),
  created_at timestamptz not null default now()
);

create index credit_entries_account on credit_entries (account_id, id);

-- The secret itself is nowhere: only its SHA-256 and what people tell keys apart by.
create table api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  name text not null,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_account on api_keys (account_id, id);
