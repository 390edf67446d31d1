import { type Audience, type Contact, removeContact } from '@parley/contract/audiences/audiences.ts';
import { ApiError, call } from '../../kernel/http/client.ts';
import { queryClient, toastError } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { nameOf } from './ContactPanel.tsx';

/** Asks, then removes one after the other. True when all are gone; who was gone already is no reason to stop. */
export function useRemoveContacts(audience: Audience) {
  return async (rows: readonly Contact[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    const one = rows.length === 1;
    const yes = await confirm({
      title: one ? `Remove ${nameOf(first)}?` : `Remove ${formatCount(rows.length, 'contact')} from ${audience.name}?`,
      consequence: 'What is known of them in this audience is lost. Their conversations and messages stay.',
      action: one ? 'Remove contact' : `Remove ${rows.length} contacts`,
      danger: true,
    });
    if (!yes) return false;
    let removed = 0;
    try {
      for (const { id } of rows) {
        await call(removeContact, { params: { id: audience.id, contact_id: id } }).catch((error) => {
          if (!(error instanceof ApiError && error.status === 404)) throw error;
        });
        removed++;
      }
      toast.success(one ? 'The contact was removed' : `${formatCount(removed, 'contact')} removed`);
      return true;
    } catch (error) {
      if (removed > 0) toast.warning(`${formatCount(removed, 'contact')} removed, then it stopped`);
      toastError(error);
      return false;
    } finally {
      for (const module of ['contacts', 'audiences']) void queryClient.invalidateQueries({ queryKey: [module] });
    }
  };
}
