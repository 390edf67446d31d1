/**
 * Switches to another of this person's accounts, or to a sub-account as its owner, and drops the current account's
 * cached data.
 */
import { switchAccount } from '@parley/contract/auth/sessions.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { useSessionContext } from '../kernel/session/session.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

interface Company {
  user_id: string;
  company_name: string;
  relation: 'member' | 'sub_account';
}

export function useSwitchCompany() {
  const { begin, startImpersonation: enterAs } = useSessionContext();
  const navigate = useNavigate();
  const [target, setTarget] = useState<Company | null>(null);
  const action = useAction(switchAccount);
  return {
    /** The user whose company is being opened. */
    pending: action.isPending ? (target?.user_id ?? null) : null,
    switchTo(company: Company) {
      setTarget(company);
      action.mutate(
        { params: { id: company.user_id } },
        {
          onSuccess: async ({ data }) => {
            // The current page may not exist in the other account.
            await navigate({ to: '/', replace: true });
            if (company.relation === 'member') begin(data.access_token);
            else enterAs(data.access_token);
            toast.success(`Switched to ${company.company_name}`, { id: 'company' });
          },
        },
      );
    },
  };
}
