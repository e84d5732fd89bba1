-- A message to the client of a session, as opposed to one from it.
alter table mcp_frames add column is_reply boolean not null default false;
