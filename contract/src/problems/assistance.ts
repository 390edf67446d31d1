/** Assistance by a language model. */
import type { Rows } from './row.ts';

export const ASSISTANCE = {
  ASSISTANCE_NOT_CONFIGURED: {
    code: 2575,
    status: 409,
    public: 'Assistance is not available yet. Contact support to set it up.',
    internal: 'No language model is set up, or it is turned off',
  },
  ASSISTANCE_OFF: {
    code: 2576,
    status: 409,
    public: 'Assistance is off. The owner of the account can turn it on under Settings, Inbox.',
  },
  ASSISTANCE_CAP_REACHED: {
    code: 2577,
    status: 409,
    public: 'The account has reached its assistance limit for this month',
  },
  ASSISTANCE_UNREACHABLE: {
    code: 2578,
    status: 503,
    public: 'The language model did not respond in time. Try again in a minute.',
  },
  ASSISTANCE_REFUSED: {
    code: 2579,
    status: 503,
    public: 'The language model could not complete this request. Try again, or contact support if it happens again.',
  },
  ASSISTANCE_BUSY: {
    code: 2580,
    status: 429,
    public: 'The language model is busy. Try again in a minute.',
  },
  ASSISTANCE_TEXT_REQUIRED: { code: 2581, status: 400, public: 'Write a reply first', field: 'text' },
  ASSISTANCE_LANGUAGE_REQUIRED: { code: 2582, status: 400, public: 'Choose a language', field: 'language' },
  ASSISTANCE_THREAD_EMPTY: {
    code: 2583,
    status: 409,
    public: 'The contact has not written any text in this conversation yet',
  },
  ASSISTANCE_URL_INVALID: {
    code: 2584,
    status: 400,
    public: 'The URL must be an http or https address that this server is allowed to reach',
    field: 'url',
  },
} as const satisfies Rows;
