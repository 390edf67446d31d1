/** Submits a request for review. */
import { submitSender } from '@parley/contract/registrations/registration.ts';
import { ApiError, type ApiResponse } from '../kernel/http/client.ts';
import { useAction } from '../kernel/http/query.ts';
import type { Blocker } from '../ui/layout/Wizard.tsx';

type Submitted = ApiResponse<typeof submitSender>['data'];

/**
 * Returns a function that submits the sender. The function resolves to the blockers, if any, or otherwise to undefined
 * after `onDone`.
 */
export function useSubmitRequest(onDone: (sender: Submitted) => void) {
  const submit = useAction(submitSender, { invalidates: ['senders'], onError: () => {} });
  return async (id: string): Promise<Blocker[] | undefined> => {
    try {
      const { data } = await submit.mutateAsync({ params: { id }, body: {} });
      onDone(data);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.errors.length > 0
        ? error.errors.map(({ message, field }) => ({ key: `${field} ${message}`, text: message }))
        : [{ key: 'refused', text: error.message }];
    }
  };
}
