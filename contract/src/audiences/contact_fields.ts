/** The account's own fields for people. Each has a kind, which imports, conditions, and variables respect. */
import { z } from 'zod';
import { VARIABLES } from '../channels/sms/text.ts';
import { idParams, listQuery, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const FIELD_KINDS = ['text', 'number', 'date', 'boolean', 'choice'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];
const MAX_CHOICES = 50;
const MAX_CHOICE_LENGTH = 60;

export const ContactField = z.object({
  id: z.string(),
  account_id: z.string(),
  /** The name in variables, files, and calls. It never changes. */
  key: z.string(),
  label: z.string(),
  kind: z.enum(FIELD_KINDS),
  /** The values of a choice. */
  choices: z.array(z.string()),
  create_date: timestamp,
  update_date: timestamp,
});
export type ContactField = z.output<typeof ContactField>;

/** Names that mean something else in variables, files, and calls. */
const RESERVED: readonly string[] = [
  ...VARIABLES,
  ...['id', 'number', 'country', 'language', 'timezone', 'tags', 'fields', 'agent_name', 'create_date', 'update_date'],
];

const label = z
  .string({ error: problem('CONTACT_FIELD_LABEL_INVALID') })
  .trim()
  .min(1, { error: problem('CONTACT_FIELD_LABEL_INVALID') })
  .max(40, { error: problem('CONTACT_FIELD_LABEL_INVALID') });
const choices = z
  .array(z.string().trim().min(1).max(MAX_CHOICE_LENGTH), { error: problem('CONTACT_FIELD_CHOICES_INVALID') })
  .max(MAX_CHOICES, { error: problem('CONTACT_FIELD_CHOICES_INVALID') })
  .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, {
    error: problem('CONTACT_FIELD_CHOICES_INVALID'),
  });

export const listContactFields = endpoint({
  id: 'contact_fields.list',
  method: 'GET',
  path: '/v1/contact_fields',
  summary: 'List your own contact fields, by label',
  needs: 'AUDIENCES:view',
  query: listQuery({}),
  list: true,
  output: ContactField,
  problems: [],
});

export const createContactField = endpoint({
  id: 'contact_fields.create',
  method: 'POST',
  path: '/v1/contact_fields',
  summary: 'Add a contact field',
  needs: 'AUDIENCES:edit',
  body: z.object({
    key: z
      .string({ error: problem('CONTACT_FIELD_KEY_INVALID') })
      .trim()
      .regex(/^[a-z][a-z0-9_]{0,31}$/, { error: problem('CONTACT_FIELD_KEY_INVALID') })
      .refine((key) => !RESERVED.includes(key), { error: problem('CONTACT_FIELD_KEY_INVALID') }),
    label,
    kind: z.enum(FIELD_KINDS),
    choices: choices.default([]),
  }),
  status: 201,
  idempotent: true,
  output: ContactField,
  problems: [
    'CONTACT_FIELD_KEY_INVALID',
    'CONTACT_FIELD_LABEL_INVALID',
    'CONTACT_FIELD_CHOICES_INVALID',
    'CONTACT_FIELD_EXISTS',
    'CONTACT_FIELDS_LIMIT_EXCEEDED',
  ],
});

export const updateContactField = endpoint({
  id: 'contact_fields.update',
  method: 'PUT',
  path: '/v1/contact_fields/{id}',
  summary: 'Change the label or the choices of a field',
  needs: 'AUDIENCES:edit',
  params: idParams('CONTACT_FIELD_NOT_FOUND'),
  body: z.object({ label, choices }).partial(),
  output: ContactField,
  problems: ['CONTACT_FIELD_NOT_FOUND', 'CONTACT_FIELD_LABEL_INVALID', 'CONTACT_FIELD_CHOICES_INVALID'],
});

export const removeContactField = endpoint({
  id: 'contact_fields.remove',
  method: 'DELETE',
  path: '/v1/contact_fields/{id}',
  summary: 'Delete a field and its values',
  needs: 'AUDIENCES:delete',
  params: idParams('CONTACT_FIELD_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['CONTACT_FIELD_NOT_FOUND', 'CONTACT_FIELD_IN_USE'],
});

export const contactFieldChanged = event({
  id: 'contact_field.changed',
  modules: ['contact_fields', 'people', 'contacts'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string() }),
});
