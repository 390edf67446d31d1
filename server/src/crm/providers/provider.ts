/** What the module needs from a CRM. A CRM is one file that implements this interface, and its row in `apps.ts`. */
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
  constructor(fault: Fault, message: string) {
    super(message);
    this.name = 'CrmError';
    this.fault = fault;
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

/** A message to log. */
export interface LogEntry {
  readonly message_id: string;
  readonly text: string;
  readonly direction: 'MT' | 'MO';
  readonly channel_label: string;
  readonly sender: string;
  readonly number: string;
  readonly create_date: Date;
  /** The page of the message. It contains the ID of the message, by which `findLog` recognizes the entry. */
  readonly link: string;
  readonly person_id: string;
  readonly deal_id: string | null;
  readonly crm_user_id: string;
  readonly activity_type: string;
}

export interface CrmProvider {
  readonly label: string;
  readonly url: string;
  /** The path of the page to which the CRM sends the person back. */
  readonly callback_path: string;
  /** Origins that may show the panel in a frame. */
  frameOrigins(app: App): readonly string[];
  authorizeUrl(app: App, answer: { redirect_uri: string; state: string }): string;
  readonly token: {
    path: string;
    /** Where the app's ID and secret are sent. */
    credentials: 'header' | 'body';
  };
  readonly revoke_path: string | null;
  /** The address of the API, from the token response. */
  apiUrl(app: App, response: Readonly<Record<string, unknown>>): string;
  identify(call: Call): Promise<Identity>;
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
}
