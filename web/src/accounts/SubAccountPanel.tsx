import { Button } from '@mantine/core';
import { ACCOUNT_STATUS } from '@parley/contract/accounts/accounts.ts';
import type { SubAccount } from '@parley/contract/team/subaccounts.ts';
import { IconDoorEnter } from '@tabler/icons-react';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import type { useSubAccountActions } from './sub_account_actions.ts';

interface SubAccountPanelProps {
  account: SubAccount | null;
  actions: ReturnType<typeof useSubAccountActions>;
  editReason: string | null;
  onEdit: (account: SubAccount) => void;
  onClose: () => void;
}

export function SubAccountPanel({ account, actions, editReason, onEdit, onClose }: SubAccountPanelProps) {
  return (
    <SidePanel
      open={account !== null}
      onClose={onClose}
      title={account?.company_name ?? ''}
      description={account && <StatusBadge {...ACCOUNT_STATUS[account.status]} />}
      recordId={account?.id}
      actions={
        account && (
          <>
            <Disabled reason={editReason}>
              <Button variant="default" onClick={() => onEdit(account)}>
                Edit
              </Button>
            </Disabled>
            <Disabled reason={editReason ?? actions.enterReason(account)}>
              <Button
                leftSection={<IconDoorEnter size={16} aria-hidden />}
                loading={actions.entering === account.owner_user_id}
                onClick={() => actions.enter(account)}
              >
                Switch to sub-account
              </Button>
            </Disabled>
          </>
        )
      }
    >
      {account && (
        <Fields
          fields={[
            { label: 'Owner', value: account.owner_name || '–' },
            { label: 'Owner’s email', value: account.owner_email },
            { label: 'Country', value: countryName(account.country_code) },
            { label: 'Time zone', value: account.timezone.replaceAll('_', ' ') },
            { label: 'Currency', value: account.currency },
            { label: 'Users', value: formatNumber(account.users_count) },
            { label: 'Created', value: <DateTime value={account.create_date} /> },
          ]}
        />
      )}
    </SidePanel>
  );
}
