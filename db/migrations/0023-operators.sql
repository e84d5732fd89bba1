-- Operators see all accounts in the console; owners see their own.
alter table accounts add column role text not null default 'owner'
  check (role in ('owner', 'operator'));

-- The last request with a user session token, to the hour; keys note theirs themselves.
alter table accounts add column last_used_at timestamptz;

-- What an operator wrote beside a change of the balance.
alter table credit_entries add column note text;

-- What operators did to accounts, never rewritten. It outlives them, hence no references.
create table operator_actions (
  id bigint generated always as identity primary key,
  action text not null,
  -- The account that it was done to.
  subject bigint not null,
  -- The operator's account; null: the command line.
  operator bigint,
  details jsonb not null,
  note text,
  created_at timestamptz not null default now()
);

create index operator_actions_subject on operator_actions (subject, id);

-- Where the link was sent, if it changes the address.
alter table mail_tokens add column email text;
alter table mail_tokens drop constraint mail_tokens_purpose_check;
alter table mail_tokens add check (purpose in ('verify_email', 'reset_password', 'change_email'));
