-- The contacts that a cancellation left without a message. A job stores them in campaign_skips.
alter table campaigns
  -- Contacts after this one were left out. Set when the campaign is canceled.
  add column canceled_after uuid,
  -- Whether campaign_skips has these contacts. False until the job has ended, and for earlier cancellations.
  add column lists_canceled boolean not null default false;
