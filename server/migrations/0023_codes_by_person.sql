create index code_sends_login on code_sends (login_id, create_date) where login_id is not null;
