/** Where the operators' pages live. */
export const CONNECTIONS = '/connections';
export const ADD_CONNECTION = '/connections/add';
export const ROUTES = '/routes';

export const connectionPath = (id: string): string => `${CONNECTIONS}/${id}`;
