-- Accounts that were created before have no pending credits, and an address that nobody verified.
alter table accounts add column email_verified_at timestamptz;
-- What the account gets once its address is verified.
alter table accounts add column verification_credits bigint not null default 0
  check (verification_credits >= 0);

-- Tokens in links that were sent by mail. Only their hash is here; each works once.
create table mail_tokens (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  account_id bigint not null references accounts on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  expires_at timestamptz not null
);

create index mail_tokens_account on mail_tokens (account_id);
create index mail_tokens_expiry on mail_tokens (expires_at);
