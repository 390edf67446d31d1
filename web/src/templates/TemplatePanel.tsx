/** One template: its preview, status, uses, and actions. */
import { Button } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Data } from '@parley/contract/endpoint.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import { qualityLabel } from '@parley/contract/senders/carrier_state.ts';
import {
  createTemplate,
  getTemplate,
  removeTemplate,
  type Template,
  updateTemplate,
} from '@parley/contract/templates/templates.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { useRecordActions } from '../kernel/commands.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { CREATE_TEMPLATE, editTemplatePath, linkTo, messagesPath, templatePath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { Cropped } from '../ui/layout/Cropped.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { previewSender, previewTemplate } from './draft.ts';
import { ReviewNotice } from './ReviewNotice.tsx';
import styles from './Templates.module.css';
import { UsedIn } from './UsedIn.tsx';
import { CATEGORIES, LANGUAGES, statusBadge } from './words.ts';

type TemplateDetail = Data<typeof getTemplate>;

interface TemplatePanelProps {
  id: string | null;
  onClose: () => void;
  onRemove: (template: Template) => void;
}

export function TemplatePanel({ id, onClose, onRemove }: TemplatePanelProps) {
  const query = useEndpoint(getTemplate, { params: { id: id ?? '' } }, { enabled: id !== null });
  const template = id && query.data?.data.id === id ? query.data.data : null;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={template ? template.name : 'Template'}
      description={
        template && (
          <>
            <ChannelMark channel={template.channel} />
            <StatusBadge {...statusBadge(template)} />
          </>
        )
      }
      recordId={template?.id}
      actions={template && <Actions template={template} onRemove={onRemove} />}
    >
      {query.error && !template ? (
        <ErrorState
          title="The template could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : template ? (
        <Details key={template.id} template={template} />
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function Actions({ template, onRemove }: { template: TemplateDetail; onRemove: (template: Template) => void }) {
  const isRejected = template.status === 'CANCELED';
  const reason = template.status === 'IN_PROCESS' ? 'The template is under review' : null;
  const navigate = useNavigate();
  const editReason = useReason(updateTemplate.needs);
  const addReason = useReason(createTemplate.needs);
  const removeReason = useReason(removeTemplate.needs);
  const { id, name } = template;
  useRecordActions({ kind: 'template', id, title: name, path: templatePath(id) }, [
    { label: 'Edit', reason: editReason ?? reason, run: () => void navigate({ to: editTemplatePath(template) }) },
    {
      label: isRejected ? 'Copy and fix' : 'Copy',
      keywords: 'duplicate',
      reason: addReason,
      run: () => void navigate(linkTo(CREATE_TEMPLATE, { from: id })),
    },
    { label: 'Delete', keywords: 'remove', reason: removeReason ?? reason, run: () => onRemove(template) },
  ]);
  return (
    <>
      {isRejected && (
        <Allow needs={createTemplate.needs}>
          <Button component={Link} {...linkTo(CREATE_TEMPLATE, { from: template.id })}>
            Copy and fix
          </Button>
        </Allow>
      )}
      <Allow needs={updateTemplate.needs} reason={reason}>
        <Button component={Link} to={editTemplatePath(template)} {...(isRejected ? { variant: 'default' } : {})}>
          Edit
        </Button>
      </Allow>
      <Allow needs={removeTemplate.needs} reason={reason}>
        <Button variant="default" onClick={() => onRemove(template)}>
          Delete
        </Button>
      </Allow>
    </>
  );
}

function Details({ template }: { template: TemplateDetail }) {
  const { text, content } = previewTemplate(template);
  return (
    <div className={styles.panel}>
      <ReviewNotice template={template} />
      <Fields
        fields={[
          ...carrierFields(template),
          { label: 'Messages sent', value: <SentCount template={template} /> },
          { label: 'Created', value: <DateTime value={template.create_date} /> },
          { label: 'Last changed', value: <DateTime value={template.update_date} /> },
        ]}
      />
      <Cropped title="Preview">
        <div className={styles.panelPhone}>
          <MessagePreview
            channel={template.channel}
            sender={previewSender(template.wa_sender_code)}
            text={text}
            content={content}
          />
        </div>
      </Cropped>
      <UsedIn template={template} />
    </div>
  );
}

/** The fields of templates that a carrier reviews. */
function carrierFields({ channel, wa_category, wa_sender_code, language, status, quality }: TemplateDetail) {
  const { label, templates } = channelRules(channel);
  const languageLabel = LANGUAGES.find(({ value }) => value === language)?.label ?? language;
  return [
    ...(wa_category ? [{ label: 'Category', value: CATEGORIES[wa_category].label }] : []),
    ...(wa_sender_code
      ? [
          { label: `${label} sender`, value: <PhoneNumber value={wa_sender_code} /> },
          { label: 'Language', value: languageLabel },
        ]
      : []),
    ...(templates.review === 'carrier' && status === 'COMPLETED'
      ? [{ label: 'Quality', value: qualityLabel(quality ?? 'UNKNOWN') }]
      : []),
  ];
}

/** The number of sent messages, which the server counts only up to 10,000. */
function SentCount({ template: { id, sent_count } }: { template: Pick<TemplateDetail, 'id' | 'sent_count'> }) {
  const mayMessages = useReason(listMessages.needs) === null;
  return (
    <Figure href={mayMessages && sent_count > 0 ? messagesPath({ template: id }) : undefined}>
      {sent_count > 10_000 ? 'more than 10,000' : formatNumber(sent_count)}
    </Figure>
  );
}
