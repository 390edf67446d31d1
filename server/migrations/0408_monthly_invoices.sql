-- One invoice for all payments in a month, if the account has chosen it.
alter table payment_accounts add column monthly_invoices boolean not null default false;

-- The month whose payments the invoice covers. Null: the invoice or credit note is for one payment.
alter table invoices add column month date check (extract(day from month) = 1);
alter table invoices alter column payment_id drop not null;
alter table invoices add constraint invoices_scope check ((payment_id is null) = (month is not null)) not valid;
alter table invoices validate constraint invoices_scope;

-- The payments of the invoices for a month.
create table invoice_payments (
  account_id uuid not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  net_micros bigint not null check (net_micros > 0),
  primary key (account_id, payment_id)
);
create index invoice_payments_invoice on invoice_payments (account_id, invoice_id);
