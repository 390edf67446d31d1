/** The form for a test, the phones that show its messages, the timeline, and the API request. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { TryItNow } from '@parley/contract/messages/try_it_now.ts';
import { Suspense, useState } from 'react';
import type { Tool } from '../channels/compose/AttachTools.tsx';
import type { ReplyBody } from '../channels/compose/reply_body.ts';
import { FallbackFields } from '../channels/fallbacks/FallbackFields.tsx';
import { MessageTimeline } from '../messages/MessageTimeline.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { Snippet } from './Snippet.tsx';
import { StepPhones } from './StepPhones.tsx';
import { Blockers, MessageField, RecipientsField, SenderField, TestFooter } from './TestFields.tsx';
import styles from './TryItNow.module.css';
import { type TestForm as Form, useTestForm } from './useTestForm.ts';

const TemplateDialog = lazyPart(() => import('../channels/compose/TemplateDialog.tsx'));
const ButtonsDialog = lazyPart(() => import('../channels/compose/ButtonsDialog.tsx'));
const AttachDialog = lazyPart(() => import('../channels/compose/AttachDialog.tsx'));

/** The shortest wait that the API accepts, because the user is watching the test. */
const WAIT = { wait: 30, unit: 'seconds' } as const;

export function TestForm({ channel, state }: { channel: ChannelName; state: TryItNow }) {
  const form = useTestForm(channel, state);
  const { test, errors, steps, text, recipients } = form;
  const [dialog, setDialog] = useState<Tool | null>(null);
  const digits = recipients[0]?.replace(/\D/g, '');
  return (
    <div className={styles.sides}>
      <form
        ref={errors.ref}
        className={styles.form}
        noValidate
        onBlur={errors.onBlur}
        onSubmit={(event) => {
          event.preventDefault();
          void form.send(form.opening.body ?? { text: text.trim() });
        }}
      >
        <Blockers state={state} />
        <SenderField form={form} />
        <RecipientsField form={form} />
        <MessageField form={form} />
        <FallbackFields
          channel={channel}
          content={form.content}
          steps={steps}
          onChange={form.setSteps}
          options={form.options}
          fieldError={(field) => form.problemText(field) || errors.fieldError(field)}
          wait={WAIT}
        />
        {form.otherProblems.map(({ message }) => (
          <p key={message} className={styles.problem} role="alert">
            {message}
          </p>
        ))}
        <TestFooter form={form} onTool={setDialog} />
      </form>
      <StepPhones
        key={test.message?.id ?? 'none'}
        phones={form.phones}
        steps={test.message?.fallbacks ?? []}
        messages={test.messages}
        address={state.phones_url && digits ? `${state.phones_url}/#/phones/${digits}` : null}
      />
      <div className={styles.after}>
        {test.message && (
          <section className={styles.snippet} aria-label="Timeline">
            <h2 className={styles.name}>What happened</h2>
            <MessageTimeline message={test.message} />
          </section>
        )}
        {test.request && <Snippet body={test.request} />}
      </div>
      <TestDialog form={form} dialog={dialog} onClose={() => setDialog(null)} />
    </div>
  );
}

function TestDialog({ form, dialog, onClose }: { form: Form; dialog: Tool | null; onClose: () => void }) {
  const addressee = { channel: form.channel, sender: form.sender?.code ?? '', contact_name: '', profile_name: '' };
  const props = { conversation: addressee, onClose, onSend: (body: ReplyBody) => void form.send(body) };
  return (
    <Suspense>
      {dialog === 'template' ? (
        <TemplateDialog {...props} title="Use a template" />
      ) : dialog === 'buttons' ? (
        <ButtonsDialog {...props} title="Add buttons" initial={form.text} />
      ) : (
        dialog && <AttachDialog {...props} type={dialog} />
      )}
    </Suspense>
  );
}
