-- What was refused, as it stood then: the sender is mended and sent again, and its earlier requests must not seem to have been about that.
alter table sender_requests add column refused_name text, add column refused_code text, add column refused_countries text[];
