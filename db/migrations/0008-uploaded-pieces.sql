-- Pieces of a picture that is being uploaded; each upload's go in the transaction that made them.
create unlogged table uploaded_pieces (
  upload uuid not null,
  -- Bytes from the picture's start.
  start integer not null,
  piece bytea not null,
  primary key (upload, start)
);

alter table uploaded_pieces alter column piece set storage external;
