-- What a guest may still make in a handoff: creations that cost credits, and free uploads, each up to
-- `max_patterns`.
alter table handoffs add column max_patterns integer not null default 20;
alter table handoffs alter column max_patterns drop default;
alter table handoffs add column creations integer not null default 0;
alter table handoffs add column uploads integer not null default 0;

update handoffs h set
  creations = (select count(*) from patterns where handoff_id = h.id)
    + (select count(*) from sources where handoff_id = h.id and kind = 'preset'),
  uploads = (select count(*) from sources where handoff_id = h.id and kind <> 'preset');
