/** A message id typed or pasted into the command palette leads to its story. */
import { getMessage } from '@parley/contract/messages.ts';
import { call } from '../kernel/client.ts';
import { registerJumps } from '../kernel/commands.ts';
import { DIRECTION_WORDS } from './words.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

registerJumps({
  id: 'messages',
  needs: getMessage.needs,
  async find(text, signal) {
    const id = text.trim().toLowerCase();
    if (!ID.test(id)) return [];
    const { data } = await call(getMessage, { params: { id } }, { signal });
    const label = `${DIRECTION_WORDS[data.direction]}: ${data.text.slice(0, 60)}`;
    return [{ id, label, kind: 'Message', path: `/insights?message=${id}` }];
  },
});
