-- What a key may do; null: everything, also what is added later.
alter table api_keys add column scopes text[];
