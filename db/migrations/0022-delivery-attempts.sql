-- Every attempt at a delivery, beside the last one in its row.
create table delivery_attempts (
  delivery_id uuid not null references deliveries on delete cascade,
  number integer not null,
  attempted_at timestamptz not null,
  response_status integer,
  response_ms integer not null,
  response_body text,
  error text,
  primary key (delivery_id, number)
);
