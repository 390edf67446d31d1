/** Responses: texts that users insert into their replies, private or shared with the account. */
import { z } from 'zod';
import { idParams, listQuery, plainName, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { REPLY_MAX } from './inbox.ts';

/** The names in braces that are replaced when a response is inserted. */
export const RESPONSE_VARIABLES = ['first_name', 'last_name', 'custom1', 'custom2', 'agent_name'] as const;
export const RESPONSES_PER_USER = 200;

/** The name of a folder. A folder exists while it has a response. */
const folder = plainName({ min: 1, max: 40 }).nullable();
/** The word that finds a response in the composer, with or without the slash that opens the list. */
const shortcut = z
  .string()
  .transform((text) => text.trim().replace(/^\//, '').toLowerCase())
  .pipe(z.string().regex(/^[\p{L}\p{M}\p{N}_-]{1,30}$/u, { error: problem('RESPONSE_SHORTCUT_INVALID') }))
  .nullable();
/** Variables in braces are replaced when the response is inserted: first_name, last_name, custom1, agent_name. */
const text = z
  .string()
  .trim()
  .min(1, { error: problem('MESSAGE_TEXT_REQUIRED') })
  .max(REPLY_MAX, { error: problem('MESSAGE_TEXT_TOO_LONG') });

export const SavedResponse = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  text: z.string(),
  folder: z.string().nullable(),
  /** Unique among the shared responses, and among a user's private ones. */
  shortcut: z.string().nullable(),
  shared: z.boolean(),
  is_own: z.boolean(),
  /** The user who saved the response. */
  user_name: z.string(),
  /** How often users have inserted the response. */
  usage_count: z.int(),
  last_use_date: timestamp.nullable(),
  create_date: timestamp,
});
export type SavedResponse = z.output<typeof SavedResponse>;

export const listResponses = endpoint({
  id: 'responses.list',
  method: 'GET',
  path: '/v1/responses',
  summary: 'List your responses and those shared with the account, by folder and name',
  needs: 'MESSAGES:view',
  audience: 'session',
  /** The search matches part of the name, the text, or the shortcut. Matching shortcuts come first. */
  query: listQuery({ search, folder: z.string().trim().max(40) }),
  list: true,
  output: SavedResponse,
  problems: [],
});

export const createResponse = endpoint({
  id: 'responses.create',
  method: 'POST',
  path: '/v1/responses',
  summary: `Save a response. Each user can have at most ${RESPONSES_PER_USER}`,
  needs: 'MESSAGES:add',
  audience: 'session',
  body: z.object({
    name: plainName({ min: 1, max: 60 }),
    text,
    folder: folder.default(null),
    shortcut: shortcut.default(null),
    shared: z.boolean().default(false),
  }),
  status: 201,
  output: SavedResponse,
  problems: [
    'MESSAGE_TEXT_REQUIRED',
    'MESSAGE_TEXT_TOO_LONG',
    'RESPONSE_EXISTS',
    'RESPONSES_LIMIT_EXCEEDED',
    'RESPONSE_SHORTCUT_INVALID',
    'RESPONSE_SHORTCUT_EXISTS',
  ],
});

export const updateResponse = endpoint({
  id: 'responses.update',
  method: 'PUT',
  path: '/v1/responses/{id}',
  summary: 'Change a response. Changing another user’s shared response requires MESSAGES edit',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: idParams('RESPONSE_NOT_FOUND'),
  /** Omitted fields keep their values. Only the user who saved a response can stop sharing it. */
  body: z.object({ name: plainName({ min: 1, max: 60 }), text, folder, shortcut, shared: z.boolean() }).partial(),
  output: SavedResponse,
  problems: [
    'RESPONSE_NOT_FOUND',
    'RESPONSE_NOT_EDITABLE',
    'MESSAGE_TEXT_REQUIRED',
    'MESSAGE_TEXT_TOO_LONG',
    'RESPONSE_EXISTS',
    'RESPONSE_SHORTCUT_INVALID',
    'RESPONSE_SHORTCUT_EXISTS',
  ],
});

export const listResponseFolders = endpoint({
  id: 'response_folders.list',
  method: 'GET',
  path: '/v1/response_folders',
  summary: 'List the folders of the responses that you can see, by name',
  needs: 'MESSAGES:view',
  audience: 'session',
  output: z.array(z.object({ name: z.string(), responses: z.int() })),
  problems: [],
});

export const getResponse = endpoint({
  id: 'responses.get',
  method: 'GET',
  path: '/v1/responses/{id}',
  summary: 'Get a response',
  needs: 'MESSAGES:view',
  audience: 'session',
  params: idParams('RESPONSE_NOT_FOUND'),
  output: SavedResponse,
  problems: ['RESPONSE_NOT_FOUND'],
});

export const removeResponse = endpoint({
  id: 'responses.remove',
  method: 'DELETE',
  path: '/v1/responses/{id}',
  summary: 'Delete a response. Deleting another user’s shared response requires MESSAGES delete',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: idParams('RESPONSE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['RESPONSE_NOT_FOUND', 'RESPONSE_NOT_OWN'],
});

export const fillResponse = endpoint({
  id: 'response_texts.create',
  method: 'POST',
  path: '/v1/responses/{id}/texts',
  summary: 'Fill in a response for a conversation, and count its use',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: idParams('RESPONSE_NOT_FOUND'),
  body: z.object({ conversation_id: uuid('CONVERSATION_ID_INVALID') }),
  output: z.object({
    text: z.string(),
    /** The variables without a value, which stay in the text. */
    missing: z.array(z.string()),
  }),
  problems: ['RESPONSE_NOT_FOUND', 'CONVERSATION_NOT_FOUND', 'CONVERSATION_ID_INVALID', 'CONVERSATION_ACCESS_DENIED'],
});

/** A response was saved, changed, or deleted. Private responses are announced only to their user. */
export const responseChanged = event({
  id: 'response.changed',
  modules: ['responses', 'response_folders'],
  needs: 'MESSAGES:view',
  payload: z.object({ id: z.string(), user_id: z.string(), shared: z.boolean() }),
  visible: ({ shared, user_id }, viewer) => shared || viewer.user_id === user_id,
});
