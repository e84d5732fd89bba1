-- Bytes that belong to a frame, in pieces that one query carries.
alter table mcp_frames add column attachment_bytes integer not null default 0;

create unlogged table mcp_attachments (
  frame bigint not null references mcp_frames on delete cascade,
  -- Bytes from the attachment's start.
  start integer not null,
  piece bytea not null,
  primary key (frame, start)
);

alter table mcp_attachments alter column piece set storage external;
