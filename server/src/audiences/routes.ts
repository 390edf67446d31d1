import * as audiences from '@parley/contract/audiences/audiences.ts';
import * as consents from '@parley/contract/audiences/consents.ts';
import * as fields from '@parley/contract/audiences/contact_fields.ts';
import * as imports from '@parley/contract/audiences/imports.ts';
import * as keywords from '@parley/contract/audiences/keywords.ts';
import * as merges from '@parley/contract/audiences/merges.ts';
import * as people from '@parley/contract/audiences/people.ts';
import * as stops from '@parley/contract/audiences/stop_list.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { countPeople } from './conditions/conditions.ts';
import { createConsent, getConsentState, listConsents } from './consents/consents.ts';
import {
  cancelImport,
  createImport,
  getImport,
  listImportRows,
  listImports,
  sendRefusedRows,
  updateImport,
} from './imports/imports.ts';
import { importStopList } from './imports/stop_list.ts';
import { undoImport } from './imports/undo.ts';
import { createKeyword, listKeywords, removeKeyword, updateKeyword } from './keywords/keywords.ts';
import { createAudience, getAudience, listAudiences, removeAudience, updateAudience } from './list/audiences.ts';
import { createContact, getContact, listContacts, removeContact, updateContact } from './list/contacts.ts';
import { createMerge, listDuplicates, listMerges, undoMerge } from './list/merge.ts';
import { createContactField, listContactFields, removeContactField, updateContactField } from './people/fields.ts';
import { createPerson, getPerson, listPeople, updatePerson } from './people/people.ts';
import { createStopListEntry, listStopList, removeStopListEntry } from './stop_list/stop_list.ts';
import { countTestPeople } from './testing/dynamic.ts';
import * as testing from './testing/test_audiences.ts';

export const routes: Implementation[] = [
  implement(audiences.listAudiences, ({ tx, actor }, { query }) =>
    actor.test ? testing.listTestAudiences(tx, actor, query) : listAudiences(tx, actor, query),
  ),
  implement(audiences.createAudience, ({ tx, kernel, actor }, { body }) =>
    actor.test ? testing.createTestAudience(tx, actor, body) : createAudience(tx, kernel, actor, body),
  ),
  implement(audiences.getAudience, ({ tx, actor }, { params }) =>
    actor.test ? testing.getTestAudience(tx, actor, params.id) : getAudience(tx, actor, params.id),
  ),
  implement(audiences.updateAudience, ({ tx, kernel, actor }, { params, body }) =>
    actor.test
      ? testing.updateTestAudience(tx, actor, params.id, body)
      : updateAudience(tx, kernel, actor, params.id, body),
  ),
  // A count that takes too long is followed by an estimate, in another transaction.
  implementOutside(audiences.countAudience, async ({ kernel, actor }, { body: { conditions } }) =>
    actor.test
      ? { count: await countTestPeople(kernel.db, actor.account_id, conditions), is_estimate: false }
      : countPeople(kernel, actor, conditions),
  ),
  implement(audiences.removeAudience, ({ tx, actor }, { params }) =>
    actor.test ? testing.removeTestAudience(tx, actor, params.id) : removeAudience(tx, actor, params.id),
  ),

  implement(audiences.listContacts, ({ tx, actor }, { params, query }) =>
    actor.test ? testing.listTestContacts(tx, actor, params.id, query) : listContacts(tx, actor, params.id, query),
  ),
  implement(audiences.createContact, ({ tx, actor }, { params, body }) =>
    actor.test ? testing.createTestContact(tx, actor, params.id, body) : createContact(tx, actor, params.id, body),
  ),
  implement(audiences.getContact, ({ tx, actor }, { params }) =>
    actor.test ? testing.getTestContact(tx, actor, params) : getContact(tx, actor, params),
  ),
  implement(audiences.updateContact, ({ tx, actor }, { params, body }) =>
    actor.test ? testing.updateTestContact(tx, actor, params, body) : updateContact(tx, actor, params, body),
  ),
  implement(audiences.removeContact, ({ tx, actor }, { params }) =>
    actor.test ? testing.removeTestContact(tx, actor, params) : removeContact(tx, actor, params),
  ),

  implement(people.listPeople, ({ tx, actor }, { query }) => listPeople(tx, actor, query)),
  implement(people.createPerson, ({ tx, actor }, { body }) => createPerson(tx, actor, body)),
  implement(people.getPerson, ({ tx, actor }, { params }) => getPerson(tx, actor, params.id)),
  implement(people.updatePerson, ({ tx, actor }, { params, body }) => updatePerson(tx, actor, params.id, body)),

  implement(merges.listDuplicates, ({ tx, actor }, { params }) => listDuplicates(tx, actor, params.id)),
  implement(merges.listMerges, ({ tx, actor }, { params }) => listMerges(tx, actor, params.id)),
  implement(merges.createMerge, (ctx, { params, body }) => createMerge(ctx, params.id, body)),
  implement(merges.undoMerge, async (ctx, { params }) => {
    await undoMerge(ctx, params.id);
    return null;
  }),

  implement(consents.listConsents, ({ tx, actor }, { params, query }) => listConsents(tx, actor, params.id, query)),
  implement(consents.getConsentState, ({ tx, kernel, actor }, { params, query }) =>
    getConsentState(tx, actor, params.id, query.date ? parseTimestamp(query.date) : kernel.clock.now()),
  ),
  implement(consents.createConsent, ({ tx, actor }, { params, body }) => createConsent(tx, actor, params.id, body)),

  implement(keywords.listKeywords, ({ tx, actor }) => listKeywords(tx, actor)),
  implement(keywords.createKeyword, ({ tx, actor }, { body }) => createKeyword(tx, actor, body)),
  implement(keywords.updateKeyword, ({ tx, actor }, { params, body }) => updateKeyword(tx, actor, params.id, body)),
  implement(keywords.removeKeyword, ({ tx, actor }, { params }) => removeKeyword(tx, actor, params.id)),

  implement(fields.listContactFields, ({ tx, actor }, { query }) => listContactFields(tx, actor, query)),
  implement(fields.createContactField, ({ tx, actor }, { body }) => createContactField(tx, actor, body)),
  implement(fields.updateContactField, ({ tx, actor }, { params, body }) =>
    updateContactField(tx, actor, params.id, body),
  ),
  implement(fields.removeContactField, ({ tx, actor }, { params }) => removeContactField(tx, actor, params.id)),

  // Reading a file takes too long to hold a transaction open.
  implementOutside(imports.createImport, (ctx, { body }) => createImport(ctx, body)),
  implementOutside(imports.startImport, (ctx, { params, body }) => updateImport(ctx, params.id, body)),
  implement(imports.getImport, ({ tx, actor }, { params }) => getImport(tx, actor, params.id)),
  implement(imports.listImports, ({ tx, actor }, { query }) => listImports(tx, actor, query)),
  implement(imports.undoImport, ({ tx, actor }, { params }) => undoImport(tx, actor, params.id)),
  implement(imports.cancelImport, ({ tx, kernel, actor }, { params }) => cancelImport(tx, kernel, actor, params.id)),
  implement(imports.listImportRows, ({ tx, actor }, { params, query }) => listImportRows(tx, actor, params.id, query)),
  implement(imports.getRefusedRows, (ctx, { params }) => sendRefusedRows(ctx, params.id)),

  implement(stops.listStopList, ({ tx, actor }, { query }) => listStopList(tx, actor, query)),
  implement(stops.createStopListEntry, ({ tx, actor }, { body }) => createStopListEntry(tx, actor, body)),
  // Reading a file takes too long to hold a transaction open.
  implementOutside(stops.importStopList, (ctx, { body }) => importStopList(ctx, body)),
  implement(stops.removeStopListEntry, ({ tx, actor }, { params }) => removeStopListEntry(tx, actor, params.id)),
];
