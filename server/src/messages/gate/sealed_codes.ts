import type { Content } from '@parley/contract/messages/content.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { maskCode, maskContent, sealContent, sealText } from '../model/sealed_text.ts';
import type { AcceptedBatch } from './queue.ts';
import type { Passed } from './recipients.ts';

/** Assigns the ids of the messages. If they carry a code, masks it and seals the real texts and contents. */
export function sealCodes(
  tx: Tx,
  people: readonly Passed[],
  content: Content | null,
  code: string | undefined,
): Pick<AcceptedBatch, 'ids' | 'people' | 'content' | 'sealed'> {
  const ids = people.map(() => newId(tx.now.getTime()));
  if (code === undefined) return { ids, people, content, sealed: null };
  const { seals } = tx.db;
  return {
    ids,
    people: people.map((person) => ({ ...person, text: maskCode(person.text, code) })),
    content: maskContent(content, code),
    sealed: {
      texts: people.map(({ text }, index) => sealText(seals, ids[index]!, text)),
      contents: ids.map((id) => sealContent(seals, id, content)),
    },
  };
}
