/** Everything that is stored about a person as one list: details, audiences, and stop list, then the timeline. */
import type { Person } from '@parley/contract/audiences/people.ts';
import { idChannel, idColumn, showNumber } from '@parley/contract/channels/person_ids.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { listPersonRecords as ListRecords, PersonRecord } from '@parley/contract/people/records.ts';
import type { PersonTimelineEntry } from '@parley/contract/people/timeline.ts';
import { findPerson, listAllNumbers, listPersonAudiences } from '../audiences/audiences.ts';
import { type Queryable, runTogether, sql } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findNumber, readEntries, readScope } from './timeline.ts';
import { countTimeline, listTimelineKeys } from './timeline_queries.ts';

interface Row {
  record: PersonRecord;
  /** The key of an entry of the timeline; null for the beginning. */
  key: string | null;
}

/**
 * Pages are numbered, because the details come first. Once a page ends in the timeline, the next one begins after its
 * last entry.
 */
export async function listPersonRecords(
  db: Queryable,
  actor: Actor,
  key: string,
  query: Parsed<typeof ListRecords>['query'],
): Promise<Paged<PersonRecord>> {
  const page = readPage(query);
  const number = await findNumber(db, actor, key);
  const numbers = await listAllNumbers(db, actor.account_id, number);
  const { scope } = readScope(actor, numbers);
  const [details, total] = await runTogether(listDetails(db, actor.account_id, numbers), countTimeline(db, scope));
  const first = page.after === null ? details.slice(page.offset, page.offset + page.size + 1) : [];
  const rows: Row[] = first.map((record) => ({ record, key: null }));
  const room = page.size + 1 - first.length;
  if (room > 0) {
    const offset = Math.max(0, page.offset - details.length);
    const keys = await listTimelineKeys(db, scope, { after: page.after, offset, size: room - 1 });
    const entries = await readEntries(db, actor, scope, keys);
    rows.push(...entries.map((entry) => ({ record: toRecord(entry), key: entry.id })));
  }
  const last = rows.length > page.size ? rows[page.size - 1]!.key : null;
  const result = paged(page, rows, total + details.length, last === null ? undefined : () => last);
  return { ...result, data: result.data.map(({ record }) => record) };
}

const BLANK = { channel: null, direction: null, from: null, to: null, status: null, timestamp: null, id: null };

async function listDetails(db: Queryable, account_id: string, numbers: readonly string[]): Promise<PersonRecord[]> {
  const number = numbers[0]!;
  const person = await findPerson(db, account_id, number);
  const [audiences, stops] = await runTogether(
    listPersonAudiences(db, { account_id, number }),
    db.rows<{ id: string; text: string; reason: string; sender: string | null; create_date: string }>(sql`
      select l.id, l.text, l.reason, s.name as sender, l.create_date
      from stop_list l left join senders s on s.account_id = l.account_id and s.id = l.sender_id
      where l.account_id = ${account_id} and l.number = any(${numbers}::text[]) order by l.id`),
  );
  return [
    ...numbers.map((one): PersonRecord => {
      const channel = idChannel(one);
      return { ...BLANK, kind: 'detail', name: channel ? idColumn(channel) : 'number', value: showNumber(one) };
    }),
    ...(person ? personDetails(person) : []),
    ...audiences.map(
      ({ id, name, channel }): PersonRecord => ({ ...BLANK, kind: 'audience', name, value: '', channel, id }),
    ),
    ...stops.map(
      ({ id, text, reason, sender, create_date }): PersonRecord => ({
        ...{ ...BLANK, kind: 'stop', name: sender ?? '', value: text, status: reason, timestamp: create_date, id },
      }),
    ),
  ];
}

function personDetails(person: Person): PersonRecord[] {
  const { country, first_name, last_name, custom1, custom2, language, timezone } = person;
  const { tags, fields, create_date } = person;
  const details = {
    ...{ country, first_name, last_name, custom1, custom2, language, timezone },
    ...{ tags: tags.join(', '), create_date, ...fields },
  };
  return Object.entries(details)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ ...BLANK, kind: 'detail', name, value: String(value) }));
}

function toRecord({ id, kind, timestamp, message, click, consent, note }: PersonTimelineEntry): PersonRecord {
  const blank = { ...BLANK, kind, name: '', value: '', timestamp, id };
  if (message)
    return {
      ...{ ...blank, name: message.campaign_name ?? '', value: message.text, channel: message.channel },
      ...{ direction: message.direction === 'MT' ? 'outbound' : 'inbound', from: message.from, to: message.to },
      ...{ status: message.status },
    };
  if (click)
    return { ...blank, name: click.campaign_name ?? '', value: click.url, status: click.kind, id: click.link_id };
  if (consent)
    return {
      ...{ ...blank, name: consent.purpose ?? '', value: consent.text, channel: consent.channel },
      ...{ status: consent.change, from: consent.source || null, id: consent.id },
    };
  if (note) return { ...blank, name: note.user_name ?? '', value: note.text };
  return blank;
}
