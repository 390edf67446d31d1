/** What may change of a sender at any time: what it is called, how it names itself, its answers. A form that is open leads to its wizard. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { getSender, putKeywords, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { updateSender } from '@parley/contract/senders/orders.ts';
import { IconCards } from '@tabler/icons-react';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { EDIT_SENDER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { parsePhone } from '../ui/data/phone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { canHavePool, NumberPoolForm } from './NumberPool.tsx';
import { canHaveProfile, ProfileForm } from './ProfileForm.tsx';
import styles from './Senders.module.css';

export default function EditSenderPage() {
  const { id = '' } = useSearch({ strict: false }) as { id?: string };
  const answer = useEndpoint(getSender, { params: { id } }, { enabled: id !== '' });
  const sender = answer.data?.data;
  if (sender?.editable && sender.kind) {
    const step: Record<string, string> = sender.status === 'unregistered' ? {} : { step: 'review' };
    return <Navigate {...linkTo(REQUEST_PATHS[sender.kind], { id, ...step })} replace />;
  }
  return (
    <>
      <Back {...linkTo(SENDERS, sender ? { open: id } : {})}>Senders</Back>
      <PageHeader
        title={sender ? `Edit ${sender.code ? parsePhone(sender.code).text : sender.name}` : 'Edit sender'}
        description={
          sender?.channel === 'WHATSAPP'
            ? 'What it is called here, and what people see of it.'
            : 'What it is called here, and how it answers.'
        }
      />
      {sender && sender.request_status !== 'DELETED' ? (
        <div className={styles.form} style={{ gap: 40 }}>
          <NameForm key={sender.id} sender={sender} />
          {canHaveProfile(sender) && <ProfileForm key={`${sender.id} profile`} sender={sender} />}
          {canHavePool(sender) && <NumberPoolForm key={`${sender.id} members`} id={sender.id} />}
          {sender.pool_name !== null && sender.pool_id && (
            <Notice
              tone="info"
              action={
                <Link {...linkTo(EDIT_SENDER, { id: sender.pool_id })} className={styles.there}>
                  Open that sender
                </Link>
              }
            >
              Stands behind {sender.pool_name}: messages leave from it through that sender, which answers keywords, too.
            </Notice>
          )}
          {sender.channel === 'SMS' && sender.two_way && sender.status === 'available' && sender.pool_name === null && (
            <AnswerForm key={`${sender.id} answers`} sender={sender} />
          )}
        </div>
      ) : sender || id === '' || answer.error?.status === 404 || answer.error?.status === 400 ? (
        <EmptyState icon={IconCards} title="There is no such sender" />
      ) : answer.error ? (
        <ErrorState
          title="The sender could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={3} />
      )}
    </>
  );
}

function NameForm({ sender }: { sender: SenderDetail }) {
  const navigate = useNavigate();
  const { form, onSubmit, sending, problem } = useContractForm(updateSender, {
    initial: { name: sender.name, brand: sender.brand },
    input: (body) => ({ params: { id: sender.id }, body }),
    onDone: ({ data }) => {
      toast.success(`${data.name} was saved`);
      void navigate(linkTo(SENDERS, { open: data.id }));
    },
  });
  return (
    <form className={styles.form} aria-label="Name" onSubmit={onSubmit} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <TextInput
        label="Name"
        description="For you and your colleagues; people never see it."
        required
        maxLength={45}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      {sender.channel === 'SMS' && (
        <TextInput
          label="Brand"
          description="How you name yourself in answers. The company’s name unless given."
          maxLength={60}
          key={form.key('brand')}
          {...form.getInputProps('brand')}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={sending}>
          Save
        </Button>
        <Button variant="default" component={Link} {...linkTo(SENDERS, { open: sender.id })}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function AnswerForm({ sender }: { sender: SenderDetail }) {
  const saved = sender.registration.compliance_keyword_responses;
  const { form, onSubmit, sending, problem } = useContractForm(putKeywords, {
    initial: {
      stop_text: saved?.stop_text ?? '',
      help_text: saved?.help_text ?? '',
      start_text: saved?.start_text ?? '',
    },
    labels: { stop_text: 'Answer to STOP', help_text: 'Answer to HELP' },
    input: (body) => ({ params: { id: sender.id }, body }),
    onDone: () => toast.success('The answers were saved'),
  });
  const field = (name: 'stop_text' | 'help_text' | 'start_text', label: string) => (
    <Textarea label={label} autosize minRows={2} maxLength={320} key={form.key(name)} {...form.getInputProps(name)} />
  );
  return (
    <form className={styles.form} aria-label="Answers" onSubmit={onSubmit} noValidate>
      <h2 className={styles.heading}>Answers to keywords</h2>
      <p className={styles.hint}>
        What people get who write STOP, HELP or START. While nothing is saved here, usual words are used.
      </p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {field('stop_text', 'Answer to STOP')}
      {field('help_text', 'Answer to HELP')}
      {field('start_text', 'Answer to START')}
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={sending}>
          Save answers
        </Button>
      </div>
    </form>
  );
}
