-- The brands that customers see: the brand of the installation (the zero UUID), and those of accounts with
-- sub-accounts.
create table brands (
  account_id uuid primary key,
  name text not null,
  -- Null: the colors of the app.
  color text,
  -- Derived from the color: see derivePalette in the contract.
  palette jsonb,
  -- A domain of the account. It is used only while link_domains has it as verified.
  domain text,
  sender_email text,
  logo_id uuid,
  logo_dark_id uuid,
  -- [{label, href, image_id}], for the brand of the installation.
  reviews jsonb not null default '[]',
  update_date timestamptz not null default now()
);
-- The host name of a request finds its brand. Two accounts can name the same domain, but only one can verify it.
create index brands_domain on brands (domain) where domain is not null;

-- The images of brands. Their addresses are public and contain the ID.
create table brand_images (
  id uuid primary key,
  account_id uuid not null,
  content_type text not null,
  bytes bytea not null,
  create_date timestamptz not null default now()
);
create index brand_images_account on brand_images (account_id, create_date);
