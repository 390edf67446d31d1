/**
 * Edits a sender's name, profile, number pool, and keyword replies. If the sender has an open request, opens the
 * request's wizard instead.
 */

import { Textarea, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { getSender, putKeywords, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { updateSender } from '@parley/contract/senders/orders.ts';
import { IconCards } from '@tabler/icons-react';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { EDIT_SENDER, KEYWORDS, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { canHavePool, NumberPoolForm } from './NumberPool.tsx';
import { canHaveProfile, ProfileForm } from './ProfileForm.tsx';
import styles from './Senders.module.css';

export default function EditSenderPage() {
  const { id = '' } = useSearch({ strict: false }) as { id?: string };
  const query = useEndpoint(getSender, { params: { id } }, { enabled: id !== '' });
  const sender = query.data?.data;
  const back = <Back {...linkTo(SENDERS, sender ? { open: id } : {})}>Senders</Back>;
  if (id === '' || sender?.request_status === 'DELETED')
    return (
      <>
        {back}
        <EmptyState heading icon={IconCards} title="Sender not found" />
      </>
    );
  return (
    <RecordPage
      query={query}
      noun="sender"
      icon={IconCards}
      list={{ to: SENDERS, label: 'All senders' }}
      back={back}
      skeleton={
        <>
          <PageHeader title="Edit sender" description="Name and keyword replies." />
          <SkeletonFields count={3} />
        </>
      }
    >
      {(record) => <EditSender sender={record} />}
    </RecordPage>
  );
}

function EditSender({ sender }: { sender: SenderDetail }) {
  if (sender.editable && sender.kind) {
    const step: Record<string, string> = sender.status === 'unregistered' ? {} : { step: 'review' };
    return <Navigate {...linkTo(REQUEST_PATHS[sender.kind], { id: sender.id, ...step })} replace />;
  }
  return (
    <>
      <PageHeader
        title={<>Edit {sender.code ? <PhoneNumber value={sender.code} /> : sender.name}</>}
        description={channelRules(sender.channel).profile ? 'Name and public profile.' : 'Name and keyword replies.'}
      />
      <div className={styles.form} style={{ gap: 40 }}>
        <NameForm key={sender.id} sender={sender} />
        {canHaveProfile(sender) && <ProfileForm key={`${sender.id} profile`} sender={sender} />}
        {canHavePool(sender) && <NumberPoolForm key={`${sender.id} members`} id={sender.id} />}
        {sender.pool_name !== null && sender.pool_id && (
          <Notice
            tone="info"
            action={
              <Link {...linkTo(EDIT_SENDER, { id: sender.pool_id })} className={styles.noticeLink}>
                Edit that sender
              </Link>
            }
          >
            This number is in the pool of {sender.pool_name}. It is used only through that sender, which also replies to
            keywords.
          </Notice>
        )}
        {sender.channel === PHONE_CHANNEL &&
          sender.two_way &&
          sender.status === 'available' &&
          sender.pool_name === null && <KeywordForm key={`${sender.id} answers`} sender={sender} />}
      </div>
    </>
  );
}

function NameForm({ sender }: { sender: SenderDetail }) {
  const navigate = useNavigate();
  const { form, bind, saveBar } = useContractForm(updateSender, {
    initial: { name: sender.name, brand: sender.brand },
    input: (body) => ({ params: { id: sender.id }, body }),
    onDone: ({ data }) => {
      toast.success(`${data.name} was saved`);
      void navigate(linkTo(SENDERS, { open: data.id }));
    },
  });
  return (
    <Form {...bind} className={styles.form} aria-label="Name">
      <Field
        form={form}
        name="name"
        as={TextInput}
        label="Name"
        description="For your team only. Recipients never see it."
        maxLength={45}
      />
      {sender.channel === PHONE_CHANNEL && (
        <Field
          form={form}
          name="brand"
          as={TextInput}
          label="Brand"
          description="Your name in keyword replies. Defaults to the company name."
          maxLength={60}
        />
      )}
      <SaveBar {...saveBar} save="Save" />
    </Form>
  );
}

function KeywordForm({ sender }: { sender: SenderDetail }) {
  const saved = sender.registration.compliance_keyword_responses;
  const { form, bind, saveBar } = useContractForm(putKeywords, {
    initial: {
      stop_text: saved?.stop_text ?? '',
      help_text: saved?.help_text ?? '',
      start_text: saved?.start_text ?? '',
    },
    labels: { stop_text: 'Reply to STOP', help_text: 'Reply to HELP' },
    input: (body) => ({ params: { id: sender.id }, body }),
    onDone: () => toast.success('The keyword replies were saved'),
  });
  const replyField = (name: 'stop_text' | 'help_text' | 'start_text', label: string) => (
    <Field form={form} name={name} as={Textarea} label={label} autosize minRows={2} maxLength={320} />
  );
  return (
    <Form {...bind} className={styles.form} aria-label="Keyword replies">
      <h2 className={styles.heading}>Keyword replies</h2>
      <p className={styles.hint}>
        Automatic replies to STOP, HELP, and START. Default texts are used until you save your own.{' '}
        <Link to={KEYWORDS}>Add other keywords</Link>
      </p>
      {replyField('stop_text', 'Reply to STOP')}
      {replyField('help_text', 'Reply to HELP')}
      {replyField('start_text', 'Reply to START')}
      <SaveBar {...saveBar} save="Save replies" />
    </Form>
  );
}
