/** Adds people who joined through an opt-in form to an audience, with their consent. */
import { audienceUpdated } from '@parley/contract/audiences/audiences.ts';
import { consentChanged } from '@parley/contract/audiences/consents.ts';
import { MAX_TAGS } from '@parley/contract/audiences/limits.ts';
import { personChanged } from '@parley/contract/audiences/people.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { insertConsent, type NewConsent } from '../consents/queries.ts';
import { addTags, type FactInput, readFacts, writeFacts } from '../people/facts.ts';
import { findPerson } from '../people/queries.ts';
import * as queries from './queries.ts';

interface Join {
  account_id: string;
  audience_id: string;
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  fields: NonNullable<FactInput['fields']>;
  tags: readonly string[];
  /** Set if the person's language is unknown. */
  language: string;
  consent: Pick<NewConsent, 'purpose' | 'method' | 'text' | 'source' | 'address' | 'message_id'>;
}

/**
 * Values that the person entered replace the stored values; empty values change nothing. A person has at most 10 tags,
 * so additional ones are left out. The consent is for the audience's channel.
 */
export async function joinAudience(tx: Tx, join: Join): Promise<{ person_id: string; is_new: boolean }> {
  const { account_id, audience_id, number, country, first_name, last_name } = join;
  const audience = await queries.lockAudience(tx, account_id, audience_id);
  if (!audience) throw new Problem('AUDIENCE_NOT_FOUND');
  const texts = { first_name, last_name, custom1: '', custom2: '' };
  const contact = { ...texts, id: newId(), number, country };
  const is_new = (await queries.insertContacts(tx, account_id, audience_id, [contact])).length > 0;
  if (!is_new) await queries.replaceNames(tx, { account_id, audience_id, number, first_name, last_name });
  const person = (await findPerson(tx, account_id, number))!;
  const facts = await readFacts(tx, account_id, { fields: join.fields });
  const tags = addTags(person.tags, join.tags).slice(0, MAX_TAGS);
  await writeFacts(tx, person, { ...facts, tags, language: person.language || join.language }, 'replace');
  const id = newId();
  await insertConsent(tx, {
    ...{ account_id, id, number, channel: audience.channel, change: 'given', sender_id: null, user_id: null },
    ...join.consent,
    date: tx.now,
  });
  emit(tx, consentChanged, account_id, { id, number });
  emit(tx, personChanged, account_id, { id: person.id, number });
  emit(tx, audienceUpdated, account_id, await queries.addToCount(tx, account_id, audience_id, is_new ? 1 : 0));
  return { person_id: person.id, is_new };
}
