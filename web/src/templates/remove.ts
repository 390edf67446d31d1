/**
 * Deletes a template, with Undo. A template at a carrier is deleted after a confirmation, because the carrier blocks
 * its name. A template that a campaign uses cannot be deleted.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { getTemplate, removeTemplate, type Template } from '@parley/contract/templates/templates.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../kernel/http/client.ts';
import { queryKey, toastError, useAction } from '../kernel/http/query.ts';
import { removeWithUndo } from '../kernel/http/undo.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export const removeQuestion = (rows: string) => ({
  title: `Delete ${rows}?`,
  consequence:
    'You will no longer be able to send them. Messages already sent keep their text. A carrier that reviewed a ' +
    'template will block its name for 30 days.',
  action: `Delete ${rows}`,
});

export function useRemoveTemplate(onDone?: () => void): (template: Template) => Promise<void> {
  const client = useQueryClient();
  const remove = useAction(removeTemplate, { onError: () => {} });
  return async ({ id, name, channel }) => {
    try {
      const input = { params: { id } };
      const { data } = await client.fetchQuery({
        queryKey: queryKey(getTemplate, input),
        queryFn: () => call(getTemplate, input),
        staleTime: 0,
      });
      if (data.used_in.length > 0) {
        const campaigns = data.used_in.map((campaign) => campaign.name).join(', ');
        toast.warning(`${name} is used by ${campaigns}. End or delete these campaigns first.`);
        return;
      }
      const { label, templates } = channelRules(channel);
      const isAtCarrier = templates.review === 'carrier' && data.external_id !== null;
      const message = `${name} was deleted.`;
      if (!isAtCarrier) {
        onDone?.();
        removeWithUndo({ id, endpoint: removeTemplate, input, message });
        return;
      }
      const isConfirmed = await confirm({
        title: `Delete the template “${name}”?`,
        consequence: [
          'You will no longer be able to send it.',
          data.sent_count > 0 && 'Messages already sent keep their text.',
          `${label} will block its name for 30 days.`,
        ]
          .filter(Boolean)
          .join(' '),
        action: 'Delete template',
      });
      if (!isConfirmed) return;
      await remove.mutateAsync(input);
      toast.success(message);
      onDone?.();
    } catch (error) {
      toastError(error);
    }
  };
}
