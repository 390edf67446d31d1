/** A connection's settings, as its adapter defines them. */
import { z } from 'zod';
import { problem } from '../common.ts';
import type { ChannelName } from './names.ts';
import type { SmsProfile } from './sms/profile.ts';

/** The capabilities of an adapter, shown when operators choose one. */
export const ADAPTER_FEATURES = {
  receipts: 'Delivery receipts',
  replies: 'Replies',
  media: 'Media as links',
  price: 'Prices in receipts',
  lookup: 'Looks up lost messages',
  callback: 'Sets up callbacks',
} as const;
export type AdapterFeature = keyof typeof ADAPTER_FEATURES;

/** Helps operators to choose and to connect a provider. */
export interface ProviderGuide {
  /** The name of the provider, which is also the suggested name of a connection. */
  readonly name: string;
  /** The name in the middle of a sentence, if it is not a proper name. */
  readonly inner_name?: string;
  /** The credentials that operators need, and where to find them. */
  readonly keys: string;
  /** The page with the credentials, or with their documentation. */
  readonly keys_url?: string;
  readonly supports: readonly AdapterFeature[];
  /** Optional settings that most accounts need. The form of a new connection shows them with the required ones. */
  readonly asks?: readonly string[];
  /**
   * The place where operators enter the callback URL. Omitted if no replies arrive without it, or if the API takes it.
   */
  readonly callback?: string;
}

export interface AdapterSettings {
  readonly channel: ChannelName;
  /** The name of the protocol in the connection form. */
  readonly label: string;
  readonly guide?: ProviderGuide;
  /** The help text of the API URL, if each account has its own URL. */
  readonly url_help?: string;
  /** All settings, for writing. */
  readonly settings: z.ZodObject;
  /** The settings without secrets, for reading. */
  readonly shown: z.ZodObject;
  /** Names of the encrypted settings, which can be written but not read. */
  readonly secrets: z.ZodEnum;
  /** The settings of a new connection in the form. Required ones are empty. Getters, because they evaluate a schema. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The segmentation rules. Omitted if messages are not divided. Requires no secrets. */
  readonly profile?: (settings: unknown) => SmsProfile;
  /** Settings in the form of a connection over HTTP, in addition to `base_url` and `pace`. */
  readonly credentials: readonly CredentialInput[];
  readonly limits: readonly LimitInput[];
}

interface SettingInput {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  /** The label in the panel of a connection; omitted if the panel does not show the setting. */
  readonly fact?: string;
}
interface CredentialInput extends SettingInput {
  readonly secret?: boolean;
  /** Without this setting, the provider accepts no requests, or its callbacks are refused. */
  readonly required?: boolean;
  /** The values to choose from. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** A text of several lines. */
  readonly isLong?: boolean;
  /** Starts a new form group with this title. */
  readonly heading?: string;
}
/** A whole number. */
interface LimitInput extends SettingInput {
  readonly min: number;
  readonly max: number;
}

/** The required credentials that are empty. */
export const missingCredentials = (
  { credentials }: AdapterSettings,
  settings: Readonly<Record<string, unknown>>,
): readonly CredentialInput[] => credentials.filter(({ name, required }) => required && !settings[name]);

/** The settings of a new connection: all settings, with values for the required credentials. */
export function newSettings({ settings, credentials }: AdapterSettings): z.ZodObject {
  const error = problem('CONNECTION_CREDENTIAL_REQUIRED');
  const filled = z.string({ error }).trim().min(1, { error });
  const required = credentials.filter((credential) => credential.required);
  return settings.extend(
    Object.fromEntries(
      required.map(({ name }) => [name, filled.pipe(settings.shape[name] as z.ZodType<string, string>)]),
    ),
  );
}
