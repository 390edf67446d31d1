/** Names a new view or renames one. */
import { Checkbox, Modal, TextInput } from '@mantine/core';
import { canShareViews } from '@parley/contract/views/lists.ts';
import { createView, updateView, type View } from '@parley/contract/views/views.ts';
import { useState } from 'react';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { DialogFooter } from '../../../ui/form/FormParts.tsx';
import { useContractForm } from '../../form/form.ts';
import { useSession } from '../../session/session.tsx';
import type { SavedViews } from './saved_views.ts';
import styles from './ViewsMenu.module.css';

/** The view to rename, "new" to save one, or null to close the dialog. */
export type ViewDialogTarget = View | 'new' | null;

interface ViewDialogProps {
  views: SavedViews;
  target: ViewDialogTarget;
  onClose: () => void;
}

export default function ViewDialog({ views, target, onClose }: ViewDialogProps) {
  // Keeps the title while the dialog fades out.
  const [shown, setShown] = useState<ViewDialogTarget>(null);
  if (target && target !== shown) setShown(target);
  return (
    <Modal
      opened={target !== null}
      onClose={onClose}
      title={shown === 'new' || shown === null ? 'Save as new view' : `Rename "${shown.name}"`}
      size={420}
    >
      {target === 'new' && <CreateForm views={views} onClose={onClose} />}
      {target !== null && target !== 'new' && <RenameForm view={target} onClose={onClose} />}
    </Modal>
  );
}

function CreateForm({ views, onClose }: { views: SavedViews; onClose: () => void }) {
  const { permissions } = useSession();
  const { form, bind, sending, problem } = useContractForm(createView, {
    initial: { name: '', shared: false },
    labels: { name: 'Name' },
    body: (values) => ({ ...values, list: views.list, state: views.current }),
    guard: false,
    onDone: ({ data }) => {
      views.follow(data);
      toast.success(`The view "${data.name}" was saved`);
      onClose();
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <Field
        form={form}
        name="name"
        as={TextInput}
        label="Name"
        description="The view saves the current filters, sort order, and columns."
        maxLength={60}
        autoComplete="off"
        data-autofocus
      />
      {canShareViews(views.list, permissions) && (
        <Field form={form} name="shared" as={Checkbox} type="checkbox" label="Share with the account" />
      )}
      <DialogFooter problem={problem} sending={sending} action="Save view" onClose={onClose} />
    </Form>
  );
}

function RenameForm({ view, onClose }: { view: View; onClose: () => void }) {
  const { form, bind, sending, problem } = useContractForm(updateView, {
    initial: { name: view.name },
    labels: { name: 'Name' },
    input: (body) => ({ params: { id: view.id }, body }),
    guard: false,
    onDone: onClose,
  });
  return (
    <Form {...bind} className={styles.form}>
      <Field
        form={form}
        name="name"
        as={TextInput}
        label="Name"
        maxLength={60}
        autoComplete="off"
        required
        data-autofocus
      />
      <DialogFooter problem={problem} sending={sending} action="Rename view" onClose={onClose} />
    </Form>
  );
}
