import { type Audience, type Contact, removeContact } from '@parley/contract/audiences/audiences.ts';
import { ApiError, call } from '../../kernel/http/client.ts';
import { queryClient, toastError } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { removeContactWithUndo } from './ContactPanel.tsx';

/**
 * Removes one contact at once, with Undo. Several are removed one by one after a confirmation, without those that no
 * longer exist. Returns true if all were removed.
 */
export function useRemoveContacts(audience: Audience) {
  return async (rows: readonly Contact[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    if (rows.length === 1) {
      removeContactWithUndo(first);
      return true;
    }
    const confirmed = await confirm({
      title: `Remove ${formatCount(rows.length, 'contact')} from ${audience.name}?`,
      consequence: 'Their details in this audience will be deleted. Conversations and messages are kept.',
      action: `Remove ${rows.length} contacts`,
      danger: true,
    });
    if (!confirmed) return false;
    let removed = 0;
    try {
      for (const { id } of rows) {
        await call(removeContact, { params: { id: audience.id, contact_id: id } }).catch((error) => {
          if (!(error instanceof ApiError && error.status === 404)) throw error;
        });
        removed++;
      }
      toast.success(`${formatCount(removed, 'contact')} removed`);
      return true;
    } catch (error) {
      if (removed > 0) toast.warning(`${formatCount(removed, 'contact')} removed before an error occurred`);
      toastError(error);
      return false;
    } finally {
      for (const module of ['contacts', 'audiences']) void queryClient.invalidateQueries({ queryKey: [module] });
    }
  };
}
