/** Creates or changes a response. A default export, because it loads when it opens. */
import { Autocomplete, Checkbox, Modal, Textarea, TextInput } from '@mantine/core';
import {
  createResponse,
  listResponseFolders,
  RESPONSE_VARIABLES,
  type SavedResponse,
  updateResponse,
} from '@parley/contract/inbox/responses.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { DialogFooter } from '../../ui/form/FormParts.tsx';
import styles from './Responses.module.css';

const VARIABLES = RESPONSE_VARIABLES.map((name) => `{${name}}`).join(', ');
const LABELS = { name: 'Name', text: 'Text', folder: 'Folder', shortcut: 'Shortcut' };

interface Values extends Record<string, unknown> {
  name: string;
  text: string;
  folder: string;
  shortcut: string;
  shared: boolean;
}

const toBody = ({ folder, shortcut, ...values }: Values) => ({
  ...values,
  folder: folder.trim() || null,
  shortcut: shortcut.trim() || null,
});

interface DialogProps {
  /** The response being edited; null for a new one. */
  response: SavedResponse | null;
  onClose: () => void;
}

export default function ResponseDialog({ response, onClose }: DialogProps) {
  const folders = useEndpoint(listResponseFolders).data?.data ?? [];
  const values: Values = {
    ...{ name: response?.name ?? '', text: response?.text ?? '', shared: response?.shared ?? false },
    ...{ folder: response?.folder ?? '', shortcut: response?.shortcut ?? '' },
  };
  const options = {
    ...{ initial: values, labels: LABELS, body: toBody, guard: false },
    onDone: ({ data }: { data: SavedResponse }) => {
      toast.success(`The response "${data.name}" was saved`);
      onClose();
    },
  };
  const create = useContractForm(createResponse, { ...options, input: (draft) => ({ body: toBody(draft) }) });
  const update = useContractForm(updateResponse, {
    ...options,
    input: (draft) => ({ params: { id: response?.id ?? '' }, body: toBody(draft) }),
  });
  const { form, bind, sending, problem } = response ? update : create;
  return (
    <Modal opened onClose={onClose} title={response ? 'Edit response' : 'Create response'} size={480}>
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
        <div className={styles.pair}>
          <Field
            form={form}
            name="folder"
            as={Autocomplete}
            label="Folder"
            data={folders.map(({ name }) => name)}
            maxLength={40}
          />
          <Field
            form={form}
            name="shortcut"
            as={TextInput}
            label="Shortcut"
            description="For example refund. In a conversation, type /refund."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={31}
          />
        </div>
        {(response === null || response.is_own) && (
          <Field
            form={form}
            name="shared"
            as={Checkbox}
            type="checkbox"
            label="Share with all users"
            description="Other users can insert the response. To change it, they need Edit Message permission."
          />
        )}
        <DialogFooter problem={problem} sending={sending} action="Save response" onClose={onClose} />
      </Form>
    </Modal>
  );
}
