import { Button } from '@mantine/core';
import { listOwnAccounts } from '@parley/contract/auth/sessions.ts';
import { IconBuilding, IconBuildingCommunity } from '@tabler/icons-react';
import { useSwitchCompany } from '../../accounts/switch.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Settings.module.css';

export function OwnCompanies() {
  const { user, account } = useSession();
  const companies = useEndpoint(listOwnAccounts, {}, { enabled: user.impersonation === null });
  const change = useSwitchCompany();
  if (user.impersonation)
    return (
      <p className={styles.dim}>
        You are working in {account.company_name} as another user. Choose Leave to return to your own companies.
      </p>
    );
  if (companies.error)
    return (
      <ErrorState
        title="Your companies could not be loaded"
        onRetry={() => void companies.refetch()}
        retrying={companies.isFetching}
      >
        {companies.error.message}
      </ErrorState>
    );
  if (!companies.data)
    return (
      <div role="status" aria-label="Loading">
        <SkeletonLines lines={2} />
      </div>
    );
  return (
    <ul className={styles.rows} aria-label="Companies">
      {companies.data.data.map((company) => {
        const Icon = company.relation === 'member' ? IconBuilding : IconBuildingCommunity;
        return (
          <li key={company.user_id}>
            <Icon size={18} stroke={1.6} aria-hidden />
            <span className={styles.rowText}>
              <span className={styles.rowName}>{company.company_name}</span>
              {company.relation === 'sub_account' && <span className={styles.dim}>Sub-account</span>}
            </span>
            {company.current ? (
              <ToneBadge tone="accent">You are here</ToneBadge>
            ) : (
              <Button
                variant="default"
                size="xs"
                loading={change.pending === company.user_id}
                onClick={() => change.switchTo(company)}
                aria-label={`Switch to ${company.company_name}`}
              >
                Switch
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
