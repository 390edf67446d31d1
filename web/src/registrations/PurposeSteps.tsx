/** Purpose of the messages, opt-in, and replies to keywords. */
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
import { Field } from '../ui/form/Field.tsx';
import { Pair } from '../ui/form/FormParts.tsx';
import styles from './Registrations.module.css';
import { type Saver, useSection } from './section.ts';

const USE_CASE_OPTIONS = Object.entries(USE_CASES).map(([value, label]) => ({ value, label }));
const VOLUME_LABELS: Record<(typeof VOLUMES)[number], string> = {
  under_1000: 'Fewer than 1,000',
  '1000_10000': '1,000 to 10,000',
  '10000_100000': '10,000 to 100,000',
  over_100000: 'More than 100,000',
};
const VOLUME_OPTIONS = VOLUMES.map((value) => ({ value, label: VOLUME_LABELS[value] }));

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
    labels: { use_case: 'Purpose', description: 'Description', monthly_volume: 'Messages per month' },
    initial: {
      use_case: saved?.use_case ?? 'account_notification',
      monthly_volume: saved?.monthly_volume ?? '1000_10000',
      description: saved?.description ?? account.use_case,
    },
  });
  return (
    <div className={styles.form}>
      <Pair>
        <Field form={form} name="use_case" as={Select} label="Purpose" data={USE_CASE_OPTIONS} allowDeselect={false} />
        <Field
          form={form}
          name="monthly_volume"
          as={Select}
          label="Messages per month"
          data={VOLUME_OPTIONS}
          allowDeselect={false}
        />
      </Pair>
      <Field
        form={form}
        name="description"
        as={Textarea}
        label="Description"
        description="What you send, to whom, and how often. At least 40 characters."
        autosize
        minRows={4}
        maxLength={4_096}
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
      methods: 'Opt-in methods',
      web_form_url: 'Form URL',
      keyword_url: 'Keyword URL',
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
      <Field form={form} name="methods" as={Checkbox.Group} label="Opt-in methods">
        <div className={styles.form} style={{ gap: 8, marginTop: 6 }}>
          {Object.entries(OPT_IN_METHODS).map(([value, label], index) => (
            <Checkbox key={value} value={value} label={label} {...(index === 0 ? { 'data-path': 'methods' } : {})} />
          ))}
        </div>
      </Field>
      <Field
        form={form}
        name="web_form_url"
        as={TextInput}
        label="Form URL"
        description="The page where people opt in. Reviewers will visit it."
        placeholder="https://"
        type="url"
        maxLength={300}
      />
      <Field
        form={form}
        name="keyword_url"
        as={TextInput}
        label="Keyword URL"
        description="A page or image that shows people the keyword."
        placeholder="https://"
        type="url"
        maxLength={300}
      />
      <Field
        form={form}
        name="description"
        as={Textarea}
        label="Description"
        description="Describe each step of the opt-in and quote the consent text. At least 40 characters."
        autosize
        minRows={4}
        maxLength={2_048}
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
    labels: { start_text: 'Reply to START', stop_text: 'Reply to STOP', help_text: 'Reply to HELP' },
    initial: {
      start_text:
        saved?.start_text ?? `${brand}: You are subscribed to our messages again. Reply HELP for help, STOP to end.`,
      stop_text:
        saved?.stop_text ??
        `${brand}: You are unsubscribed and will receive no more messages from us. Reply START to resubscribe.`,
      help_text:
        saved?.help_text ??
        `${brand}: We send you messages from this number. Message and data rates may apply. Reply STOP to end.`,
    },
  });
  const replyField = (name: 'start_text' | 'stop_text' | 'help_text', label: string, description: string) => (
    <Field
      form={form}
      name={name}
      as={Textarea}
      label={label}
      description={description}
      required={name !== 'start_text'}
      autosize
      minRows={2}
      maxLength={320}
    />
  );
  return (
    <div className={styles.form}>
      {replyField('stop_text', 'Reply to STOP', 'Must confirm the opt-out and name your company.')}
      {replyField('help_text', 'Reply to HELP', 'Must state who you are, where to get help, and how to opt out.')}
      {replyField('start_text', 'Reply to START', 'Must confirm that messages will resume.')}
    </div>
  );
}
