/** One template: how it looks, how it stands and why, where it is used, and what can be done now. */
import { Anchor, Button } from '@mantine/core';
import type { Data } from '@parley/contract/endpoint.ts';
import { qualityLabel } from '@parley/contract/senders/carrier_state.ts';
import {
  createTemplate,
  getTemplate,
  removeTemplate,
  type Template,
  updateTemplate,
} from '@parley/contract/templates/templates.ts';
import { Link } from '@tanstack/react-router';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { CREATE_TEMPLATE, editTemplatePath, linkTo } from '../paths.ts';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { shownOf } from './draft.ts';
import styles from './Library.module.css';
import { ReviewWords } from './ReviewWords.tsx';
import { UsedIn } from './UsedIn.tsx';
import { CATEGORY_WORDS, LANGUAGES, lookOf } from './words.ts';

type Opened = Data<typeof getTemplate>;

export interface TemplatePanelProps {
  id: string | null;
  onClose: () => void;
  onRemove: (template: Template) => void;
}

export function TemplatePanel({ id, onClose, onRemove }: TemplatePanelProps) {
  const answer = useEndpoint(getTemplate, { params: { id: id ?? '' } }, { enabled: id !== null });
  const template = id && answer.data?.data.id === id ? answer.data.data : null;
  const waits = template?.status === 'IN_PROCESS' ? 'It is being reviewed' : null;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={template ? template.name : 'Template'}
      description={
        template && (
          <>
            <ChannelMark channel={template.channel} />
            <StatusBadge {...lookOf(template)} />
          </>
        )
      }
      actions={
        template && (
          <>
            {template.status === 'CANCELED' ? (
              <Allow needs={createTemplate.needs}>
                <Button component={Link} {...linkTo(CREATE_TEMPLATE, { from: template.id })}>
                  Copy and fix
                </Button>
              </Allow>
            ) : null}
            <Allow needs={updateTemplate.needs} reason={waits}>
              <Button
                component={Link}
                to={editTemplatePath(template)}
                {...(template.status === 'CANCELED' ? { variant: 'default' } : {})}
              >
                Edit
              </Button>
            </Allow>
            <Allow needs={removeTemplate.needs} reason={waits}>
              <Button variant="default" onClick={() => onRemove(template)}>
                Delete
              </Button>
            </Allow>
          </>
        )
      }
    >
      {answer.error && !template ? (
        <ErrorState
          title="The template could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : template ? (
        <Opened key={template.id} template={template} />
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function Opened({ template }: { template: Opened }) {
  const filled = shownOf(template);
  return (
    <div className={styles.panel}>
      <ReviewWords template={template} />
      <UsedIn template={template} />
      <div className={styles.panelPhone}>
        <MessagePreview
          channel={template.channel}
          sender={template.wa_sender_code ? `+${template.wa_sender_code}` : 'Your company'}
          text={filled.text}
          content={filled.content}
        />
      </div>
      <Fields
        fields={[
          ...(template.wa_category ? [{ label: 'Category', value: CATEGORY_WORDS[template.wa_category].label }] : []),
          ...(template.wa_sender_code
            ? [
                { label: 'WhatsApp sender', value: <PhoneNumber value={template.wa_sender_code} /> },
                {
                  label: 'Language',
                  value: LANGUAGES.find(({ value }) => value === template.language)?.label ?? template.language,
                },
              ]
            : []),
          ...(template.channel === 'WHATSAPP' && template.status === 'COMPLETED'
            ? [{ label: 'Quality', value: qualityLabel(template.quality ?? 'UNKNOWN') }]
            : []),
          { label: 'Text', value: <span className={styles.whole}>{template.text || '–'}</span> },
          { label: 'Messages sent', value: sentWords(template.sent_count) },
          { label: 'Created', value: <DateTime value={template.create_date} /> },
          { label: 'Changed', value: <DateTime value={template.update_date} /> },
          { label: 'Id', value: <CopyId value={template.id} /> },
        ]}
      />
      {template.sent_count > 0 && (
        <p className={styles.hint}>
          <Anchor component={Link} to="/insights" underline="always" inherit>
            See them in the log
          </Anchor>
        </p>
      )}
    </div>
  );
}

/** Counted up to ten thousand. */
const sentWords = (count: number): string => (count > 10_000 ? 'more than 10,000' : count.toLocaleString('en-US'));
