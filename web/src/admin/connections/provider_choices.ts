/** The providers and protocols that operators can connect. */
import type { AdapterFeature, AdapterSettings, ProviderGuide } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { PRESET_ADAPTER, SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';

export interface ProviderChoice {
  /** Identifies the choice in the URL. */
  key: string;
  adapter: AdapterName;
  guide: ProviderGuide;
  /** Settings that differ from the defaults of the adapter. */
  preset: Readonly<Record<string, unknown>>;
  /** The settings that the form shows up front; null if it shows all. */
  front: readonly string[] | null;
  /** Settings that this provider requires, in addition to those of its adapter. */
  requires: readonly string[];
}

/** True for the URL of a template, which operators must replace. */
export const isExample = (base_url: string): boolean => /\/\/(\w+\.)?example\./.test(base_url);

const GENERATED = 'callback_secret';

function adapterChoice(adapter: AdapterName): ProviderChoice {
  const { guide, label, credentials }: AdapterSettings = ADAPTERS[adapter];
  const required = credentials.filter((input) => input.required && input.name !== GENERATED).map(({ name }) => name);
  return {
    key: adapter,
    adapter,
    guide: guide ?? { name: label, keys: '', supports: [] },
    preset: {},
    requires: [],
    front: adapter === PRESET_ADAPTER || required.length === 0 ? null : [...required, ...(guide?.asks ?? [])],
  };
}

/** A preset uses the account only if one of its templates contains it, and its own URL may be a placeholder. */
function presetChoice(name: keyof typeof SMS_PRESETS): ProviderChoice {
  const { label, docs, settings } = SMS_PRESETS[name];
  const templates = JSON.stringify(settings);
  const requires = [...(/\{(account|basic)\}/.test(templates) ? ['account'] : []), 'api_secret'];
  const isOneWay = 'callback_text_path' in settings && settings.callback_text_path === '';
  const supports: AdapterFeature[] = ['receipts', ...(isOneWay ? [] : (['replies'] as const))];
  return {
    key: `${PRESET_ADAPTER}:${name}`,
    adapter: PRESET_ADAPTER,
    guide: {
      ...{
        name: label,
        keys: `${requires.length > 1 ? 'Account name and API key' : 'API key'} from your ${label} account.`,
        keys_url: docs,
        supports,
      },
      callback: `Enter this URL wherever ${label} asks for a callback or webhook URL.`,
    },
    preset: settings,
    requires,
    front: [...requires, ...(isExample(settings.base_url) ? ['base_url'] : [])],
  };
}

const ADAPTER_CHOICES = (Object.keys(ADAPTERS) as AdapterName[]).map(adapterChoice);
const isSms = ({ adapter }: ProviderChoice) => ADAPTERS[adapter].channel === PHONE_CHANNEL;
const isPlain = ({ front }: ProviderChoice) => front === null;

/** The adapters with their own form come first, because most operators have an account with one of them. */
export const PROVIDER_GROUPS: readonly { title: string; choices: readonly ProviderChoice[] }[] = [
  { title: 'SMS providers', choices: ADAPTER_CHOICES.filter((choice) => isSms(choice) && !isPlain(choice)) },
  {
    title: 'More SMS providers',
    choices: (Object.keys(SMS_PRESETS) as (keyof typeof SMS_PRESETS)[]).map(presetChoice),
  },
  { title: 'Any other SMS carrier', choices: ADAPTER_CHOICES.filter((choice) => isSms(choice) && isPlain(choice)) },
  { title: 'Other channels', choices: ADAPTER_CHOICES.filter((choice) => !isSms(choice)) },
];

export const findChoice = (key: string | undefined): ProviderChoice | undefined =>
  PROVIDER_GROUPS.flatMap(({ choices }) => choices).find((choice) => choice.key === key);
