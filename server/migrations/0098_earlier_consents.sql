-- The changes of the stop list from before consents existed. The trigger already adds the new ones.
insert into consents (account_id, id, number, channel, change, method, text, sender_id, message_id, user_id,
  create_date)
select h.account_id, h.id, h.number, s.channel,
  case when h.change = 'stopped' then 'withdrawn' when h.reason = 'keyword' then 'given' else 'reinstated' end,
  h.reason, h.text, h.sender_id, h.message_id, h.user_id, h.create_date
from stop_list_history h left join senders s on s.account_id = h.account_id and s.id = h.sender_id
on conflict (account_id, id) do nothing;
