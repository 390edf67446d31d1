/** Command palette: actions that create a sender. */
import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import { accessTitle } from '../channels/access_title.ts';
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
    keywords: ACCESS_KINDS.join(' '),
    path: ADD_CHANNEL,
    needs: 'CHANNELS:add',
  },
  ...ACCESS_KINDS.map((kind) => ({
    id: `senders.${kind}`,
    label: accessTitle(kind),
    path: REQUEST_PATHS[kind],
    needs: 'SENDERS:add' as const,
  })),
);
