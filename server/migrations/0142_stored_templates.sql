-- The language under which a carrier stores a template that operators reviewed. Messages send it with the ID. Templates
-- approved before had to be stored under their own language.
alter table templates add column external_language text;

update templates set external_language = split_part(language, '_', 1)
where channel = 'VIBER' and external_id is not null;
