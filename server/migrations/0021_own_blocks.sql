-- Why users of the account blocked the user. Null: they did not. A block by an operator is independent of this one.
alter table users add column team_block_reason text;
update users set team_block_reason = block_reason where blocked and not blocked_by_operator;
