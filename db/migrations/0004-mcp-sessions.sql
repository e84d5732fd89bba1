-- MCP sessions over SSE. The stream is held by one node; messages for it may land on any.
create table mcp_sessions (
  id uuid primary key,
  account_id bigint not null references accounts,
  key_id bigint not null references api_keys,
  node uuid not null,
  -- Renewed by the node that holds the stream; a session of a node that died ends with it.
  alive_until timestamptz not null
);

create index mcp_sessions_key on mcp_sessions (key_id);
create index mcp_sessions_node on mcp_sessions (node);

-- Messages on their way to the node that holds the stream. They may be lost with a crash, as the
-- streams are.
create unlogged table mcp_frames (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  frame text not null,
  created_at timestamptz not null default now()
);

create index mcp_frames_session on mcp_frames (session_id, id);
