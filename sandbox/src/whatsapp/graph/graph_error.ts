/** The errors of the Graph API: one table of codes with their titles and HTTP statuses, and one JSON format. */
import { randomBytes } from 'node:crypto';

const titles: Record<number, [status: number, title: string]> = {
  0: [401, 'Authentication failed'],
  1: [400, 'An unknown error occurred'],
  2: [503, 'Service temporarily unavailable'],
  3: [403, 'Application does not have the capability to make this API call'],
  4: [400, 'Application request limit reached'],
  10: [403, 'Application does not have permission for this action'],
  33: [400, 'Parameter value is not valid'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Error validating access token'],
  200: [403, 'Permissions error'],
  368: [403, 'Temporarily blocked for policies violations'],
  6000: [400, 'There was a problem uploading your file'],
  2200: [400, 'Callback verification failed'],
  2635: [400, 'You are calling a deprecated version of the API'],
  80007: [400, 'Rate limit issues'],
  80008: [400, 'Too many calls to this business account'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, 'Business account is restricted from messaging users in this country'],
  131000: [500, 'Something went wrong'],
  131005: [403, 'Access denied'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131030: [400, 'Recipient phone number not in allowed list'],
  131031: [403, 'Business account has been locked'],
  131037: [400, 'Display name approval needed'],
  131042: [400, 'Business eligibility payment issue'],
  131044: [400, 'Business eligibility payment issue'],
  131045: [500, 'Incorrect certificate'],
  131047: [400, 'Re-engagement message'],
  131048: [400, 'Spam rate limit hit'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement.'],
  131050: [400, 'User has stopped marketing messages from this business'],
  131051: [501, 'Unsupported message type'],
  131052: [500, 'Media download error'],
  131053: [500, 'Media upload error'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Account in maintenance mode'],
  131062: [400, 'Business-scoped user ids are not supported for this message'],
  131063: [400, 'Marketing templates are disabled on this API'],
  131064: [400, 'Messaging limit reached'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Translated text too long'],
  132007: [400, 'Template format character policy violated'],
  132008: [400, 'Parameter value is not valid in the template'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'Parameter text has characters no parameter may have'],
  132068: [400, 'Flow is blocked'],
  132069: [400, 'Flow is throttled'],
  133005: [400, 'Two step verification PIN mismatch'],
  133006: [400, 'Phone number re-verification needed'],
  133010: [400, 'Phone number not registered'],
  133016: [400, 'Account register deregister rate limit exceeded'],
  135000: [400, 'Generic user error'],
  136024: [400, 'Request code error'],
  136025: [400, 'Verify code error'],
  137000: [400, 'Recipient identity key hash mismatch'],
};

export const knownCodes: readonly number[] = Object.keys(titles).map(Number);
export const errorTitle = (code: number): string => titles[code]?.[1] ?? 'Unknown error';

interface ErrorDetails {
  subcode?: number;
  user_title?: string;
  user_message?: string;
}

export class GraphError extends Error {
  readonly code: number;
  readonly details: string;
  readonly more: ErrorDetails;

  constructor(code: number, details: string, more: ErrorDetails = {}) {
    super(`(#${code}) ${errorTitle(code)}`);
    this.code = code;
    this.details = details;
    this.more = more;
  }

  get status(): number {
    return titles[this.code]?.[0] ?? 400;
  }

  toJSON(): Record<string, unknown> {
    const { subcode, user_title, user_message } = this.more;
    return {
      error: {
        message: this.code === 190 ? this.details : this.message,
        type: 'OAuthException',
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode, is_transient: false }),
        ...(user_title && { error_user_title: user_title }),
        ...(user_message && { error_user_msg: user_message }),
        error_data: { messaging_product: 'whatsapp', details: this.details },
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    };
  }
}

/** Builds an entry for the `errors` array in a webhook. */
export const webhookError = (code: number, details = errorTitle(code)) => ({
  code,
  title: errorTitle(code),
  message: errorTitle(code),
  error_data: { details },
  href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
});

export const missing = (parameter: string): GraphError =>
  new GraphError(131008, `Required parameter is missing: ${parameter}`);
export const invalidValue = (details: string): GraphError => new GraphError(131009, details);
export const invalidParameter = (details: string, more: ErrorDetails = {}): GraphError =>
  new GraphError(100, details, more);
export const noSuchObject = (id: string): GraphError =>
  new GraphError(
    100,
    `Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, ` +
      'or does not support this operation',
    { subcode: 33 },
  );
