/** A channel-specific step: its inputs and, in the last step, the files. The review step lists missing files. */
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { SAVE_ACCESS } from '@parley/contract/registrations/access.ts';
import { ACCESS_VIEWS } from '../../channels/access.ts';
import type { StepView } from '../../channels/access_view.ts';
import { FileSlots } from '../../senders/FileSlots.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

interface AccessStepProps extends StepProps {
  kind: AccessKind;
  /** The key of the step. */
  name: string;
}

export function AccessStep(props: AccessStepProps) {
  const { kind, name, sender } = props;
  const { steps } = ACCESS_VIEWS[kind];
  const index = steps.findIndex(({ key }) => key === name);
  const view = steps[index]?.view;
  return (
    <div className={styles.form}>
      {view && <StepFields key={name} {...props} view={view} />}
      {index === steps.length - 1 && <FileSlots kind={kind} sender={sender} files={ACCESS_FORMS[kind].files} />}
    </div>
  );
}

function StepFields({ kind, name, sender, saver, view }: AccessStepProps & { view: StepView }) {
  const { initial, labels, check, Fields } = view;
  const form = useSection({
    endpoint: SAVE_ACCESS[kind],
    params: { id: sender.id },
    draftKey: `${kind}_${name}.${sender.id}`,
    saver,
    labels,
    initial: initial(sender.registration[kind]),
    ...(check ? { check } : {}),
  });
  return <Fields form={form} sender_id={sender.id} />;
}
