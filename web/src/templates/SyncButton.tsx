/** Asks WhatsApp how the templates stand, instead of waiting for its word. */
import { Button } from '@mantine/core';
import { syncTemplates } from '@parley/contract/templates/templates.ts';
import { IconRefresh } from '@tabler/icons-react';
import { toastError, useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

const count = (number: number): string => (number === 1 ? '1 template' : `${number.toLocaleString('en-US')} templates`);

export function SyncButton() {
  const sync = useAction(syncTemplates, {
    onSuccess: ({ data: { checked, changed, failed } }) => {
      for (const { sender, text } of failed) toast.error(`${sender}: ${text}`);
      if (failed.length === 0)
        toast.success(changed === 0 ? `${count(checked)} compared, nothing is new` : `${count(changed)} changed`);
    },
    onError: (error) =>
      error.name === 'EXPORT_LIMIT_REACHED'
        ? toast.info('WhatsApp was asked a moment ago. Try again in half a minute.')
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
        Sync with WhatsApp
      </Button>
    </Allow>
  );
}
