-- A shop's customer on the way through the editor: from the shop's request to the way back.
create table handoffs (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  product_id bigint not null,
  return_url text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the token was used; it works once.
  opened_at timestamptz,
  -- What the customer went back with.
  pattern_id bigint references patterns on delete set null,
  finished_at timestamptz
);

create index handoffs_account on handoffs (account_id, id);
create index handoffs_pattern on handoffs (pattern_id) where pattern_id is not null;

-- What a customer made belongs to the account, and is all that the customer's session reaches.
alter table sources add column handoff_id bigint references handoffs;
alter table patterns add column handoff_id bigint references handoffs;

create index sources_handoff on sources (handoff_id) where handoff_id is not null;
create index patterns_handoff on patterns (handoff_id) where handoff_id is not null;
