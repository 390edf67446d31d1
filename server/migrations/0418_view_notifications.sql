-- How a user is notified of new messages in the conversations of a saved inbox view. Without a row, the general
-- settings of the user apply.
create table view_notifications (
  account_id uuid not null,
  user_id uuid not null,
  view_id uuid not null,
  devices boolean not null,
  toasts boolean not null,
  sound boolean not null,
  digest boolean not null,
  primary key (account_id, user_id, view_id),
  foreign key (account_id, view_id) references saved_views (account_id, id) on delete cascade
);
create index view_notifications_view on view_notifications (account_id, view_id);
