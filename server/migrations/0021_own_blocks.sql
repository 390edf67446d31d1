-- Why the company's own people blocked them; null: they did not. An operator's block stands beside it, and lifting one leaves the other.
alter table users add column team_block_reason text;
update users set team_block_reason = block_reason where blocked and not blocked_by_operator;
