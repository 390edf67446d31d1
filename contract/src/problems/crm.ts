/** Connections to CRMs. */
import type { Rows } from './row.ts';

export const CRM = {
  CRM_NOT_FOUND: { code: 2340, status: 404, public: 'CRM not found' },
  CRM_NOT_AVAILABLE: {
    code: 2341,
    status: 409,
    public: 'This CRM is not available yet. Contact support to set it up.',
    internal: 'CRM_APPS has no app for this CRM',
  },
  CRM_NOT_CONNECTED: { code: 2342, status: 404, public: 'This CRM is not connected' },
  CRM_CODE_REQUIRED: { code: 2343, status: 400, public: 'Code is required', field: 'code' },
  CRM_CODE_INVALID: {
    code: 2344,
    status: 400,
    public: 'The CRM rejected the connection. Connect again.',
    field: 'code',
  },
  CRM_STATE_INVALID: {
    code: 2345,
    status: 400,
    public: 'This connection request has expired or was started by another user. Connect again.',
    field: 'state',
  },
  CRM_UNREACHABLE: { code: 2346, status: 503, public: 'The CRM did not respond. Try again in a minute.' },
  CRM_COMPANY_TAKEN: {
    code: 2347,
    status: 409,
    public: 'This CRM company is connected to another account. Disconnect it there first.',
  },
  CRM_OTHER_COMPANY: {
    code: 2348,
    status: 409,
    public: 'Your account is connected to another company in this CRM. Disconnect it first.',
  },
  CRM_PANEL_TOKEN_INVALID: {
    code: 2349,
    status: 400,
    public: 'The panel has expired. Reload the page in Pipedrive.',
    field: 'token',
  },
  CRM_USER_NOT_CONNECTED: {
    code: 2350,
    status: 403,
    public: 'Connect your own Pipedrive account in Parley to use this panel',
  },
  CRM_RECORD_NOT_FOUND: { code: 2351, status: 404, public: 'This record no longer exists in the CRM' },
  CRM_SYNC_AUDIENCE_INVALID: {
    code: 2560,
    status: 400,
    public: 'Select an audience that is not dynamic',
    field: 'audience_id',
  },
  CRM_SYNC_FIELD_INVALID: {
    code: 2561,
    status: 400,
    public: 'Each field can be mapped once, and both fields must exist',
    field: 'fields',
  },
  CRM_SYNC_CONSENT_INVALID: {
    code: 2562,
    status: 400,
    public: 'A consent needs a CRM field, different values for yes and no, and the text people agreed to',
    field: 'consents',
  },
  CRM_SYNC_OFF: { code: 2563, status: 409, public: 'The contact sync is off' },
  CRM_TRIGGER_NOT_FOUND: { code: 2564, status: 404, public: 'Stage message not found' },
  CRM_TRIGGER_INVALID: { code: 2565, status: 400, public: 'Select a stage that exists in the CRM', field: 'stage_id' },
} as const satisfies Rows;
