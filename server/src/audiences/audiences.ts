/**
 * Audiences, their contacts and imports, and the stop list. A number is in an audience at most once, an import applies
 * all of its rows or none, and a number on the stop list receives no messages.
 */
export { audienceChecks } from './check.ts';
export { selectPeople } from './conditions/conditions.ts';
export { getConsentState, storeConsent } from './consents/consents.ts';
export { hasConsent, listConsentsById, storeMessageConsents } from './consents/queries.ts';
export { createImport } from './imports/imports.ts';
export { enterByKeyword } from './keywords/automations.ts';
export { optIn } from './keywords/opt_in.ts';
export { listKeywords } from './keywords/queries.ts';
export { createAudienceFrom, getAudience } from './list/audiences.ts';
export { eraseImported, erasePerson } from './list/erase.ts';
export { joinAudience } from './list/join.ts';
export { moveContacts } from './list/move.ts';
export { removeContacts, requireOwnAudience, type SyncedContact, storeContacts } from './list/synced.ts';
export { listFields } from './people/field_queries.ts';
export { listContactFieldKeys } from './people/fields.ts';
export { requirePerson } from './people/people.ts';
export { findPerson, listAllNumbers, listPersonAudiences } from './people/queries.ts';
export { tagPeople } from './people/tags.ts';
export { readAccountCountry } from './phone_numbers/account_country.ts';
export { callingCode, nationalNumber, parseNumber } from './phone_numbers/number.ts';
export { runTask } from './reader/reader.ts';
export { copyNumberStops, copyStops, findPoolId, lockPools } from './stop_list/queries.ts';
export {
  createStopListEntry,
  listStoppedNumbers,
  removeStop,
  removeStopListEntry,
  startNumber,
  stopNumber,
  stopNumbers,
  stopTest,
} from './stop_list/stop_list.ts';
export {
  createTestAudience,
  deleteOldTestAudiences,
  lendTestAudiences,
  requireTestAudiences,
} from './testing/test_audiences.ts';
export { readTestFile } from './testing/test_file.ts';
