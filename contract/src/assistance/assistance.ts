/**
 * Assistance: a language model of the operator's choice suggests, rewrites, translates, and summarizes texts of the
 * inbox. It has no tools and sends nothing. Each account's owner turns it on.
 */
import { z } from 'zod';
import { idParams, listQuery, micros, problem, range, timestamp, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CONVERSATION_PROBLEMS, REPLY_MAX, STATUS_NEEDS } from '../inbox/inbox.ts';
import { INBOX_NEEDS } from '../inbox/needs.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { ASSISTANCE_ACTIONS, ASSISTANCE_LANGUAGES } from './actions.ts';

/** A million dollars per month. */
const MAX_CAP_MICROS = 1_000_000_000_000;
/** A thousand dollars for 1,000 tokens. */
const MAX_PRICE_MICROS = 1_000_000_000;
export const RETENTION_DAYS = [1, 7, 30, 90, 365] as const;
export const MAX_TIMEOUT_SECONDS = 120;

const cap = range(0, MAX_CAP_MICROS);

export const AssistanceProvider = z.object({
  enabled: z.boolean(),
  /** The address of an API that is compatible with OpenAI's, without `/chat/completions`. */
  url: z.string(),
  /** The key itself is stored encrypted and never returned. */
  has_key: z.boolean(),
  model: z.string(),
  /** In micro-units of a US dollar for 1,000 tokens. */
  input_price_micros: micros,
  output_price_micros: micros,
  timeout_seconds: z.int(),
  /** The maximum spend of each account per calendar month (UTC). Accounts can set a lower limit. */
  account_cap_micros: micros,
});
export type AssistanceProvider = z.output<typeof AssistanceProvider>;

export const getAssistanceProvider = endpoint({
  id: 'assistance_provider.get',
  method: 'GET',
  path: '/v1/assistance_provider',
  summary: 'Get the language model for assistance in the inbox; null if none is set up',
  needs: 'CHANNELS:view',
  audience: 'operator',
  output: AssistanceProvider.nullable(),
  problems: ['OPERATOR_ONLY'],
});

export const updateAssistanceProvider = endpoint({
  id: 'assistance_provider.update',
  method: 'PUT',
  path: '/v1/assistance_provider',
  summary: 'Set up the language model. Without `api_key`, the stored key stays if the host is unchanged',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  body: z.object({
    enabled: z.boolean(),
    url: z
      .url({ protocol: /^https?$/, error: problem('ASSISTANCE_URL_INVALID') })
      .max(500, { error: problem('ASSISTANCE_URL_INVALID') }),
    /** Null removes the key. */
    api_key: z.string().trim().min(1).max(1_000).nullable().optional(),
    model: z.string().trim().min(1).max(200),
    input_price_micros: range(0, MAX_PRICE_MICROS),
    output_price_micros: range(0, MAX_PRICE_MICROS),
    timeout_seconds: range(1, MAX_TIMEOUT_SECONDS),
    account_cap_micros: cap,
  }),
  output: AssistanceProvider,
  masks: ['api_key'],
  problems: ['OPERATOR_ONLY', 'ASSISTANCE_URL_INVALID'],
});

export const testAssistanceProvider = endpoint({
  id: 'assistance_provider_tests.create',
  method: 'POST',
  path: '/v1/assistance_provider_tests',
  summary: 'Send a short test request to the language model',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  status: 201,
  timeout_ms: (MAX_TIMEOUT_SECONDS + 10) * 1_000,
  output: z.object({
    ok: z.boolean(),
    /** The beginning of the response, or the reason why there is none. */
    text: z.string(),
    duration_ms: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
  }),
  problems: ['OPERATOR_ONLY', 'ASSISTANCE_NOT_CONFIGURED'],
});

export const AssistanceSettings = z.object({
  /** True if the operator has set up a language model. */
  available: z.boolean(),
  enabled: z.boolean(),
  /** True if the model gets placeholders instead of numbers, email addresses, and names. */
  masks_personal_data: z.boolean(),
  /** The account's maximum spend per calendar month (UTC). Null means as much as the operator allows. */
  monthly_cap_micros: micros.nullable(),
  /** How long the log keeps requests. */
  retention_days: z.int(),
  /** The limit that applies, in micro-units of a US dollar. */
  cap_micros: micros,
  /** The account's spend this month, including requests that are running. */
  used_micros: micros,
  /** The recipient of the texts: the host and name of the model. */
  host: z.string().nullable(),
  model: z.string().nullable(),
});
export type AssistanceSettings = z.output<typeof AssistanceSettings>;

export const getAssistanceSettings = endpoint({
  id: 'assistance_settings.get',
  method: 'GET',
  path: '/v1/assistance_settings',
  summary: 'Get the state of assistance and its cost this month',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: AssistanceSettings,
  problems: [],
});

export const updateAssistanceSettings = endpoint({
  id: 'assistance_settings.update',
  method: 'PUT',
  path: '/v1/assistance_settings',
  summary: 'Turn assistance on or off, or change its settings. Owner only. Omitted fields stay unchanged',
  needs: null,
  audience: 'person',
  body: z
    .object({
      enabled: z.boolean(),
      masks_personal_data: z.boolean(),
      monthly_cap_micros: cap.nullable(),
      retention_days: z.union(RETENTION_DAYS.map((days) => z.literal(days))),
    })
    .partial(),
  output: AssistanceSettings,
  problems: ['PERMISSION_REQUIRED', 'ASSISTANCE_NOT_CONFIGURED'],
});

export const createAssistance = endpoint({
  id: 'assistance.create',
  method: 'POST',
  path: '/v1/conversations/{id}/assistance',
  summary:
    'Let the language model suggest, rewrite, translate, or summarize a text. Nothing is sent or saved in the ' +
    'conversation. The response has one object per line: parts of the text, and then `done` or `problem`',
  needs: STATUS_NEEDS,
  audience: 'session',
  timeout_ms: (MAX_TIMEOUT_SECONDS + 10) * 1_000,
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({
    action: z.enum(ASSISTANCE_ACTIONS),
    /** The text of the reply, for actions that change it. */
    text: z
      .string()
      .max(REPLY_MAX * 2, { error: problem('MESSAGE_TEXT_TOO_LONG') })
      .optional(),
    /** The language to translate to. */
    language: z.enum(ASSISTANCE_LANGUAGES).optional(),
  }),
  raw: 'application/x-ndjson',
  output: z.null(),
  masks: ['text'],
  problems: [
    ...CONVERSATION_PROBLEMS,
    'MESSAGE_TEXT_TOO_LONG',
    'ASSISTANCE_NOT_CONFIGURED',
    'ASSISTANCE_OFF',
    'ASSISTANCE_CAP_REACHED',
    'ASSISTANCE_BUSY',
    'ASSISTANCE_TEXT_REQUIRED',
    'ASSISTANCE_LANGUAGE_REQUIRED',
    'ASSISTANCE_THREAD_EMPTY',
    'ASSISTANCE_UNREACHABLE',
    'ASSISTANCE_REFUSED',
  ],
});

export const ASSISTANCE_STATUSES = ['running', 'completed', 'failed', 'canceled'] as const;
export const ASSISTANCE_STATUS: Readonly<Record<(typeof ASSISTANCE_STATUSES)[number], StatusWord>> = {
  running: statusWord('Running', 'flight', 'progress'),
  completed: statusWord('Completed', 'ok', 'check'),
  failed: statusWord('Failed', 'fail', 'cross'),
  canceled: statusWord('Canceled', 'off', 'ban'),
};

export const AssistanceRequest = z.object({
  id: z.string(),
  account_id: z.string(),
  conversation_id: z.string(),
  user_name: z.string(),
  action: z.enum(ASSISTANCE_ACTIONS),
  language: z.string().nullable(),
  status: z.enum(ASSISTANCE_STATUSES),
  model: z.string(),
  /** The input and output of the model. Numbers, email addresses, and names are placeholders. */
  prompt: z.string(),
  response: z.string(),
  error: z.string().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** In micro-units of a US dollar. For a running request, its maximum cost. */
  cost_micros: micros,
  duration_ms: z.int().nullable(),
  create_date: timestamp,
});
export type AssistanceRequest = z.output<typeof AssistanceRequest>;

export const listAssistanceRequests = endpoint({
  id: 'assistance_requests.list',
  method: 'GET',
  path: '/v1/assistance_requests',
  summary: 'List the requests to the language model with their prompts and costs, newest first. Owner only',
  needs: null,
  audience: 'person',
  query: listQuery({ actions: wordList(ASSISTANCE_ACTIONS), statuses: wordList(ASSISTANCE_STATUSES) }),
  list: true,
  output: AssistanceRequest,
  problems: ['PERMISSION_REQUIRED'],
});

/** The owner changed the settings. */
export const assistanceChanged = event({
  id: 'assistance.changed',
  modules: ['assistance_settings'],
  needs: INBOX_NEEDS,
  payload: z.object({ enabled: z.boolean() }),
});

/** A request to the language model has ended. */
export const assistanceRequestEnded = event({
  id: 'assistance_request.ended',
  modules: ['assistance_requests', 'assistance_settings'],
  needs: 'ACCOUNTS:edit',
  payload: z.object({ id: z.string(), status: z.enum(ASSISTANCE_STATUSES) }),
});

/** An operator changed the language model. Sent to the operators' account. */
export const assistanceProviderChanged = event({
  id: 'assistance_provider.changed',
  modules: ['assistance_provider', 'assistance_settings'],
  needs: 'CHANNELS:view',
  payload: z.object({ enabled: z.boolean() }),
});
