/** Command palette: frequent actions. */
import { registerCommands } from '../kernel/commands.ts';
import { ADD_STOP, CREATE_AUDIENCE } from '../paths.ts';

registerCommands(
  {
    id: 'audiences.create',
    label: 'Create audience',
    keywords: 'import upload contacts csv excel',
    path: CREATE_AUDIENCE,
    needs: 'AUDIENCES:add',
  },
  {
    id: 'stop_list.add',
    label: 'Add to the stop list',
    keywords: 'block number unsubscribe',
    path: ADD_STOP,
    needs: 'SENDERS:edit',
  },
);
