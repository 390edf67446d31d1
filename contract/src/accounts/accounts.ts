/** The signed-in user and their company. */
import { z } from 'zod';
import { CHANNELS, type ChannelName } from '../channels/names.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { AccountInfo, User } from './shapes.ts';
import { ACCOUNT_STATUSES } from './statuses.ts';

export { Preference, PreferenceInput } from './preference.ts';
export type { Account, AccountInfo, User } from './shapes.ts';
export { ACCOUNT_STATUS, ACCOUNT_STATUSES, USER_STATUS, USER_STATUSES } from './statuses.ts';

export const TRIAL_DAYS = 30;
export const TRIAL_TAG = 'PAID0';
export const RESTRICTED_COUNTRIES: readonly string[] = ['US', 'CA'];
export const COMPANY_SIZES = ['1-50', '50-500', '500 and more'] as const;
const channelInterests = CHANNELS.map((name) => name.toLowerCase() as Lowercase<ChannelName>);
export const INTERESTS = [...channelInterests, 'two_way', 'api', 'campaigns', 'verification'] as const;

export const ACCOUNT_LINKS = { self: '/v1/accounts/self' } as const;

export const getAccount = endpoint({
  id: 'accounts.get',
  method: 'GET',
  path: '/v1/accounts/self',
  summary:
    'Get the caller’s account. The `X-Account-Info` header is accepted but ignored; the response always contains ' +
    'the whole account',
  needs: null,
  test_keys: true,
  output: AccountInfo,
  links: ACCOUNT_LINKS,
  problems: ['TOKEN_INVALID'],
});

export const getUser = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/v1/users/self',
  summary: 'Get the signed-in user and their effective permissions',
  needs: null,
  audience: 'session',
  output: User,
  problems: ['TOKEN_INVALID'],
});

/** The account's status or details changed. */
export const accountChanged = event({
  id: 'account.changed',
  modules: ['accounts', 'customers', 'reviews'],
  needs: null,
  payload: z.object({ id: z.string(), status: z.enum(ACCOUNT_STATUSES) }),
});
/** The session's permissions or account changed. Clients reload everything. */
export const sessionChanged = event({
  id: 'session.changed',
  modules: ['accounts', 'users'],
  needs: null,
  payload: z.object({ user_id: z.string().nullable() }),
  visible: (payload, viewer) => payload.user_id === null || payload.user_id === viewer.user_id,
});
/** A session was ended elsewhere. Null means all of the user's sessions. */
export const forceLogout = event({
  id: 'session.ended',
  modules: [],
  needs: null,
  payload: z.object({ user_id: z.string(), session_id: z.string().nullable() }),
  visible: (payload, viewer) =>
    payload.user_id === viewer.user_id && (payload.session_id === null || payload.session_id === viewer.session_id),
});
