/** Fetches the templates' states from the carrier now instead of waiting for the carrier to report it. */
import { Button } from '@mantine/core';
import { syncTemplates } from '@parley/contract/templates/templates.ts';
import { IconRefresh } from '@tabler/icons-react';
import { toastError, useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { formatCount } from '../ui/data/format.ts';
import { toast } from '../ui/feedback/Toasts.tsx';

/** `label` is the channel's label. */
export function SyncButton({ label }: { label: string }) {
  const sync = useAction(syncTemplates, {
    onSuccess: ({ data: { checked, changed, failed } }) => {
      for (const { sender, text } of failed) toast.error(`${sender}: ${text}`);
      if (failed.length > 0) return;
      toast.success(
        changed === 0
          ? `${formatCount(checked, 'template')} compared. Nothing has changed.`
          : `${formatCount(changed, 'template')} changed`,
      );
    },
    onError: (error) =>
      error.name === 'EXPORT_LIMIT_REACHED'
        ? toast.info('The templates were synced a moment ago. Try again in 30 seconds.')
        : toastError(error),
  });
  return (
    <Allow needs={syncTemplates.needs}>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={sync.isPending}
        onClick={() => sync.mutate({ body: {} })}
      >
        Sync with {label}
      </Button>
    </Allow>
  );
}
