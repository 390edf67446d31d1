/** Enables, disables, and resumes a connection, from the table and from the panel. */
import { type Connection, updateConnection } from '@parley/contract/connections/connections.ts';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

interface ConnectionSwitch {
  /** Enables or disables the connection. */
  toggle: (connection: Connection) => void;
  /** Resumes a paused connection. */
  resume: (connection: Connection) => void;
  isToggling: boolean;
}

export function useConnectionSwitch(): ConnectionSwitch {
  const update = useAction(updateConnection, {
    invalidates: ['routes'],
    onSuccess: ({ data }) => toast.success(data.enabled ? `${data.name} is enabled` : `${data.name} is disabled`),
  });
  const toggle = async ({ id, name, enabled, queued }: Connection) => {
    const count = formatCount(queued, 'queued message');
    const rerouted = queued === 0 ? '' : ` ${count} will move to another matching route, if any.`;
    const confirmed =
      !enabled ||
      (await confirm({
        title: `Disable ${name}?`,
        consequence: `Its binds will close, and nothing will be sent over it until you enable it again.${rerouted}`,
        action: 'Disable connection',
      }));
    if (confirmed) update.mutate({ params: { id }, body: { enabled: !enabled } });
  };
  // Every change of a connection resumes it.
  const resume = ({ id }: Connection) => update.mutate({ params: { id }, body: { enabled: true } });
  return { toggle: (connection) => void toggle(connection), resume, isToggling: update.isPending };
}
