/** Where the operators' pages live. */
export const CONNECTIONS = '/connections';
export const ADD_CONNECTION = '/connections/add';
export const ROUTES = '/routes';

export const connectionPath = (id: string): string => `${CONNECTIONS}/${id}`;
export const ACCOUNTS = '/accounts';
export const REQUESTS = '/requests';
export const HEALTH = '/health';
export const accountPath = (id: string): string => `${ACCOUNTS}/${id}`;
