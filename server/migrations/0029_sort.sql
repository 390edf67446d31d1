-- Indexes for the orders of lists (decision 17).
create index campaigns_status on campaigns (account_id, status, id);
create index campaigns_start on campaigns (account_id, coalesce(start_date, schedule, create_date), id);
create index contacts_first_name on contacts (account_id, audience_id, lower(first_name), id);
create index contacts_by_last_name on contacts (account_id, audience_id, lower(last_name), id);
-- Lists of operators, which span all accounts.
create index accounts_name on accounts (lower(company_name), id);
create index accounts_country on accounts (country_code, id);
create index account_reviews_sent on account_reviews (create_date, id);
create index sender_requests_sent on sender_requests (create_date, id);
create index templates_sent on templates ((case when status = 'IN_PROCESS' then update_date else create_date end), id)
  where channel = 'VIBER' and delete_date is null;
create index numbers_status on numbers (status, number);
create index numbers_type on numbers (type, number);
create index numbers_country on numbers (country, city, number);
create index numbers_added on numbers (create_date, number);
