/** The fields of the node, by operation. */
import type { Field } from '../n8n.ts';

const only = (...operations: string[]): Pick<Field, 'displayOptions'> => ({
  displayOptions: { show: { operation: operations } },
});
const text = (displayName: string, name: string, more: Partial<Field> = {}): Field => ({
  ...{ displayName, name, type: 'string' as const, default: '', required: true },
  ...more,
});

const OPERATION: Field = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  default: 'sendMessage',
  options: [
    { name: 'Send a Message', value: 'sendMessage', action: 'Send a message' },
    { name: 'Get a Message', value: 'getMessage', action: 'Get a message' },
    { name: 'Look Up a Number', value: 'lookUpNumber', action: 'Look up a number' },
    { name: 'Add a Contact', value: 'addContact', action: 'Add a contact' },
  ],
};

const MESSAGE_OPTIONS: Field = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  default: {},
  ...only('sendMessage'),
  options: [
    text('Template ID', 'template', { required: false, description: 'The template to use instead of a text' }),
    text('Variables', 'variables', {
      required: false,
      typeOptions: { multipleValues: true },
      default: [],
      description: 'The variables of the template, in order',
    }),
    text('Schedule', 'schedule', { required: false, placeholder: '2027-01-31 09:00:00', description: 'In UTC' }),
    text('Payload', 'payload', { required: false, description: 'Returned in the events of the message' }),
    text('Idempotency Key', 'idempotency_key', {
      required: false,
      description: 'Such as an order number. Nothing is sent if a message with the same key was sent before.',
    }),
  ],
};

export const FIELDS: Field[] = [
  OPERATION,
  {
    displayName: 'Channel',
    name: 'channel',
    type: 'options',
    default: 'SMS',
    options: [
      { name: 'SMS', value: 'SMS' },
      { name: 'WhatsApp', value: 'WHATSAPP' },
      { name: 'Viber', value: 'VIBER' },
    ],
    ...only('sendMessage'),
  },
  text('From', 'from', { ...only('sendMessage'), description: 'The code of the sender', placeholder: 'Harbour' }),
  text('To', 'to', {
    ...only('sendMessage'),
    description: 'Up to 10 phone numbers, separated by commas',
    placeholder: '447400123456',
  }),
  text('Text', 'text', { ...only('sendMessage'), required: false, typeOptions: { rows: 3 } }),
  MESSAGE_OPTIONS,
  text('Message ID', 'messageId', only('getMessage')),
  text('Number', 'number', { ...only('lookUpNumber', 'addContact'), placeholder: '447400123456' }),
  text('Audience ID', 'audienceId', only('addContact')),
  {
    displayName: 'Details',
    name: 'details',
    type: 'collection',
    default: {},
    ...only('addContact'),
    options: [
      text('First Name', 'first_name', { required: false }),
      text('Last Name', 'last_name', { required: false }),
      text('Custom 1', 'custom1', { required: false }),
      text('Custom 2', 'custom2', { required: false }),
    ],
  },
];
