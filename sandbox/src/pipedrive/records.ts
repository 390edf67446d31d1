/** The records of the CRM, and its initial data. */
export interface CrmUser {
  id: number;
  name: string;
  email: string;
}
export interface PhoneValue {
  value: string;
  label: string;
  primary: boolean;
}
export interface Person {
  id: number;
  name: string;
  phones: PhoneValue[];
  emails: { value: string; label: string; primary: boolean }[];
  update_time: string;
  custom_fields: Record<string, string | number | null>;
}
export interface Field {
  field_code: string;
  field_name: string;
  field_type: string;
  is_custom_field: boolean;
  options: { id: number; label: string }[] | null;
}
export interface Webhook {
  id: number;
  subscription_url: string;
  event_object: string;
  http_auth_user: string;
  http_auth_password: string;
}
export interface Deal {
  id: number;
  title: string;
  person_id: number | null;
  stage_id: number;
  status: 'open' | 'won' | 'lost';
  value: number;
  currency: string;
  add_time: string;
  stage_change_time: string | null;
  update_time: string;
}
export interface Activity {
  id: number;
  subject: string;
  type: string;
  done: boolean;
  owner_id: number;
  due_date: string | null;
  due_time: string | null;
  person_id: number | null;
  deal_id: number | null;
  note: string;
  add_time: string;
  update_time: string;
}
export interface ActivityType {
  id: number;
  name: string;
  key_string: string;
  active_flag: boolean;
}
/** The consent of a user to the app. */
export interface Grant {
  user_id: number;
  access_token: string;
  refresh_token: string;
  expires: number;
}

export const company = { id: 70_001, name: 'Harbour Coffee Sales', domain: 'harbour-coffee' } as const;

export const users: readonly CrmUser[] = [
  { id: 1001, name: 'Sam Field', email: 'sam.field@crm.localhost' },
  { id: 1002, name: 'Lea Brandt', email: 'lea.brandt@crm.localhost' },
];

export const stages = ['Qualified', 'Contact made', 'Offer sent', 'Won'].map((name, index) => ({
  id: index + 1,
  name,
  pipeline_id: 1,
}));

const phone = (value: string, label = 'mobile', primary = true): PhoneValue => ({ value, label, primary });
const started = '2026-01-05T09:00:00Z';

/** The numbers are written as people write them: with and without the country code. */
export const startPeople = (): Person[] => [
  person(1, 'Ada Winter', 'ada.winter@customers.localhost', [
    phone('0170 0456101'),
    phone('030 901820', 'work', false),
  ]),
  person(2, 'Ben Okafor', 'ben.okafor@customers.localhost', [phone('+49 170 0456102')]),
  person(3, 'Chiara Rossi', 'chiara.rossi@customers.localhost', [phone('+49 (170) 045-6103')]),
  person(4, 'Dana Lund', 'dana.lund@customers.localhost', []),
];

const person = (id: number, name: string, email: string, phones: PhoneValue[]): Person => ({
  id,
  name,
  phones,
  emails: [{ value: email, label: 'work', primary: true }],
  update_time: started,
  custom_fields: {},
});

const choice = (field_code: string, field_name: string, labels: string[], first: number): Field => ({
  ...{ field_code, field_name, field_type: 'enum', is_custom_field: true },
  options: labels.map((label, index) => ({ id: first + index, label })),
});
const text = (field_code: string, field_name: string, is_custom_field = true): Field => ({
  ...{ field_code, field_name, field_type: 'varchar', is_custom_field, options: null },
});

/** The keys of custom fields are hashes. */
export const fields: readonly Field[] = [
  text('name', 'Name', false),
  text('1f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f', 'City'),
  choice('2f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f', 'Text message consent', ['Yes', 'No'], 11),
  choice('3f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f', 'Opted out', ['Yes', 'No'], 21),
];

export const startDeals = (): Deal[] => [
  deal(1, 'Espresso machine for Café Winter', 1, 2, 4_200),
  deal(2, 'Weekly beans for Okafor & Sons', 2, 1, 320),
  deal(3, 'Barista training', 3, 3, 900),
];

const deal = (id: number, title: string, person_id: number, stage_id: number, value: number): Deal => ({
  id,
  title,
  person_id,
  stage_id,
  status: 'open',
  value,
  currency: 'EUR',
  add_time: started,
  stage_change_time: null,
  update_time: started,
});

export const startTypes = (): ActivityType[] =>
  ['Call', 'Meeting', 'Task', 'Deadline', 'Email', 'Lunch'].map((name, index) => ({
    id: index + 1,
    name,
    key_string: name.toLowerCase(),
    active_flag: true,
  }));
