import type { SetupStep } from '@parley/contract/admin/setup.ts';
import { CONNECTIONS, NETWORKS, PRICES, ROUTES, SETUP } from '../../paths.ts';

/** Each step's name, and the page where an operator completes it. Settings of the environment have no page. */
export const STEP_WORDS: Readonly<Record<SetupStep, { label: string; link?: { to: string; label: string } }>> = {
  operator: { label: 'Operators', link: { to: '/settings/users', label: 'View users' } },
  address: { label: 'Public URL' },
  mail: { label: 'Mail server' },
  currency: { label: 'Currencies', link: { to: SETUP, label: 'View currencies' } },
  networks: { label: 'Networks', link: { to: NETWORKS, label: 'View networks' } },
  prices: { label: 'Prices', link: { to: PRICES, label: 'View prices' } },
  connection: { label: 'Carrier connection', link: { to: CONNECTIONS, label: 'View connections' } },
  route: { label: 'Route', link: { to: ROUTES, label: 'View routes' } },
  code_sender: { label: 'Verification code sender', link: { to: SETUP, label: 'Choose a code sender' } },
};
