-- Names that differ only in the form of their letters (full width, ligatures) are the same name.
drop index accounts_company;
create unique index accounts_company on accounts (lower(normalize(company_name, nfkc)))
  where parent_id is null and close_date is null and kind = 'CUSTOMER' and name_held;
drop index accounts_sibling;
create unique index accounts_sibling on accounts (parent_id, lower(normalize(company_name, nfkc)))
  where parent_id is not null and close_date is null;
