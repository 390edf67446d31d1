/** Enabling and disabling a connection, from the table and from the panel alike. */
import { type Connection, updateConnection } from '@parley/contract/connections/connections.ts';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

export function useSwitch(): { turn: (connection: Connection) => void; turning: boolean } {
  const change = useAction(updateConnection, {
    invalidates: ['routes'],
    onSuccess: ({ data }) => toast.success(data.enabled ? `${data.name} is enabled` : `${data.name} is disabled`),
  });
  const ask = async ({ id, name, enabled, queued }: Connection) => {
    const waiting =
      queued === 0 ? '' : ` ${formatCount(queued, 'message')} waiting for it will go another way if there is one.`;
    const yes =
      !enabled ||
      (await confirm({
        title: `Disable ${name}?`,
        consequence: `Its lines are closed and nothing is sent over it until it is enabled again.${waiting}`,
        action: 'Disable connection',
      }));
    if (yes) change.mutate({ params: { id }, body: { enabled: !enabled } });
  };
  return { turn: (connection) => void ask(connection), turning: change.isPending };
}
