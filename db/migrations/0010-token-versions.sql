-- Raised by a log-out and a change of password: tokens that carry a lower version are revoked.
alter table accounts add column token_version integer not null default 0;
