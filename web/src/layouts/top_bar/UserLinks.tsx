/**
 * Links to the pages for the user and the company. A page that the user may not open stays visible but disabled, with
 * the reason; the link to sub-accounts is hidden for sub-accounts.
 */
import {
  IconBuilding,
  IconBuildingCommunity,
  type IconProps,
  IconShieldLock,
  IconSwitchHorizontal,
  IconUser,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isAbsent, type RouteRule, routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { BILLING, COMPANY, MY_USER, SECURITY, SUB_ACCOUNTS, USERS } from '../../paths.ts';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import styles from './TopBar.module.css';

interface UserLink extends RouteRule {
  label: string;
  path: string;
  /** The section of the page to open. */
  hash?: string;
  icon: ComponentType<IconProps>;
}

export const USER_LINKS: readonly UserLink[] = [
  { label: 'My user', path: MY_USER, icon: IconUser },
  { label: 'Security', path: SECURITY, icon: IconShieldLock },
  { label: 'Company', path: COMPANY, icon: IconBuilding, needs: 'ACCOUNTS:view' },
  { label: 'Users', path: USERS, icon: IconUsers, needs: 'USERS:add', unverified: true },
  { label: 'Billing', path: BILLING, icon: IconWallet, needs: ['PAYMENTS:view', 'INVOICES:view'] },
  { label: 'Sub-accounts', path: SUB_ACCOUNTS, icon: IconBuildingCommunity, needs: 'ACCOUNTS:view', main_only: true },
  { label: 'Switch company', path: MY_USER, hash: 'companies', icon: IconSwitchHorizontal },
];

/** Calls `onGo` when the user opens a page, so that the menu can close. */
export function UserLinks({ onGo }: { onGo: () => void }) {
  const session = useSession();
  const { routesByPath } = useRouter();
  return USER_LINKS.filter((link) => link.path in routesByPath && !isAbsent(link, session)).map((link) => {
    const { label, path, hash, icon: Icon } = link;
    return (
      <Disabled key={label} reason={routeReason(link, session)} position="left">
        <Link to={path} {...(hash ? { hash } : {})} className={styles.act} onClick={onGo}>
          <Icon size={16} stroke={1.7} aria-hidden />
          {label}
        </Link>
      </Disabled>
    );
  });
}
