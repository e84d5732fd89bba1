-- Jobs that the transaction of something that happened asks for; they are handed to the job engine
-- once it has committed. So nothing is done for what did not happen, and nothing is forgotten.
create table outbox (
  id uuid primary key,
  queue text not null,
  -- Jobs of one group leave places for those of others.
  "group" text not null,
  data jsonb not null,
  -- Null: at once.
  start_after timestamptz,
  created_at timestamptz not null default now()
);

create index outbox_order on outbox (created_at);

create table webhooks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  url text not null,
  events text[] not null,
  -- Signing takes the secret itself, so no hash of it would do.
  secret text not null,
  -- The one before, as long as receivers may still go by it.
  previous_secret text,
  previous_until timestamptz,
  -- Why nothing is sent there any more; null while it is in use.
  disabled_reason text check (disabled_reason in ('by_request', 'gone')),
  created_at timestamptz not null default now()
);

create index webhooks_account on webhooks (account_id, id);

-- An event on its way to a subscription. `body` is what is sent, to the byte, each time.
create table deliveries (
  -- What receivers tell deliveries apart by, and
  id uuid primary key,
  -- what puts them in order.
  number bigint generated always as identity unique,
  account_id bigint not null references accounts,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  body text not null,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Sending it again by hand allows for more.
  attempts_allowed integer not null,
  -- Null when there will be none.
  next_attempt_at timestamptz,
  -- What came of the last attempt.
  attempted_at timestamptz,
  response_status integer,
  response_ms integer,
  response_body text,
  error text,
  created_at timestamptz not null default now()
);

create index deliveries_webhook on deliveries (webhook_id, number);
create index deliveries_age on deliveries (created_at);
