-- The recipients of an A/B test are a random sample.
alter table campaigns
  -- Chooses the sample, together with the numbers of the contacts. Set at the start.
  add column test_seed bigint,
  -- The contacts up to this hash are in the sample. Null: everyone is.
  add column test_threshold bigint,
  -- The last contact that was read for the sample. The contacts of the sample up to this one are decided.
  add column test_cursor uuid;
