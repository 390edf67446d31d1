import { Button } from '@mantine/core';
import type { SubAccount } from '@parley/contract/subaccounts.ts';
import { IconDoorEnter } from '@tabler/icons-react';
import { CopyId } from '../ui/CopyId.tsx';
import { countryName } from '../ui/countries.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { Disabled } from '../ui/Disabled.tsx';
import { formatNumber } from '../ui/format.ts';
import { Fields, SidePanel } from '../ui/SidePanel.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import type { useSubAccountActs } from './sub_account_acts.ts';

export interface SubAccountPanelProps {
  account: SubAccount | null;
  acts: ReturnType<typeof useSubAccountActs>;
  editReason: string | null;
  onEdit: (account: SubAccount) => void;
  onClose: () => void;
}

export function SubAccountPanel({ account, acts, editReason, onEdit, onClose }: SubAccountPanelProps) {
  return (
    <SidePanel
      open={account !== null}
      onClose={onClose}
      title={account?.company_name ?? ''}
      line={account && <StatusBadge status={account.status} />}
      actions={
        account && (
          <>
            <Disabled reason={editReason}>
              <Button variant="default" onClick={() => onEdit(account)}>
                Edit
              </Button>
            </Disabled>
            <Disabled reason={editReason ?? acts.enterReason(account)}>
              <Button
                leftSection={<IconDoorEnter size={16} aria-hidden />}
                loading={acts.entering === account.owner_user_id}
                onClick={() => acts.enter(account)}
              >
                Switch into
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
            { label: 'Owner’s e-mail', value: account.owner_email },
            { label: 'Country', value: countryName(account.country_code) },
            { label: 'Time zone', value: account.timezone.replaceAll('_', ' ') },
            { label: 'Currency', value: account.currency },
            { label: 'Users', value: formatNumber(account.users_count) },
            { label: 'Created', value: <DateTime value={account.create_date} /> },
            { label: 'Id', value: <CopyId value={account.id} /> },
          ]}
        />
      )}
    </SidePanel>
  );
}
