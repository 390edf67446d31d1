/**
 * Limits of imports and contacts. Separate from the endpoints, because the process that reads a file starts once per
 * file and must not load schemas.
 */

/** The rows of a file. Operators can allow an account up to the maximum. */
export const DEFAULT_IMPORT_ROWS = 100_000;
export const MAX_IMPORT_ROWS = 1_000_000;
export const MAX_IMPORT_COLUMNS = 50;
/** How long an import can be undone. */
export const UNDO_DAYS = 30;
/** The length of a run of consecutive numbers that is unlikely for real people. */
export const CONSECUTIVE_NUMBERS = 20;
/** The maximum number of rows of each kind that an import lists. The file of rejected rows contains all rows. */
export const MAX_LISTED_ROWS = 1_000;
/** The maximum number of fields that an account can define. */
export const MAX_CONTACT_FIELDS = 50;
/** The maximum length of a text in one of these fields. */
export const MAX_FIELD_TEXT = 200;
/** The maximum number of conditions of a dynamic audience, in all groups together. */
export const MAX_CONDITIONS = 50;
export const MAX_TAGS = 10;
export const MAX_TAG_LENGTH = 32;
/** The maximum length of each of a contact's texts. */
export const MAX_CONTACT_TEXT = { first_name: 32, last_name: 32, custom1: 32, custom2: 70 } as const;

/** Test-key audiences per account, and contacts in each of them and in each test-key campaign. */
export const MAX_TEST_AUDIENCES = 100;
export const MAX_TEST_CONTACTS = 1_000;
