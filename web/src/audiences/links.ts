/** Where audiences, imports and the stop list live. */
export const AUDIENCES = '/contacts/my-audiences';
export const CREATE = '/contacts/create-audience';
export const IMPORTS = '/contacts/imports';
export const STOP_LIST = '/contacts/my-stop-list';
export const ADD_STOP = '/contacts/stop-list/add-contact';

export const audiencePath = (id: string): string => `${AUDIENCES}/${id}`;
export const renamePath = (id: string): string => `/contacts/rename-audience/${id}`;
export const addContactPath = (id: string): string => `/contacts/add-contact/${id}`;
export const importPath = (id: string): string => `${IMPORTS}/${id}`;
export const importIntoPath = (audience_id: string): string => `${CREATE}?audience=${audience_id}`;
/** An uploaded file that still waits for its columns. */
export const continuePath = (import_id: string): string => `${CREATE}?import=${import_id}`;

/** A path with a query, for a Link. */
export function linkTo(path: string): { to: string; search: never } {
  const [to = '', query = ''] = path.split('?');
  return { to, search: Object.fromEntries(new URLSearchParams(query)) as never };
}
