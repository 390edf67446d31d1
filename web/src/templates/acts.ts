/** Deleting a template, with where it is used named before. */
import { getTemplate, removeTemplate, type Template } from '@parley/contract/templates/templates.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../kernel/http/client.ts';
import { queryKey, toastError, useAction } from '../kernel/http/query.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

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
        const names = data.used_in.map((one) => one.name).join(', ');
        toast.warning(`${name} is used by ${names}. End or delete that first.`);
        return;
      }
      const yes = await confirm({
        title: `Delete the template ${name}?`,
        consequence: [
          'Nobody can send it any more.',
          data.sent_count > 0 && 'Messages already sent keep their text.',
          channel === 'WHATSAPP' && data.external_id && 'WhatsApp closes its name for 30 days.',
        ]
          .filter(Boolean)
          .join(' '),
        action: 'Delete template',
      });
      if (!yes) return;
      await remove.mutateAsync(input);
      toast.success(`${name} was deleted`);
      onDone?.();
    } catch (error) {
      toastError(error);
    }
  };
}
