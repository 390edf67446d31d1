-- An episode begins after the last one of its conversation, so a conversation that is closed and opened again at the
-- same instant has two. The sum also prevents a plan that reads all episodes of the account in the order of their
-- closing, which the planner chooses while the statistics of the table are old.
create or replace function keep_episodes() returns trigger language plpgsql as $function$
declare
  was_open boolean := tg_op = 'UPDATE' and old.status <> 'closed' and old.delete_date is null;
  is_open boolean := new.status <> 'closed' and new.delete_date is null;
begin
  if is_open and not was_open then
    insert into conversation_episodes (account_id, conversation_id, channel, open_date, waiting_date, assignee_id)
    values (new.account_id, new.id, new.channel,
            -- A message that arrives late does not open the conversation before it was last closed.
            greatest(coalesce(new.waiting_since, case tg_op when 'INSERT' then new.create_date else now() end),
                     (select max(e.close_date + interval '1 microsecond') from conversation_episodes e
                      where e.account_id = new.account_id and e.conversation_id = new.id)),
            new.waiting_since, new.assignee_id)
    on conflict do nothing;
  elsif was_open and not is_open then
    update conversation_episodes e
    set close_date = greatest(e.open_date, now()), assignee_id = new.assignee_id,
        label_ids = array(select l.label_id from conversation_labels l
                          where l.account_id = new.account_id and l.conversation_id = new.id)
    where e.account_id = new.account_id and e.conversation_id = new.id and e.close_date is null;
  elsif was_open then
    update conversation_episodes e
    set assignee_id = new.assignee_id, waiting_date = coalesce(e.waiting_date, new.waiting_since)
    where e.account_id = new.account_id and e.conversation_id = new.id and e.close_date is null;
  end if;
  return null;
end $function$;
