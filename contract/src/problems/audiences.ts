/** Audiences, contacts, imports, and the stop list. */
import type { Rows } from './row.ts';

export const AUDIENCES = {
  AUDIENCE_NOT_FOUND: { code: 1301, status: 404, public: 'Audience not found', field: 'audience' },
  AUDIENCE_ID_INVALID: { code: 1302, status: 400, public: 'Audience ID is not valid', field: 'audience' },
  AUDIENCE_NAME_REQUIRED: { code: 1303, status: 400, public: 'Audience name is required', field: 'name' },
  AUDIENCE_NAME_INVALID: {
    code: 1304,
    status: 400,
    public: 'Use only letters, digits, spaces, -, and _. Names such as "audience-1" are not allowed.',
    field: 'name',
  },
  AUDIENCE_NAME_TOO_LONG: {
    code: 1305,
    status: 400,
    public: 'Audience name can have at most 45 characters',
    field: 'name',
  },
  AUDIENCE_CHANNEL_REQUIRED: { code: 1306, status: 400, public: 'Channel is required', field: 'channel' },
  AUDIENCE_CHANNEL_INVALID: { code: 1307, status: 400, public: 'Channel is not valid', field: 'channel' },
  CONTACTS_LIMIT_EXCEEDED: {
    code: 1308,
    status: 400,
    public: 'At most 1,000 contacts can be sent in one request',
    field: 'contacts',
  },
  AUDIENCE_EXISTS: { code: 1309, status: 409, public: 'An audience with this name already exists', field: 'name' },
  IMPORT_LIMIT_EXCEEDED: { code: 1310, status: 400, public: 'Limit Exceed', field: 'file' },
  IMPORT_NUMBER_COLUMN_REQUIRED: {
    code: 1311,
    status: 400,
    public: 'The file has no Number column. Choose the column with the phone numbers.',
    field: 'file',
  },
  IMPORT_DELIMITER_INVALID: {
    code: 1312,
    status: 400,
    public:
      'The columns in the file could not be detected. Separate them with commas, semicolons, tabs, or | characters.',
    field: 'file',
  },
  IMPORT_COLUMNS_LIMIT_EXCEEDED: { code: 1314, status: 400, public: 'The file has too many columns', field: 'file' },
  IMPORT_ROWS_LIMIT_EXCEEDED: { code: 1315, status: 400, public: 'The file has more than 100,000 rows', field: 'file' },
  IMPORT_FILE_UNREADABLE: {
    code: 1316,
    status: 400,
    public: 'The file could not be read as CSV or XLSX',
    field: 'file',
  },
  IMPORT_NOT_FOUND: { code: 1317, status: 404, public: 'Import not found' },
  IMPORT_STATE_INVALID: { code: 1318, status: 409, public: 'The import cannot be changed in its current state' },
  AUDIENCE_IN_USE: { code: 1319, status: 409, public: 'A running campaign or import uses this audience' },
  CONTACT_NOT_FOUND: { code: 1351, status: 404, public: 'Contact not found', field: 'contact' },
  CONTACT_ID_INVALID: { code: 1352, status: 400, public: 'Contact ID is not valid', field: 'contact' },
  CONTACT_NUMBER_REQUIRED: { code: 1353, status: 400, public: 'Number is required', field: 'number' },
  CONTACT_NUMBER_INVALID: { code: 1354, status: 400, public: 'This is not a valid phone number', field: 'number' },
  CONTACT_NUMBER_TOO_LONG: {
    code: 1355,
    status: 400,
    public: 'Number can have at most 45 characters',
    field: 'number',
  },
  TAGS_LIMIT_EXCEEDED: { code: 1359, status: 400, public: 'At most 10 tags are allowed', field: 'tags' },
  CONTACT_EXISTS: { code: 1360, status: 409, public: 'This number is already in the audience', field: 'number' },
  CONTACT_FIRST_NAME_TOO_LONG: {
    code: 1361,
    status: 400,
    public: 'First name can have at most 32 characters',
    field: 'first_name',
  },
  CONTACT_LAST_NAME_TOO_LONG: {
    code: 1362,
    status: 400,
    public: 'Last name can have at most 32 characters',
    field: 'last_name',
  },
  CONTACT_CUSTOM1_TOO_LONG: {
    code: 1363,
    status: 400,
    public: 'Custom 1 can have at most 32 characters',
    field: 'custom1',
  },
  CONTACT_CUSTOM2_TOO_LONG: {
    code: 1364,
    status: 400,
    public: 'Custom 2 can have at most 70 characters',
    field: 'custom2',
  },
  IMPORT_FILE_INVALID: { code: 7912, status: 400, public: 'The file contains invalid data', field: 'file' },
  // Stop list
  STOP_LIST_ENTRY_EXISTS: {
    code: 1003,
    status: 409,
    public: 'This contact is already blocked for the sender',
    field: 'number',
  },
  STOP_LIST_ENTRY_NOT_FOUND: { code: 1370, status: 404, public: 'Stop list entry not found' },
} as const satisfies Rows;
