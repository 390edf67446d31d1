/** The interface of a CRM. Each CRM is one file that implements it, and its row in `apps.ts`. */
import type { CrmApp } from '../../kernel/settings/setting_kinds.ts';

/** The operator's app in a CRM, with the URL in use. */
export type App = CrmApp & { readonly url: string };

/**
 * `signed_out`: the CRM no longer accepts the tokens. `missing`: the record does not exist. `busy`: the call may
 * succeed later. `refused`: it will not.
 */
type Fault = 'signed_out' | 'missing' | 'busy' | 'refused';

export class CrmError extends Error {
  readonly fault: Fault;
  /** How long the CRM asks to wait. */
  readonly wait_seconds: number | null;
  constructor(fault: Fault, message: string, wait_seconds: number | null = null) {
    super(message);
    this.name = 'CrmError';
    this.fault = fault;
    this.wait_seconds = wait_seconds;
  }
}

/** Calls the API of the CRM on behalf of a person. Throws CrmError. */
export type Call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<unknown>;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly api_url: string;
}

/** The person who has allowed the connection, and their company. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly company_id: string;
  readonly company_name: string;
  readonly company_url: string;
}

export interface CrmPerson {
  readonly id: string;
  readonly name: string;
  readonly numbers: readonly { readonly text: string; readonly label: string }[];
}

/** A field of people at the CRM. Its values are texts, and those of a choice are the labels that users see. */
export interface FieldDefinition {
  readonly key: string;
  readonly label: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly is_writable: boolean;
}

/** A person with the values of fields. A field without a value is missing. */
export interface CrmContact extends CrmPerson {
  readonly values: Readonly<Record<string, string>>;
  readonly update_date: Date | null;
}

export interface CrmDeal {
  readonly id: string;
  readonly stage_id: string;
  /** When the deal entered its stage. */
  readonly entry_date: Date;
}

/** A deal as users see it. */
export interface PersonDeal {
  readonly id: string;
  readonly name: string;
  readonly stage_id: string;
  readonly state: 'open' | 'won' | 'lost';
  readonly value: number | null;
  /** Null: the currency of the company. */
  readonly currency: string | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
}
/** `since`: only what has changed since then. */
export interface PageRequest {
  readonly cursor: string | null;
  readonly since: Date | null;
}

/** A request that the CRM sent to the address of its webhooks. */
export interface HookRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly now: Date;
}
/**
 * The records that may have changed. The state is read from the CRM later, so repeated and reordered requests are
 * harmless.
 */
export interface HookChange {
  readonly company_id: string;
  readonly kind: 'record' | 'deal';
  readonly key: string;
}
/** Returns null unless the CRM has sent the request. */
type ReadHook = (app: App, request: HookRequest, password: string) => HookChange[] | null;

export interface HookPort {
  readonly read: ReadHook;
  /** Null: the app has one address for all companies, which is registered at the CRM. */
  readonly subscribe: ((call: Call, hook: { url: string; password: string }) => Promise<string[]>) | null;
  unsubscribe(call: Call, id: string): Promise<void>;
}

/** A message to log. */
export interface LogEntry {
  readonly message_id: string;
  readonly text: string;
  readonly direction: 'MT' | 'MO';
  readonly channel_label: string;
  readonly sender: string;
  readonly number: string;
  readonly create_date: Date;
  /** The message's page. It contains the ID of the message, by which `findLog` recognizes the entry. */
  readonly link: string;
  readonly person_id: string;
  readonly deal_id: string | null;
  readonly crm_user_id: string;
  readonly activity_type: string;
  /** The name of the app, as the users of the account see it. */
  readonly app_name: string;
}

export interface CrmProvider {
  /** The connection's purpose, in one sentence. */
  readonly about: string;
  readonly url: string;
  /** The path of the page to which the CRM sends the person back. */
  readonly callback_path: string;
  /** Origins that may show the panel in a frame. */
  frameOrigins(app: App): readonly string[];
  authorizeUrl(app: App, answer: { redirect_uri: string; state: string }): string;
  readonly token: {
    path: string;
    /** The part of the request that carries the app's ID and secret. */
    credentials: 'header' | 'body';
    /** Returns the owner of a token, for `identify`. */
    introspect_path?: string;
  };
  readonly revoke_path: string | null;
  /** The address of the API, from the token response. */
  apiUrl(app: App, response: Readonly<Record<string, unknown>>): string;
  identify(call: Call, owner: Readonly<Record<string, unknown>>): Promise<Identity>;
  /** Reads the request by which the CRM reports that a person uninstalled the app. Null unless the CRM has sent it. */
  readonly readUninstall: ((app: App, authorization: string, body: unknown) => Uninstall | null) | null;
  /** Returns the type of the activities that log messages. */
  activityType(call: Call): Promise<string>;
  person(call: Call, id: string): Promise<CrmPerson>;
  /** The people of a deal. */
  dealPeople(call: Call, id: string): Promise<CrmPerson[]>;
  /** People whose numbers may contain these digits. */
  searchPeople(call: Call, digits: string): Promise<CrmPerson[]>;
  /** Returns the ID of the activity. */
  log(call: Call, entry: LogEntry): Promise<string>;
  /** Finds the activity of an entry whose creation got no response. */
  findLog(call: Call, entry: LogEntry): Promise<string | null>;
  readonly hooks: HookPort;
  fields(call: Call): Promise<FieldDefinition[]>;
  contactPage(call: Call, fields: readonly FieldDefinition[], request: PageRequest): Promise<Page<CrmContact>>;
  /** Missing and deleted people are left out, and so are those that were merged into others. */
  contacts(call: Call, fields: readonly FieldDefinition[], ids: readonly string[]): Promise<CrmContact[]>;
  /** Both return the person as the CRM has stored it, which may differ from the sent values. */
  createContact(call: Call, fields: readonly FieldDefinition[], contact: NewContact): Promise<CrmContact>;
  updateContact(
    call: Call,
    fields: readonly FieldDefinition[],
    contact: CrmContact,
    values: Readonly<Record<string, string>>,
  ): Promise<CrmContact>;
  stages(call: Call): Promise<{ id: string; name: string; pipeline: string }[]>;
  dealPage(call: Call, request: PageRequest): Promise<Page<CrmDeal>>;
  deals(call: Call, ids: readonly string[]): Promise<CrmDeal[]>;
  /** The deals of a person, the one that was changed last first. They are cut at a page. */
  personDeals(call: Call, id: string): Promise<PersonDeal[]>;
  /** The currency of deals that have none of their own. */
  homeCurrency(call: Call): Promise<string | null>;
  /** The page of a record for users of the CRM. Null if its address is unknown. */
  recordUrl(app: App, company_url: string, kind: 'person' | 'deal', id: string): string | null;
}

export interface NewContact {
  /** The digits with the country code. */
  readonly number: string;
  readonly values: Readonly<Record<string, string>>;
}

export type Uninstall = { readonly company_id: string; readonly user_id: string };

/** The text of a stored value: the label of a choice, or the value itself. */
export const readValue = ({ choices }: FieldDefinition, value: unknown): string => {
  if (value === null || value === undefined || typeof value === 'object') return '';
  return choices.find(({ id }) => id === String(value))?.label ?? String(value).trim();
};

/** The stored value of a text. Null removes the value. A text that is not one of the choices is refused. */
export function writeValue({ choices, label }: FieldDefinition, text: string): string | null {
  if (text === '') return null;
  if (choices.length === 0) return text;
  const choice = choices.find((one) => one.label.toLowerCase() === text.toLowerCase());
  if (!choice) throw new CrmError('refused', `${label}: the CRM does not offer "${text.slice(0, 60)}"`);
  return choice.id;
}
