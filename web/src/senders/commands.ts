/** In the command palette: getting a sender. */
import { registerCommands } from '../kernel/commands.ts';
import { ADD_CHANNEL, BUY, CREATE, REQUESTS } from './links.ts';

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
  {
    id: 'senders.add_channel',
    label: 'Add channel',
    words: 'whatsapp viber',
    path: ADD_CHANNEL,
    needs: 'CHANNELS:add',
  },
  { id: 'senders.whatsapp', label: 'Get access to WhatsApp', path: REQUESTS.whatsapp, needs: 'SENDERS:add' },
  { id: 'senders.viber', label: 'Get access to Viber', path: REQUESTS.viber, needs: 'SENDERS:add' },
);
