/** Command palette: actions that create a sender. */
import { registerCommands } from '../kernel/commands.ts';
import { ADD_CHANNEL, BUY_NUMBER, CREATE_SENDER, REQUEST_PATHS } from '../paths.ts';

registerCommands(
  {
    id: 'senders.create',
    label: 'Create sender',
    keywords: 'number name short code',
    path: CREATE_SENDER,
    needs: 'SENDERS:add',
  },
  {
    id: 'senders.buy',
    label: 'Buy number',
    keywords: 'local mobile toll free',
    path: BUY_NUMBER,
    needs: 'SENDERS:add',
  },
  {
    id: 'senders.request',
    label: 'Request sender ID',
    keywords: 'alphanumeric name',
    path: REQUEST_PATHS.sender_id,
    needs: 'SENDERS:add',
  },
  {
    id: 'senders.add_channel',
    label: 'Add channel',
    keywords: 'whatsapp viber',
    path: ADD_CHANNEL,
    needs: 'CHANNELS:add',
  },
  { id: 'senders.whatsapp', label: 'Get access to WhatsApp', path: REQUEST_PATHS.whatsapp, needs: 'SENDERS:add' },
  { id: 'senders.viber', label: 'Get access to Viber', path: REQUEST_PATHS.viber, needs: 'SENDERS:add' },
);
