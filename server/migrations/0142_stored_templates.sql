-- The language under which a carrier stores a template that operators reviewed.
alter table templates add column external_language text;

-- Until now, messages sent the template's own language.
update templates set external_language = split_part(language, '_', 1)
where channel = 'VIBER' and external_id is not null;
