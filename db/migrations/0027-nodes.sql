-- Nodes that render for others, each renewed by itself. After a crash of the database they are back with
-- their next beat.
create unlogged table render_nodes (
  id uuid primary key,
  -- Where other nodes reach it: http://host:port.
  url text not null,
  -- Versions of the engine and of the program: others may return other bytes.
  engine text not null,
  threads integer not null check (threads > 0),
  seen_at timestamptz not null
);
