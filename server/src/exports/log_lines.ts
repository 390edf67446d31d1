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

const PAGE_SIZE = 5_000;

/** What `\s` matches in JavaScript. */
const SPACES = ' \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
/** Matches every text that csv.ts could guard, and more. Texts are joined with commas, which begin a new part. */
const GUARDED = `[\\t\\r]|(^|[,;|\\n])[${SPACES}"'\\u200b]*[=+@\\uff1d\\uff0b\\uff0d\\uff20-]`;
const QUOTED = `[",;|\\n]|^[${SPACES}]|[${SPACES}]$`;
const PHONE_NUMBER = '^[0-9]{7,15}$';

const text = (value: Sql): Sql => sql`
  case when ${value} collate "C" ~ ${QUOTED} then '"' || replace(${value}, '"', '""') || '"'
    else coalesce(${value}, '') end`;
/** A value without spaces, separators, and quotation marks. */
const word = (value: Sql): Sql => sql`coalesce(${value}, '')`;
const address = (value: Sql): Sql => sql`
  case when ${value} collate "C" ~ ${PHONE_NUMBER} then '+' || ${value} else ${text(value)} end`;

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
  Network: text(sql`n.name`),
  'MCC/MNC': word(sql`m.mccmnc`),
  Source: word(sql`m.source`),
  Category: sql`case when ${purpose} = any(${PURPOSES}::text[]) then upper(${purpose}) else '' end`,
  Verification: word(sql`m.verification_status`),
};
const HIDDEN_CELLS: typeof CELLS = { ...CELLS, Price: sql`''` };

/** The texts that other people write. */
const TEXTS: Sql = sql`concat_ws(',', m.text, m.status_details, m."from", m."to", n.name)`;

interface Line {
  id: string;
  time: string;
  /** The cells before and after the time. Null if the line must be written by csv.ts. */
  parts: [head: string, tail: string] | null;
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
  return sql`m.id, to_char(m.create_date, 'YYYY-MM-DD HH24:MI:SS') as time, (
    select case when ${TEXTS} collate "C" ~ ${GUARDED} then null else array[${head}, ${tail}] end
    from (select (select w.name from networks w where w.mccmnc = m.mccmnc) as name offset 0) n
  ) as parts`;
}

/** Joins the parts of a line with its time. */
function lineWriter({ columns, zone }: Target): (line: Line, parts: [string, string]) => string {
  const time = columns.findIndex(({ isTime }) => isTime);
  if (time < 0) return (_, [head]) => `${head}\r\n`;
  const toWall = wallClock(zone);
  const before = time === 0 ? '' : ',';
  const after = time === columns.length - 1 ? '' : ',';
  return (line, [head, tail]) => `${head}${before}${toWall(line.time)}${after}${tail}\r\n`;
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
    const guarded = page.data.flatMap(({ id, parts }) => (parts === null ? [id] : []));
    const rows = new Map(
      (await listLoggedMessages(tx, actor.account_id, guarded)).map((row) => [
        row.id,
        writeRow(hide ? hide(row) : row),
      ]),
    );
    return {
      ...page,
      data: page.data.map((line) => (line.parts === null ? rows.get(line.id)! : write(line, line.parts))),
    };
  }, call.isCounted);
}
