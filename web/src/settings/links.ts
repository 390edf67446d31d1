/** Addresses of the settings, and of the steps that begin there. */
export const MY_USER = '/settings';
export const COMPANY = '/settings/account';
export const SECURITY = '/settings/security';
export const USERS = '/settings/users';
export const CREATE_USER = '/settings/users/create';
export const AUDIT_LOG = '/settings/audit-log';
export const SUB_ACCOUNTS = '/subaccounts';
export const VERIFICATION = '/verification';
export const CHANGE_PHONE = '/change-phone';

export const userPath = (id: string): string => `/settings/users/${id}`;
