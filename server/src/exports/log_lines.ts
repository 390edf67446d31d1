/**
 * Writes the lines of the message log as CSV in PostgreSQL, because an object for each row costs several times as much
 * as its line. PostgreSQL writes only lines in which no cell needs a guard against formulas. The others are read as
 * rows and written like those of every other list, so the rules for such cells exist once (kernel/files/csv.ts).
 */
import type { AnyExportColumn } from '@parley/contract/exports/columns.ts';
import { WA_CATEGORIES } from '@parley/contract/messages/content.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { join, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Paged } from '../kernel/db/list.ts';
import { followPages, hidesSpend, type ListCall, parseListCall } from '../kernel/http/list_calls.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { listLoggedMessages, readLogColumns } from '../messages/messages.ts';
import { csvRow, wallClock } from './file_format.ts';

const PAGE_SIZE = 2_000;

/** What `\s` matches in JavaScript. */
const SPACES = ' \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const SIGNS = '=+@\\uff1d\\uff0b\\uff0d\\uff20-';
/** Matches every text that csv.ts could guard, and more. */
const GUARDED = `[\\t\\r]|(^|[,;|\\n])[${SPACES}"'\\u200b]*[${SIGNS}]`;
const QUOTED = `[",;|\\n]|^[${SPACES}]|[${SPACES}]$`;
/** Matches every name that is not written as it is. */
const SPECIAL = `[",;|\\t\\r\\n]|^[${SPACES}'\\u200b${SIGNS}]|[${SPACES}]$`;

const text = (value: Sql): Sql => sql`
  case when ${value} collate "C" ~ ${QUOTED} then '"' || replace(${value}, '"', '""') || '"'
    else coalesce(${value}, '') end`;
/** A value without spaces, separators, and quotation marks. */
const word = (value: Sql): Sql => sql`coalesce(${value}, '')`;
const isGuarded = (value: Sql): Sql => sql`coalesce(${value} collate "C" ~ ${GUARDED}, false)`;
/** A regular expression would take three times as long. */
const hasOnlyDigits = (value: Sql): Sql => sql`ltrim(${value}, '0123456789') = ''`;
const address = (value: Sql): Sql => sql`
  case when ${hasOnlyDigits(value)} then
    case when length(${value}) between 7 and 15 then '+' || ${value} else ${value} end
  else ${text(value)} end`;

const recipient: Sql = sql`(case m.direction when 'MT' then m."to" else m."from" end)`;
const sender: Sql = sql`(case m.direction when 'MT' then m."from" else m."to" end)`;
const purpose: Sql = sql`(m.content->>'purpose')`;
const PURPOSES = WA_CATEGORIES.map((name) => name.toLowerCase());

/** The cells by the titles of their columns, except the time, which is converted to the zone of the file later. */
const CELLS: Readonly<Record<string, Sql>> = {
  Status: word(sql`m.status`),
  Reason: text(sql`coalesce(m.status_details, m.failure)`),
  Direction: sql`case m.direction when 'MT' then 'outbound' else 'inbound' end`,
  Number: address(recipient),
  Country: word(sql`m.country`),
  Sender: address(sender),
  Type: word(sql`m.type`),
  Text: text(sql`m.text`),
  Segments: word(sql`m.segments_count::text`),
  Price: word(sql`trim_scale(m.price_micros / 1000000.0)::text`),
  Currency: word(sql`m.currency`),
  Channel: word(sql`m.channel`),
  Network: word(sql`(select n.name from networks n where n.mccmnc = m.mccmnc)`),
  'MCC/MNC': word(sql`m.mccmnc`),
  Source: word(sql`m.source`),
  Category: sql`case when ${purpose} = any(${PURPOSES}::text[]) then upper(${purpose}) else '' end`,
  Verification: word(sql`m.verification_status`),
};
const HIDDEN_CELLS: typeof CELLS = { ...CELLS, Price: sql`''` };

/** True if csv.ts must write the line. */
const isSpecial: Sql = sql`
  ${isGuarded(sql`m.text`)} or ${isGuarded(sql`m.status_details`)}
  or not ${hasOnlyDigits(sql`m."from"`)} and ${isGuarded(sql`m."from"`)}
  or not ${hasOnlyDigits(sql`m."to"`)} and ${isGuarded(sql`m."to"`)}
  or exists (select from networks n where n.mccmnc = m.mccmnc and n.name collate "C" ~ ${SPECIAL})`;

interface Line {
  id: string;
  /** The time in seconds. */
  time: number;
  is_special: boolean;
  /** The cells before and after the time. */
  head: string;
  tail: string;
}

interface Target {
  columns: readonly AnyExportColumn[];
  /** The time zone of the file. */
  zone: string;
}

/** The columns of a line of `messages m`. */
function lineColumns(columns: readonly AnyExportColumn[], seesPrices: boolean): Sql {
  const cells = seesPrices ? CELLS : HIDDEN_CELLS;
  const time = columns.findIndex(({ isTime }) => isTime);
  const joined = (part: readonly AnyExportColumn[]): Sql => {
    if (part.length === 0) return sql`''`;
    return join(
      part.map(({ title }) => {
        const cell = cells[title];
        if (!cell) throw new Error(`no cell for the column ${title}`);
        return cell;
      }),
      ` || ',' || `,
    );
  };
  const head = joined(time < 0 ? columns : columns.slice(0, time));
  const tail = joined(time < 0 ? [] : columns.slice(time + 1));
  return sql`m.id, floor(date_part('epoch', m.create_date)) as time, ${isSpecial} as is_special, ${head} as head,
    ${tail} as tail`;
}

const toTimestamp = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');

/** Joins the cells of a line with its time. */
function lineWriter({ columns, zone }: Target): (line: Line) => string {
  const time = columns.findIndex(({ isTime }) => isTime);
  if (time < 0) return ({ head }) => `${head}\r\n`;
  const toWall = wallClock(zone);
  const before = time === 0 ? '' : ',';
  const after = time === columns.length - 1 ? '' : ',';
  return (line) => `${line.head}${before}${toWall(toTimestamp(line.time))}${after}${line.tail}\r\n`;
}

/** Yields the pages of the log as lines. */
export function readLogLines(tx: Tx, actor: Actor, call: ListCall, target: Target): AsyncGenerator<Paged<string>> {
  const { query } = parseListCall(call);
  const columns = lineColumns(target.columns, seesSpend(actor.permissions));
  const write = lineWriter(target);
  const hide = hidesSpend(actor, call.endpoint);
  const writeRow = csvRow(target.columns, target.zone);
  return followPages(async (portion) => {
    const page = await readLogColumns<Line>(tx, actor, { ...query, ...portion, page_size: PAGE_SIZE }, columns);
    const special = page.data.flatMap(({ id, is_special }) => (is_special ? [id] : []));
    const rows = new Map(
      (await listLoggedMessages(tx, actor.account_id, special)).map((row) => [
        row.id,
        writeRow(hide ? hide(row) : row),
      ]),
    );
    return {
      ...page,
      data: page.data.map((line) => (line.is_special ? rows.get(line.id)! : write(line))),
    };
  }, call.isCounted);
}
