/** Records that a person opted in with a keyword. */
import { consentChanged } from '@parley/contract/audiences/consents.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { hasConsent, insertConsent } from '../consents/queries.ts';
import { insertPerson, isMerged } from '../people/queries.ts';
import { parseNumber } from '../phone_numbers/number.ts';
import { listStoppedNumbers, startNumber } from '../stop_list/stop_list.ts';

interface OptIn {
  account_id: string;
  number: string;
  channel: ChannelName;
  sender_id: string;
  message_id: string;
  /** The text that the person wrote. */
  text: string;
  /** The subject of the consent, such as the keyword. */
  source: string;
}

/**
 * Removes the person's own opt-out, and records the consent unless there is one. A number without a person gets one, so
 * that audiences can contain it. Returns false if an entry of a user keeps the number on the stop list.
 */
export async function optIn(tx: Tx, entry: OptIn): Promise<boolean> {
  const { account_id, number, channel, sender_id, message_id, text } = entry;
  // The change to the stop list is also a consent.
  const started = await startNumber(tx, { account_id, number, sender_id, message_id, text });
  if ((await listStoppedNumbers(tx, account_id, sender_id, [number])).size > 0) return false;
  const country = parseNumber(`+${number}`)?.country;
  if (country && !(await isMerged(tx, account_id, number))) {
    const texts = { first_name: '', last_name: '', custom1: '', custom2: '' };
    await insertPerson(tx, { account_id, id: newId(), number, country, ...texts });
  }
  if (started || (await hasConsent(tx, account_id, channel, number))) return true;
  const id = newId();
  await insertConsent(tx, {
    ...{ account_id, id, number, channel, purpose: 'marketing', change: 'given', method: 'keyword' },
    ...{ text, source: entry.source, address: '', sender_id, message_id, user_id: null, date: tx.now },
  });
  emit(tx, consentChanged, account_id, { id, number });
  return true;
}
