-- Emails and verification codes are sealed until they are sent. Afterward, only what support needs is kept: the
-- recipient, a subject without the code, and the result.

alter table mails
  -- Subject, HTML, and text until the email is sent, then null.
  add column sealed text,
  alter column html drop not null,
  alter column body drop not null;
-- Emails that still wait keep their text until they are sent.
update mails set html = null, body = null, subject = regexp_replace(subject, '^[0-9]{6} ', '****** ')
where status <> 'waiting';

alter table dispatch
  -- The text of a message that contains a code. The message itself has the masked text.
  add column sealed_text text;
update messages m set text = regexp_replace(text, '^[0-9]{6} ', '****** ')
where account_id in (select id from accounts where kind = 'OPERATOR') and source = 'verification'
  and text ~ '^[0-9]{6} '
  and not exists (select from dispatch d where d.account_id = m.account_id and d.message_id = m.id);
