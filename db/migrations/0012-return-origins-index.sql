-- Requests of pages elsewhere name their origin before they say which account they call.
create index accounts_return_origins on accounts using gin (return_origins);
