/** Users and invitations of a company, and their permissions. */
import { z } from 'zod';
import { USER_STATUSES } from '../accounts/accounts.ts';
import { SignIn } from '../auth/auth.ts';
import { email } from '../auth/sign_up.ts';
import { commaList, idParams, listQuery, plainName, problem, search, timestamp, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { allPermissions, FULL, type Permissions, RESOURCES } from '../permission.ts';
import { type StatusWord, statusWord } from '../status.ts';

const invalidPermissions = { error: problem('PERMISSIONS_INVALID') };
/** Permission bits by resource. Omitted resources get no permission. */
const PermissionInput = z.partialRecord(
  z.enum(RESOURCES, invalidPermissions),
  z.int(invalidPermissions).min(0, invalidPermissions).max(FULL, invalidPermissions),
  invalidPermissions,
);

const view = (...resources: (typeof RESOURCES)[number][]) =>
  Object.fromEntries(resources.map((resource) => [resource, 1]));
/** Presets of permissions. Only the permissions are stored. */
export const ROLES: Readonly<Record<string, { label: string; description: string; permissions: Permissions }>> = {
  full_access: {
    label: 'Full access',
    description: 'All permissions, including billing, users, and API keys.',
    permissions: allPermissions(),
  },
  agent: {
    label: 'Agent',
    description: 'Replies to conversations in the inbox.',
    permissions: { ...view('AUDIENCES', 'TEMPLATES', 'SENDERS', 'CHANNELS'), MESSAGES: 3, CONVERSATIONS: 7, MEDIA: 3 },
  },
  marketer: {
    label: 'Marketer',
    description: 'Creates and sends campaigns, and manages audiences, templates, and links.',
    permissions: {
      ...view('CHANNELS', 'NUMBERS', 'CONVERSATIONS', 'SMS_LIMITS'),
      AUDIENCES: 15,
      CAMPAIGNS: 15,
      MESSAGES: 3,
      SENDERS: 1,
      SHORT_URLS: 15,
      TEMPLATES: 15,
      MEDIA: 15,
    },
  },
  developer: {
    label: 'Developer',
    description: 'Manages API keys and webhooks, and views logs.',
    permissions: {
      ...view('AUDIENCES', 'CAMPAIGNS', 'CHANNELS', 'NUMBERS', 'SENDERS', 'TEMPLATES', 'SMS_LIMITS'),
      KEYS: 15,
      WEBHOOKS: 15,
      MESSAGES: 3,
      SHORT_URLS: 3,
      MEDIA: 3,
    },
  },
  finance: {
    label: 'Finance',
    description: 'Manages funds, invoices, and alerts, and views spending.',
    permissions: { ...view('ACCOUNTS', 'CAMPAIGNS', 'MESSAGES'), PAYMENTS: 15, INVOICES: 15, ALERTS: 15 },
  },
  read_only: {
    label: 'Read only',
    description: 'Can view everything but change nothing.',
    permissions: Object.fromEntries(RESOURCES.map((resource) => [resource, 1])),
  },
};

export const TeamUser = z.object({
  id: z.string(),
  account_id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  position: z.string(),
  phone_number: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  blocked: z.boolean(),
  block_reason: z.string(),
  /** True if an operator blocked the user. The company can then neither unblock nor delete the user. */
  blocked_by_operator: z.boolean(),
  is_owner: z.boolean(),
  second_factor: z.boolean(),
  permissions: z.record(z.string(), z.int()),
  last_seen_date: timestamp.nullable(),
  create_date: timestamp,
});
export type TeamUser = z.output<typeof TeamUser>;

const position = z.string().trim().max(60);
const person = {
  email,
  first_name: plainName({ max: 60 }),
  last_name: plainName({ max: 60 }),
  position,
  permissions: PermissionInput,
};

export const listUsers = endpoint({
  id: 'users.list',
  method: 'GET',
  path: '/v1/users',
  summary: 'List the company’s users',
  needs: 'USERS:view',
  audience: 'session',
  sorts: ['name', 'status', 'position', 'last_seen_date'],
  query: listQuery({
    search,
    statuses: wordList(USER_STATUSES),
    user_statuses: wordList(USER_STATUSES),
    positions: commaList(z.string()),
  }),
  list: true,
  output: TeamUser,
  problems: [],
});
export const getTeamUser = endpoint({
  id: 'users.get_one',
  method: 'GET',
  path: '/v1/users/{id}',
  summary: 'Get a company user',
  needs: 'USERS:view',
  audience: 'session',
  params: idParams('USER_NOT_FOUND'),
  output: TeamUser,
  problems: ['USER_NOT_FOUND'],
});
/** Creates the user immediately, with the status NEW and no password, and emails an invitation. */
export const createUser = endpoint({
  id: 'users.create',
  method: 'POST',
  path: '/v1/accounts/self/subusers',
  summary: 'Create a company user',
  needs: 'USERS:add',
  audience: 'person',
  verified: true,
  body: z.object(person),
  status: 201,
  output: TeamUser,
  problems: [
    'EMAIL_INVALID',
    'PERMISSIONS_INVALID',
    'USER_EXISTS',
    'CODE_LIMIT_REACHED',
    'PERMISSION_GRANT_NOT_ALLOWED',
  ],
});
/**
 * Users can grant only permissions that they have. Changes take effect at the next request, and on open pages
 * immediately.
 */
export const updateUser = endpoint({
  id: 'users.update',
  method: 'PUT',
  path: '/v1/users/{id}',
  summary: 'Update, block, or unblock a user',
  needs: 'USERS:edit',
  audience: 'person',
  params: idParams('USER_NOT_FOUND'),
  body: z
    .object({ ...person, blocked: z.boolean(), block_reason: z.string().trim().max(300) })
    .omit({ email: true })
    .partial(),
  output: TeamUser,
  problems: [
    'PERMISSIONS_INVALID',
    'USER_NOT_FOUND',
    'PERMISSION_REQUIRED',
    'PERMISSION_GRANT_NOT_ALLOWED',
    'OWNER_CHANGE_NOT_ALLOWED',
    'SELF_CHANGE_NOT_ALLOWED',
  ],
});
/** `updateUser` at another path. */
export const updateSubUser = endpoint({
  ...updateUser,
  id: 'users.update_sub',
  path: '/v1/users/self/subusers/{id}',
  params: updateUser.params,
  body: updateUser.body,
  output: TeamUser,
});
export const removeUser = endpoint({
  id: 'users.remove',
  method: 'DELETE',
  path: '/v1/users/self/subusers/{id}',
  summary:
    'Delete a company user. Their sessions end, their open conversations are unassigned, and their actions stay ' +
    'in the audit log',
  needs: 'USERS:delete',
  audience: 'person',
  params: idParams('USER_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['USER_NOT_FOUND', 'PERMISSION_REQUIRED', 'OWNER_CHANGE_NOT_ALLOWED', 'SELF_CHANGE_NOT_ALLOWED'],
});

const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED'] as const;
export const INVITATION_STATUS: Readonly<Record<(typeof INVITATION_STATUSES)[number], StatusWord>> = {
  PENDING: statusWord('Pending', 'wait', 'clock'),
  ACCEPTED: statusWord('Accepted', 'ok', 'check'),
  REVOKED: statusWord('Revoked', 'off', 'cross'),
  EXPIRED: statusWord('Expired', 'off', 'clock'),
};
export const INVITATION_DAYS = 7;
export const Invitation = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  position: z.string(),
  permissions: z.record(z.string(), z.int()),
  status: z.enum(INVITATION_STATUSES),
  invited_by_name: z.string(),
  sends: z.int(),
  send_date: timestamp,
  expire_date: timestamp,
  create_date: timestamp,
});
export type Invitation = z.output<typeof Invitation>;

export const listInvitations = endpoint({
  id: 'invitations.list',
  method: 'GET',
  path: '/v1/accounts/self/invitations',
  summary: 'List the company’s invitations',
  needs: 'USERS:view',
  audience: 'session',
  query: listQuery({ search, statuses: wordList(INVITATION_STATUSES) }),
  list: true,
  output: Invitation,
  problems: [],
});
export const createInvitation = endpoint({
  id: 'invitations.create',
  method: 'POST',
  path: '/v1/accounts/self/invitations',
  summary: 'Invite someone by email',
  needs: 'USERS:add',
  audience: 'person',
  verified: true,
  body: z.object({
    ...person,
    first_name: person.first_name.default(''),
    last_name: person.last_name.default(''),
    position: position.default(''),
  }),
  status: 201,
  output: Invitation,
  problems: [
    'EMAIL_INVALID',
    'PERMISSIONS_INVALID',
    'USER_EXISTS',
    'CODE_LIMIT_REACHED',
    'PERMISSION_GRANT_NOT_ALLOWED',
  ],
});
export const resendInvitation = endpoint({
  id: 'invitations.resend',
  method: 'POST',
  path: '/v1/accounts/self/invitations/{id}/sends',
  summary: 'Resend an invitation with a new link; the old link stops working',
  needs: 'USERS:add',
  audience: 'person',
  verified: true,
  params: idParams('INVITATION_NOT_FOUND'),
  body: z.object({}),
  output: Invitation,
  problems: ['INVITATION_NOT_FOUND', 'INVITATION_NOT_OPEN', 'CODE_LIMIT_REACHED', 'PERMISSION_GRANT_NOT_ALLOWED'],
});
export const revokeInvitation = endpoint({
  id: 'invitations.revoke',
  method: 'DELETE',
  path: '/v1/accounts/self/invitations/{id}',
  summary: 'Revoke an invitation',
  needs: 'USERS:edit',
  audience: 'person',
  params: idParams('INVITATION_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['INVITATION_NOT_FOUND', 'INVITATION_NOT_OPEN', 'PERMISSION_REQUIRED'],
});
/**
 * Invitations to the caller's email address. Only the link in the email can accept them; its secret is stored as a
 * hash.
 */
export const listOwnInvitations = endpoint({
  id: 'invitations.list_own',
  method: 'GET',
  path: '/v1/users/self/invitations',
  summary: 'List the caller’s open invitations',
  needs: null,
  audience: 'person',
  output: z.array(
    Invitation.pick({
      id: true,
      company_name: true,
      invited_by_name: true,
      position: true,
      send_date: true,
      expire_date: true,
    }),
  ),
  problems: [],
});
/** `id` is the secret of the link. */
const tokenParams = z.object({ id: z.string().regex(/^[\w-]{20,100}$/, { error: problem('INVITATION_NOT_FOUND') }) });
export const getInvitation = endpoint({
  id: 'invitations.get',
  method: 'GET',
  path: '/v1/users/self/invitations/{id}',
  summary: 'Get an invitation by the secret in its link',
  needs: 'public',
  params: tokenParams,
  output: z.object({
    company_name: z.string(),
    invited_by_name: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    /** True if the email address belongs to a user, who signs in to accept. */
    existing: z.boolean(),
    expire_date: timestamp,
  }),
  problems: ['INVITATION_NOT_FOUND', 'INVITATION_NOT_OPEN'],
});
/** New users send a name and a password. Existing users send their session (`Authorization`) or their password. */
export const acceptInvitation = endpoint({
  id: 'invitations.accept',
  method: 'POST',
  path: '/v1/users/self/invitations',
  summary: 'Accept an invitation; returns a session in that company, or the step to complete first',
  needs: 'public',
  body: z.object({
    token: z.string().regex(/^[\w-]{20,100}$/, { error: problem('INVITATION_NOT_FOUND') }),
    first_name: plainName({ max: 60 }).optional(),
    last_name: plainName({ max: 60 }).optional(),
    /** The new password of a new user (PASSWORD_TOO_WEAK), or the current password of an existing user. */
    password: z.string().max(128).optional(),
  }),
  output: SignIn,
  problems: [
    'PASSWORD_REQUIRED',
    'FIRST_NAME_REQUIRED',
    'LAST_NAME_REQUIRED',
    'PASSWORD_TOO_WEAK',
    'PASSWORD_TOO_COMMON',
    'CREDENTIALS_INVALID',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'INVITATION_NOT_FOUND',
    'INVITATION_NOT_OPEN',
    'USER_EXISTS',
  ],
});

/** Users, invitations, or permissions changed. */
export const teamChanged = event({
  id: 'team.changed',
  modules: ['users', 'invitations', 'subaccounts'],
  needs: 'USERS:view',
  payload: z.object({ account_id: z.string() }),
});
