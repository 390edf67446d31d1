import { Button, Modal, TextInput } from '@mantine/core';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Campaigns.module.css';

/** A default export, because it is loaded when the user asks for it. */
export default function RenameCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Rename campaign">
      <RenameForm campaign={campaign} onClose={onClose} />
    </Modal>
  );
}

function RenameForm({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { form, bind, sending, problem } = useContractForm(updateCampaign, {
    initial: { name: campaign.name },
    input: (body) => ({ params: { id: campaign.id }, body }),
    guard: false,
    onDone: () => {
      toast.success('Campaign renamed');
      onClose();
    },
  });
  return (
    <Form {...bind}>
      <Field form={form} name="name" as={TextInput} label="Name" maxLength={45} data-autofocus />
      <FormProblem>{problem}</FormProblem>
      <div className={styles.modalButtons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={sending}>
          Rename campaign
        </Button>
      </div>
    </Form>
  );
}
