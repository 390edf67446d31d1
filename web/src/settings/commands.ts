/** The settings pages in the command palette. They have no menu entry. */
import { registerCommands } from '../kernel/commands.ts';
import { AUDIT_LOG, COMPANY, CREATE_USER, MY_USER, SUB_ACCOUNTS, USERS } from '../paths.ts';

registerCommands(
  { id: 'settings.user', label: 'My user', keywords: 'settings name position theme density profile', path: MY_USER },
  {
    id: 'settings.account',
    label: 'Company profile',
    keywords: 'settings account time zone invoice vat address close verification',
    path: COMPANY,
    needs: 'ACCOUNTS:view',
  },
  {
    id: 'settings.users',
    label: 'Users',
    keywords: 'settings team people invitations permissions',
    path: USERS,
    needs: 'USERS:add',
    unverified: true,
  },
  {
    id: 'settings.invite',
    label: 'Invite user',
    keywords: 'team add colleague create',
    path: CREATE_USER,
    needs: 'USERS:add',
  },
  {
    id: 'settings.audit_log',
    label: 'Audit log',
    keywords: 'settings history security who',
    path: AUDIT_LOG,
    needs: 'ACCOUNTS:edit',
    unverified: true,
  },
  {
    id: 'subaccounts',
    label: 'Sub-accounts',
    keywords: 'companies switch',
    path: SUB_ACCOUNTS,
    needs: 'ACCOUNTS:view',
    main_only: true,
  },
  {
    id: 'onboarding',
    label: 'Use cases and regulations',
    keywords: 'onboarding industry country examples',
    path: '/onboarding',
  },
);
