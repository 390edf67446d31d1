/** In the command palette: getting a sender. */
import { registerCommands } from '../kernel/commands.ts';
import { BUY, CREATE, REQUESTS } from './links.ts';

registerCommands(
  { id: 'senders.create', label: 'Create sender', words: 'number name short code', path: CREATE, needs: 'SENDERS:add' },
  { id: 'senders.buy', label: 'Buy number', words: 'local mobile toll free', path: BUY, needs: 'SENDERS:add' },
  {
    id: 'senders.request',
    label: 'Request sender ID',
    words: 'alphanumeric name',
    path: REQUESTS.sender_id,
    needs: 'SENDERS:add',
  },
);
