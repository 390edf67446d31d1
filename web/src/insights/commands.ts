/** A message id typed or pasted into the command palette leads to its story. */

import { registerJumps } from '../kernel/commands.ts';
import { call } from '../kernel/http/client.ts';
import { messagePath } from '../paths.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

registerJumps({
  id: 'messages',
  // As `getMessage` says; its contract is loaded with the first search, because this file is part of every page.
  needs: 'MESSAGES:view',
  async find(text, signal) {
    const id = text.trim().toLowerCase();
    if (!ID.test(id)) return [];
    const { getMessage } = await import('@parley/contract/messages/messages.ts');
    const { data } = await call(getMessage, { params: { id } }, { signal });
    return [{ id, label: data.text.slice(0, 60), kind: 'Message', path: messagePath(id) }];
  },
});
