/** What is sent, how people agree, and the answers to keywords. */
import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import {
  OPT_IN_METHODS,
  putCampaign,
  putKeywords,
  putSignup,
  type SenderDetail,
  USE_CASES,
  VOLUMES,
} from '@parley/contract/registrations/registration.ts';
import { useSession } from '../kernel/session/session.tsx';
import styles from './Registrations.module.css';
import { type Saver, useSection } from './section.ts';

const CASES = Object.entries(USE_CASES).map(([value, label]) => ({ value, label }));
const VOLUME_WORDS: Record<(typeof VOLUMES)[number], string> = {
  under_1000: 'Fewer than 1,000',
  '1000_10000': '1,000 to 10,000',
  '10000_100000': '10,000 to 100,000',
  over_100000: 'More than 100,000',
};
const VOLUME_OPTIONS = VOLUMES.map((value) => ({ value, label: VOLUME_WORDS[value] }));

export interface StepProps {
  sender: SenderDetail;
  saver: Saver;
}

export function CampaignStep({ sender, saver }: StepProps) {
  const { account } = useSession();
  const saved = sender.registration.sms_campaign;
  const form = useSection({
    endpoint: putCampaign,
    params: { id: sender.id },
    draftKey: `campaign.${sender.id}`,
    saver,
    labels: { use_case: 'Purpose', description: 'Description', monthly_volume: 'Messages a month' },
    initial: {
      use_case: saved?.use_case ?? 'account_notification',
      monthly_volume: saved?.monthly_volume ?? '1000_10000',
      description: saved?.description ?? account.use_case,
    },
  });
  return (
    <div className={styles.form}>
      <div className={styles.pair}>
        <Select
          label="Purpose"
          data={CASES}
          allowDeselect={false}
          key={form.key('use_case')}
          {...form.getInputProps('use_case')}
        />
        <Select
          label="Messages a month"
          data={VOLUME_OPTIONS}
          allowDeselect={false}
          key={form.key('monthly_volume')}
          {...form.getInputProps('monthly_volume')}
        />
      </div>
      <Textarea
        label="Description"
        description="What is sent, to whom, and how often. At least 40 characters."
        required
        autosize
        minRows={4}
        maxLength={4_096}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
    </div>
  );
}

export function SignupStep({ sender, saver }: StepProps) {
  const saved = sender.registration.signup_options;
  const form = useSection({
    endpoint: putSignup,
    params: { id: sender.id },
    draftKey: `signup.${sender.id}`,
    saver,
    labels: {
      methods: 'Ways to agree',
      web_form_url: 'Address of the form',
      keyword_url: 'Where the keyword is shown',
      description: 'Description',
    },
    initial: {
      methods: (saved?.methods ?? ['web_form']) as string[],
      web_form_url: saved?.web_form_url ?? '',
      keyword_url: saved?.keyword_url ?? '',
      description: saved?.description ?? '',
    },
  });
  return (
    <div className={styles.form}>
      <Checkbox.Group label="How people agree" key={form.key('methods')} {...form.getInputProps('methods')}>
        <div className={styles.form} style={{ gap: 8, marginTop: 6 }}>
          {Object.entries(OPT_IN_METHODS).map(([value, label], at) => (
            <Checkbox key={value} value={value} label={label} {...(at === 0 ? { 'data-path': 'methods' } : {})} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label="Address of the form"
        description="The page where people agree. Reviewers open it."
        placeholder="https://"
        type="url"
        maxLength={300}
        key={form.key('web_form_url')}
        {...form.getInputProps('web_form_url')}
      />
      <TextInput
        label="Where the keyword is shown"
        description="A page or picture that tells people which word to send."
        placeholder="https://"
        type="url"
        maxLength={300}
        key={form.key('keyword_url')}
        {...form.getInputProps('keyword_url')}
      />
      <Textarea
        label="Description"
        description="Step by step, with the sentence people agree to. At least 40 characters."
        required
        autosize
        minRows={4}
        maxLength={2_048}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
    </div>
  );
}

export function KeywordStep({ sender, saver }: StepProps) {
  const { account } = useSession();
  const brand = sender.brand || account.company_name;
  const saved = sender.registration.compliance_keyword_responses;
  const form = useSection({
    endpoint: putKeywords,
    params: { id: sender.id },
    draftKey: `keywords.${sender.id}`,
    saver,
    labels: { start_text: 'Answer to START', stop_text: 'Answer to STOP', help_text: 'Answer to HELP' },
    initial: {
      start_text: saved?.start_text ?? `${brand}: you will get our messages again. Reply HELP for help, STOP to end.`,
      stop_text:
        saved?.stop_text ??
        `${brand}: you are unsubscribed and will get no more messages. Reply START to get them again.`,
      help_text:
        saved?.help_text ??
        `${brand}: this is our number for messages to you. Message and data rates may apply. Reply STOP to end.`,
    },
  });
  const field = (name: string, label: string, description: string) => (
    <Textarea
      label={label}
      description={description}
      required={name !== 'start_text'}
      autosize
      minRows={2}
      maxLength={320}
      key={form.key(name)}
      {...form.getInputProps(name)}
    />
  );
  return (
    <div className={styles.form}>
      {field('stop_text', 'Answer to STOP', 'Confirms that nothing more is sent, and names you.')}
      {field('help_text', 'Answer to HELP', 'Who you are, where help is, and how to end it.')}
      {field('start_text', 'Answer to START', 'Confirms that messages come again.')}
    </div>
  );
}
