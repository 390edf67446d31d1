import { TextInput } from '@mantine/core';
import { updateSelf } from '@parley/contract/auth/sessions.ts';
import { impersonationReason } from '../../auth/impersonation.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { queryClient } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { NameFields } from '../../ui/form/NameFields.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

export function PersonForm() {
  const { user } = useSession();
  const initial = { first_name: user.first_name, last_name: user.last_name, position: user.position ?? '' };
  const { form, bind, saveBar } = useContractForm(updateSelf, {
    initial,
    draft: useSavedDraft('user', initial),
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: ['users'] });
      toast.success('Your changes were saved');
    },
  });
  return (
    <Form {...bind} className={styles.form}>
      <Pair>
        <NameFields form={form} own />
      </Pair>
      <Field
        form={form}
        name="position"
        as={TextInput}
        label="Position"
        description="Shown in the user list."
        maxLength={60}
        autoComplete="organization-title"
      />
      <SaveBar {...saveBar} save="Save changes" reason={impersonationReason(user)} />
    </Form>
  );
}
