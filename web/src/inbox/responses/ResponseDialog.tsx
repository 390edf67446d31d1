/** Saves a new response. A default export, because it loads when it opens. */
import { Checkbox, Modal, Textarea, TextInput } from '@mantine/core';
import { createResponse, RESPONSE_VARIABLES } from '@parley/contract/inbox/responses.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { DialogFooter } from '../../ui/form/FormParts.tsx';
import styles from './Responses.module.css';

const VARIABLES = RESPONSE_VARIABLES.map((name) => `{${name}}`).join(', ');

export default function ResponseDialog({ onClose }: { onClose: () => void }) {
  const { form, bind, sending, problem } = useContractForm(createResponse, {
    initial: { name: '', text: '', shared: false },
    labels: { name: 'Name', text: 'Text' },
    guard: false,
    onDone: ({ data }) => {
      toast.success(`The response "${data.name}" was saved`);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Create response" size={480}>
      <Form {...bind} className={styles.form}>
        <Field form={form} name="name" as={TextInput} label="Name" data-autofocus />
        <Field
          form={form}
          name="text"
          as={Textarea}
          label="Text"
          description={`Variables: ${VARIABLES}`}
          autosize
          minRows={4}
          maxRows={10}
          dir="auto"
        />
        <Field
          form={form}
          name="shared"
          as={Checkbox}
          type="checkbox"
          label="Share with all users"
          description="Other users can insert the response but cannot change it."
        />
        <DialogFooter problem={problem} sending={sending} action="Save response" onClose={onClose} />
      </Form>
    </Modal>
  );
}
