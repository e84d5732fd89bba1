-- What a shop says of a handoff, and how the customer came back.
alter table handoffs add column product jsonb;
alter table handoffs add column locale text;
alter table handoffs add column cancel_url text;
alter table handoffs add column metadata jsonb;
-- Returned to the shop as it came.
alter table handoffs add column state text;
alter table handoffs add column cancelled_at timestamptz;

-- What was handed over to a shop, as it was then. It outlives the pattern, hence no reference to it.
create table handoff_recipes (
  handoff_id bigint not null references handoffs on delete cascade,
  pattern_id bigint not null,
  recipe jsonb not null,
  -- When the customer returned with it last.
  handed_over_at timestamptz not null default now(),
  primary key (handoff_id, pattern_id)
);

insert into handoff_recipes (handoff_id, pattern_id, recipe, handed_over_at)
select h.id, p.id,
  jsonb_build_object('source_id', p.source_id, 'source_sha256', encode(s.sha256, 'hex'), 'name', p.name,
    'group', p."group", 'motif', p.motif, 'lattice', p.lattice, 'seam', p.seam, 'effects', p.effects,
    'palette', p.palette, 'style', p.style, 'background', p.background),
  h.finished_at
from handoffs h join patterns p on p.id = h.pattern_id join sources s on s.id = p.source_id
where h.finished_at is not null;

-- Signs what customers return with. After a rotation the previous one signs for a while.
alter table accounts add column handoff_secret text;
alter table accounts add column previous_handoff_secret text;
alter table accounts add column previous_handoff_secret_until timestamptz;
