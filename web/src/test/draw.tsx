/** Renders a page of the signed-in app with theme, cache, session, and a router. Requests go to the stub. */
import type { Account, User } from '@parley/contract/accounts/accounts.ts';
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { render, waitFor } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { vi } from 'vitest';
import { queryClient } from '../kernel/http/query.ts';
import { writeToken } from '../kernel/http/token.ts';
import { parseSearch, stringifySearch } from '../kernel/session/routes.tsx';
import { SessionProvider, useSessionContext } from '../kernel/session/session.tsx';
import { ThemeProvider } from '../ui/theme/ThemeProvider.tsx';
import { checkInput } from './known_input.ts';

export const ACCOUNT: Account = {
  id: '0197a5f0-0000-7000-8000-000000000001',
  account_id: '0197a5f0-0000-7000-8000-000000000001',
  username: 'harbour',
  company_name: 'Harbour Coffee',
  country_code: 'AM',
  currency: 'USD',
  timezone: 'Asia/Yerevan',
  quiet_hours: null,
  campaign_approval: null,
  frequency_cap: null,
  hlr_check: false,
  mnp_check: false,
  mnp_countries: [],
  import_rows: 100_000,
  status: 'VERIFIED',
  verified: true,
  account_type: 'MAIN',
  channels: ['SMS'],
  tags: [],
  industry_id: 9,
  operator: false,
  parent_id: null,
  admin_created: false,
  company_address: '',
  company_website: '',
  company_size: '',
  vat_number: '',
  use_case: '',
  interests: [],
  tax_rate: 0,
  invoice_company: '',
  invoice_emails: [],
  invoice_entity: 1,
  company_size_id: null,
  preference: { insights: { total: 0 }, templates: { total: 0 }, onboarding: { total: 0 } },
  second_factor_required: false,
  content_days: null,
  trial: false,
  trial_period_expired: false,
  days_left: null,
  is_us_or_ca_account: false,
  is_restricted_onboarding: false,
  user_country: 'AM',
  create_date: '2026-01-01 00:00:00',
  update_date: '2026-01-01 00:00:00',
};
export const USER: User = {
  id: '0197a5f0-0000-7000-8000-000000000002',
  account_id: ACCOUNT.id,
  email: 'dana@example.com',
  first_name: 'Dana',
  last_name: 'Quill',
  full_name: 'Dana Quill',
  phone_number: null,
  position: null,
  status: 'PHONE_VERIFIED',
  is_owner: true,
  permissions: allPermissions(),
  login_id: '0197a5f0-0000-7000-8000-000000000003',
  has_password: true,
  second_factor: false,
  pending: null,
  impersonation: null,
  news_seen: null,
  create_date: '2026-01-01 00:00:00',
};

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}
export type Stub = (call: Call) => Response | undefined | Promise<Response | undefined>;

export const respond = (data: unknown, pagination?: unknown): Response =>
  Response.json(pagination ? { data, pagination } : { data });
export const refuse = (status: number, ...errors: { code: number; message: string; field?: string }[]): Response =>
  Response.json({ errors }, { status });

/** Replaces `fetch` and returns the list of calls. Restore it with `vi.unstubAllGlobals()`. */
export function stubApi(stub: Stub): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const address = new URL(url, 'http://localhost');
    const call: Call = {
      method: init.method ?? 'GET',
      path: address.pathname,
      query: address.searchParams,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as { data: unknown }).data : null,
      headers: new Headers(init.headers),
    };
    calls.push(call);
    checkInput(call.method, call.path, call.query, call.body ?? undefined);
    const response = await stub(call);
    return response ?? refuse(404, { code: 1004, message: `No stub for ${call.method} ${call.path}` });
  });
  return calls;
}

interface Person {
  permissions?: Permissions;
  verified?: boolean;
}

/** Responds to the requests that every session makes. The event stream sends nothing. */
export const sessionStub =
  ({ permissions, verified = true }: Person = {}): Stub =>
  ({ path }) => {
    if (path === '/v1/users/self') return respond({ ...USER, permissions: permissions ?? USER.permissions });
    if (path === '/v1/accounts/self')
      return respond({ ...ACCOUNT, verified, status: verified ? 'VERIFIED' : 'UNVERIFIED' });
    if (path === '/v1/events') return new Promise(() => {});
    return undefined;
  };

interface Place {
  address?: string;
  /** The page's path. Needed for pages that link to themselves. */
  path?: string;
}

export async function draw(Page: FunctionComponent, { address = '/', path = '/' }: Place = {}) {
  queryClient.clear();
  writeToken('test-token');
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => <p>Nothing here</p> });
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path, component: Page }),
      createRoute({ getParentRoute: () => root, path: '/elsewhere', component: () => <p>Elsewhere</p> }),
    ]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  });
  await router.load();
  const App = () => {
    const { state } = useSessionContext();
    return state.kind === 'in' ? (
      <RouterProvider router={router as never} />
    ) : (
      <p data-testid="session">{state.kind}</p>
    );
  };
  const view = render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <App />
        </SessionProvider>
      </QueryClientProvider>
    </ThemeProvider>,
  );
  await waitFor(() => {
    if (view.queryByTestId('session')?.textContent === 'unknown') throw new Error('still loading');
  });
  return { router, view };
}
