import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import type { Button } from '@parley/contract/messages/content.ts';
import { firstButton } from '@parley/contract/templates/buttons.ts';
import type { listTemplates, Template } from '@parley/contract/templates/templates.ts';
import { and, customPlan, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';

/** A stored template: the public fields and internal ones. */
export interface TemplateRow extends Omit<Template, 'button_type' | 'button_text' | 'button_value'> {
  sender_id: string | null;
  revision: number;
  tried: number;
  submitted: number;
}

export const columns: Sql = sql`
  t.id, t.account_id, t.channel, t.name, t.text, t.type, t.media_id, t.url, t.filename, t.header, t.footer, t.buttons,
  t.wa_category, s.code as wa_sender_code, t.language, t.samples, t.status, t.paused, t.disabled, t.quality, t.reason,
  t.external_id, t.external_language, t.create_date, t.update_date, t.sender_id, t.revision, t.tried, t.submitted`;
export const tables: Sql = sql`templates t left join senders s on s.account_id = t.account_id and s.id = t.sender_id`;

export function toTemplate(row: TemplateRow): Template {
  const { sender_id: _, revision: __, tried: ___, submitted: ____, ...template } = row;
  return { ...template, ...firstButton(row.buttons) };
}

export interface TemplateFilter {
  channel?: string | undefined;
  status?: string | undefined;
  statuses?: readonly string[] | undefined;
  /** Matches part of the name. */
  name?: string | undefined;
  sender_code?: string | undefined;
  wa_categories?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
}
const conditions = (account_id: string, filter: TemplateFilter): Sql =>
  and([
    sql`t.account_id = ${account_id} and t.delete_date is null`,
    filter.channel && sql`t.channel = ${filter.channel}`,
    filter.status && sql`t.status = ${filter.status}`,
    filter.statuses?.length && sql`t.status = any(${filter.statuses}::text[])`,
    filter.name && sql`t.name ilike ${likePattern(filter.name)}`,
    filter.sender_code && sql`s.code = ltrim(${filter.sender_code}, '+')`,
    filter.wa_categories?.length && sql`t.wa_category = any(${filter.wa_categories}::text[])`,
    filter.types?.length && sql`t.type = any(${filter.types}::text[])`,
  ]);

const SORTS: Sorts<typeof listTemplates> = {
  name: 'lower(t.name)',
  wa_category: "coalesce(t.wa_category, '')",
  status: 't.status',
  create_date: 't.id',
};

export const listTemplateRows = (db: Queryable, account_id: string, filter: TemplateFilter, page: Page) =>
  db.rows<TemplateRow>(
    customPlan(sql`
      select ${columns} from ${tables} where ${conditions(account_id, filter)}
      order by ${orderBy(page, SORTS, 't.id', 't.id desc')} limit ${page.size + 1} offset ${page.offset}`),
  );
export const countTemplates = async (db: Queryable, account_id: string, filter: TemplateFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (
          select 1 from ${tables} where ${conditions(account_id, filter)} limit ${CAP + 1}) capped`),
    )
  ).count;

export const findTemplate = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<TemplateRow>(sql`
    select ${columns} from ${tables} where t.account_id = ${account_id} and t.id = ${id} and t.delete_date is null`);
/** Locks the template, so that decisions on it happen one after the other. */
export const lockTemplate = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<TemplateRow>(sql`
    select ${columns} from ${tables}
    where t.account_id = ${account_id} and t.id = ${id} and t.delete_date is null for update of t`);

/** Selects the drafts and campaigns that would send the template. */
export const listUses = (db: Queryable, account_id: string, id: string) =>
  db.rows<{ kind: 'campaign'; id: string; name: string; status: CampaignStatus }>(sql`
    select 'campaign' as kind, id, name, status from campaigns
    where account_id = ${account_id} and template_id = ${id}
      and status in ('in_complete', 'scheduled', 'in_progress', 'paused')
    order by id desc limit 50`);
export const countSent = async (db: Queryable, account_id: string, id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from messages where account_id = ${account_id} and template_id = ${id} limit ${CAP + 1}) capped`)
  ).count;

export interface StoredFields {
  name: string;
  text: string;
  type: Template['type'];
  media_id: string | null;
  url: string | null;
  filename: string | null;
  header: string | null;
  footer: string | null;
  buttons: readonly Button[];
  wa_category: Template['wa_category'];
  sender_id: string | null;
  language: string;
  samples: readonly string[];
  status: Template['status'];
}

/** Returns 0 if the name is taken. */
export const insertTemplate = (
  tx: Tx,
  row: StoredFields & { account_id: string; id: string; channel: string; user_id: string | null },
) =>
  tx.run(sql`
    insert into templates (account_id, id, channel, name, text, type, media_id, url, filename, header, footer, buttons,
      wa_category, sender_id, language, samples, status, user_id, create_date, update_date)
    values (${row.account_id}, ${row.id}, ${row.channel}, ${row.name}, ${row.text}, ${row.type}, ${row.media_id},
      ${row.url}, ${row.filename}, ${row.header}, ${row.footer}, ${JSON.stringify(row.buttons)}::jsonb,
      ${row.wa_category}, ${row.sender_id}, ${row.language}, ${row.samples}, ${row.status}, ${row.user_id},
      ${tx.now}, ${tx.now})
    on conflict (account_id, channel, lower(name), language) where delete_date is null do nothing`);

/**
 * Stores a new revision, which has not been reviewed. `keeps_external_id` means that the reviewer uses one id for all
 * revisions. Otherwise, the id belongs to the previous text and is removed.
 */
export const updateTemplate = (
  tx: Tx,
  account_id: string,
  id: string,
  row: StoredFields & { keeps_external_id: boolean },
) =>
  tx.run(sql`
    update templates set name = ${row.name}, text = ${row.text}, type = ${row.type}, media_id = ${row.media_id},
      url = ${row.url}, filename = ${row.filename}, header = ${row.header}, footer = ${row.footer},
      buttons = ${JSON.stringify(row.buttons)}::jsonb, wa_category = ${row.wa_category}, sender_id = ${row.sender_id},
      language = ${row.language}, samples = ${row.samples},
      external_id = case when ${row.keeps_external_id} then external_id end,
      external_language = case when ${row.keeps_external_id} then external_language end,
      status = ${row.status}, paused = false, disabled = false, quality = null, reason = null,
      revision = revision + 1, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const setRemoved = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update templates set delete_date = ${tx.now}, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export interface Verdict {
  status: Template['status'];
  paused: boolean;
  /** True if the template is disabled permanently. */
  disabled?: boolean;
  /** Undefined keeps the rating. */
  quality?: Template['quality'];
  reason: Template['reason'];
  external_id: string | null;
  wa_category: Template['wa_category'];
}
/** `handed` means that the reviewer has this revision, so the reviewer's later notices count. */
export const setVerdict = (tx: Tx, account_id: string, id: string, verdict: Verdict, handed = true) =>
  tx.run(sql`
    update templates set status = ${verdict.status}, paused = ${verdict.paused},
      disabled = ${verdict.disabled === true},
      quality = case when ${verdict.quality !== undefined} then ${verdict.quality ?? null} else quality end,
      reason = ${verdict.reason && JSON.stringify(verdict.reason)}::jsonb,
      external_id = ${verdict.external_id}, wa_category = ${verdict.wa_category},
      submitted = case when ${handed} then revision else submitted end, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

/** Templates belong to the business account at the carrier: all its senders can use them. */
export const shareConnection = async (
  db: Queryable,
  account_id: string,
  template: Pick<TemplateRow, 'sender_id'>,
  sender_id: string,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders a join senders b on b.account_id = a.account_id and b.connection_id = a.connection_id
    where a.account_id = ${account_id} and a.id = ${template.sender_id} and b.id = ${sender_id}`)) !== null;

/** Stores the language under which the carrier stores the template. */
export const setExternalLanguage = (tx: Tx, account_id: string, id: string, language: string) =>
  tx.run(sql`
    update templates set external_language = ${language} where account_id = ${account_id} and id = ${id}`);

/** Stores which operator decided. */
export const setReviewer = (tx: Tx, account_id: string, id: string, user_id: string | null) =>
  tx.run(sql`
    update templates set decide_date = ${tx.now},
      reviewer_name = coalesce((select trim(first_name || ' ' || last_name) from users where id = ${user_id}::uuid), '')
    where account_id = ${account_id} and id = ${id}`);
