/** Audiences and the people in them. */
import { z } from 'zod';
import { DEFAULT_CHANNEL } from '../channels/index.ts';
import { channel } from '../channels/names.ts';
import { idParams, listQuery, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const MAX_CONTACTS_PER_CALL = 1_000;

export const Audience = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  channel: z.string(),
  contacts_count: z.int(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Audience = z.output<typeof Audience>;

export const Contact = z.object({
  id: z.string(),
  account_id: z.string(),
  audience_id: z.string(),
  /** Digits with country code, without +. */
  number: z.string(),
  country: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  custom1: z.string(),
  custom2: z.string(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Contact = z.output<typeof Contact>;

export const audienceName = z
  .string({ error: problem(1303) })
  .trim()
  .min(1, { error: problem(1303) })
  .max(45, { error: problem(1305) })
  .regex(/^[\p{L}\p{N} _-]+$/u, { error: problem(1304) })
  .refine((name) => !/^audience-\d+$/i.test(name), { error: problem(1304) });

const numberInput = z
  .string({ error: problem(1353) })
  .trim()
  .min(1, { error: problem(1353) })
  .max(45, { error: problem(1355) });

export const contactFields = {
  first_name: z
    .string()
    .trim()
    .max(32, { error: problem(1361) }),
  last_name: z
    .string()
    .trim()
    .max(32, { error: problem(1362) }),
  custom1: z
    .string()
    .trim()
    .max(32, { error: problem(1363) }),
  custom2: z
    .string()
    .trim()
    .max(70, { error: problem(1364) }),
};
export const ContactInput = z.object({
  number: numberInput,
  first_name: contactFields.first_name.default(''),
  last_name: contactFields.last_name.default(''),
  custom1: contactFields.custom1.default(''),
  custom2: contactFields.custom2.default(''),
});

export const listAudiences = endpoint({
  id: 'audiences.list',
  method: 'GET',
  path: '/v1/audiences',
  summary: 'Audiences of the account, newest first',
  needs: 'AUDIENCES:view',
  query: listQuery({ search, name: search, channel: search }),
  list: true,
  output: Audience,
  problems: [],
});

export const createAudience = endpoint({
  id: 'audiences.create',
  method: 'POST',
  path: '/v1/audiences',
  summary: 'Create an audience, with up to 1,000 contacts',
  needs: 'AUDIENCES:add',
  body: z.object({
    name: audienceName,
    channel: channel(1307).default(DEFAULT_CHANNEL),
    contacts: z
      .array(ContactInput)
      .max(MAX_CONTACTS_PER_CALL, { error: problem(1308) })
      .default([]),
  }),
  status: 201,
  idempotent: true,
  output: Audience,
  problems: [1303, 1304, 1305, 1307, 1308, 1309, 1354],
});

export const getAudience = endpoint({
  id: 'audiences.get',
  method: 'GET',
  path: '/v1/audiences/{id}',
  summary: 'One audience',
  needs: 'AUDIENCES:view',
  params: idParams(1302),
  output: Audience,
  problems: [1301, 1302],
});

export const updateAudience = endpoint({
  id: 'audiences.update',
  method: 'PUT',
  path: '/v1/audiences/{id}',
  summary: 'Rename an audience',
  needs: 'AUDIENCES:edit',
  params: idParams(1302),
  body: z.object({ name: audienceName }),
  output: Audience,
  problems: [1301, 1302, 1303, 1304, 1305, 1309],
});

export const removeAudience = endpoint({
  id: 'audiences.remove',
  method: 'DELETE',
  path: '/v1/audiences/{id}',
  summary: 'Delete an audience and its contacts',
  needs: 'AUDIENCES:delete',
  params: idParams(1302),
  status: 204,
  output: z.null(),
  problems: [1301, 1302, 1319],
});

export const listContacts = endpoint({
  id: 'contacts.list',
  method: 'GET',
  path: '/v1/audiences/{id}/contacts',
  summary: 'Contacts of an audience; search looks in numbers (prefix) and names',
  needs: 'AUDIENCES:view',
  params: idParams(1302),
  query: listQuery({ search }),
  list: true,
  output: Contact,
  problems: [1301, 1302],
});

export const createContact = endpoint({
  id: 'contacts.create',
  method: 'POST',
  path: '/v1/audiences/{id}/contacts',
  summary: 'Add a contact',
  needs: 'AUDIENCES:edit',
  params: idParams(1302),
  body: ContactInput,
  status: 201,
  idempotent: true,
  output: Contact,
  problems: [1301, 1302, 1353, 1354, 1355, 1360, 1361, 1362, 1363, 1364],
});

const contactParams = z.object({ id: uuid(1302), contact_id: uuid(1352) });

export const updateContact = endpoint({
  id: 'contacts.update',
  method: 'PUT',
  path: '/v1/audiences/{id}/contacts/{contact_id}',
  summary: 'Change a contact; the number stays',
  needs: 'AUDIENCES:edit',
  params: contactParams,
  body: z.object(contactFields).partial(),
  output: Contact,
  problems: [1301, 1302, 1351, 1352, 1361, 1362, 1363, 1364],
});

export const removeContact = endpoint({
  id: 'contacts.remove',
  method: 'DELETE',
  path: '/v1/audiences/{id}/contacts/{contact_id}',
  summary: 'Remove a contact from an audience',
  needs: 'AUDIENCES:delete',
  params: contactParams,
  status: 204,
  output: z.null(),
  problems: [1301, 1302, 1351, 1352],
});

export const audienceCreated = event({
  id: 'audience.created',
  modules: ['audiences'],
  needs: 'AUDIENCES:view',
  payload: Audience,
});
export const audienceUpdated = event({
  id: 'audience.updated',
  modules: ['audiences', 'contacts'],
  needs: 'AUDIENCES:view',
  payload: Audience,
});
export const audienceDeleted = event({
  id: 'audience.deleted',
  modules: ['audiences', 'contacts'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string() }),
});
