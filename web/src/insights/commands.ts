/** Opens a message from the command palette by its ID. */
import { registerJumps } from '../kernel/commands.ts';
import { call } from '../kernel/http/client.ts';
import { messagePath } from '../paths.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

registerJumps({
  id: 'messages',
  // The same permission as in `getMessage`. It is repeated here because every page includes this file, while the
  // contract loads only with the first search.
  needs: 'MESSAGES:view',
  async find(text, signal) {
    const id = text.trim().toLowerCase();
    if (!ID.test(id)) return [];
    const { getMessage } = await import('@parley/contract/messages/messages.ts');
    const { data } = await call(getMessage, { params: { id } }, { signal });
    return [{ id, label: data.text.slice(0, 60), kind: 'Message', path: messagePath(id) }];
  },
});
