/** The addresses of these pages. No other page links to them. */
export const SMPP_ACCOUNTS = '/apis/smpp';
export const CREATE_SMPP_ACCOUNT = '/apis/smpp/create';

export const smppAccountPath = (id: string): string => `/apis/smpp/edit/${id}`;
