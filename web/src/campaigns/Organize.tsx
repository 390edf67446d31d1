import { Button, Modal, TagsInput, Textarea } from '@mantine/core';
import { listTags } from '@parley/contract/campaigns/calendar.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { MAX_NOTE, MAX_TAGS, updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Campaigns.module.css';

/** A default export, because it is loaded when the user asks for it. */
export default function Organize({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Tags and note">
      <OrganizeForm campaign={campaign} onClose={onClose} />
    </Modal>
  );
}

function OrganizeForm({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const known = useEndpoint(listTags, {});
  const { form, bind, sending, problem } = useContractForm(updateCampaign, {
    initial: { tags: campaign.tags, note: campaign.note },
    input: (body) => ({ params: { id: campaign.id }, body }),
    invalidates: ['campaign_tags'],
    guard: false,
    onDone: () => {
      toast.success('Campaign saved');
      onClose();
    },
  });
  return (
    <Form {...bind} aria-label="Tags and note">
      <Field
        form={form}
        name="tags"
        as={TagsInput}
        label="Tags"
        description={`Up to ${MAX_TAGS}. Press Enter after each tag.`}
        maxTags={MAX_TAGS}
        data={(known.data?.data ?? []).map(({ tag }) => tag)}
        data-autofocus
      />
      <Field form={form} name="note" as={Textarea} label="Note" autosize minRows={3} maxLength={MAX_NOTE} />
      <FormProblem>{problem}</FormProblem>
      <div className={styles.modalButtons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={sending}>
          Save
        </Button>
      </div>
    </Form>
  );
}
