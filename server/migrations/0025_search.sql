-- Finding contacts by the beginning of their full name or of their last name, in all audiences of an account.
create index contacts_full_name on contacts (account_id, lower(first_name || ' ' || last_name) text_pattern_ops)
  where first_name <> '';
create index contacts_last_name on contacts (account_id, lower(last_name) text_pattern_ops) where last_name <> '';
