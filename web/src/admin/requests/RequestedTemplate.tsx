/** A template as recipients will see it, with its file and the targets of its buttons. */
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { fillTemplate, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { MessagePreview } from '../../channels/preview/MessagePreview.tsx';
import { FilePlaceholder } from '../../channels/preview/PreviewFile.tsx';
import { MediaView } from '../../media/MediaView.tsx';
import { Cropped } from '../../ui/layout/Cropped.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { WebLink } from '../WebLink.tsx';

interface RequestedTemplateProps {
  request: Pick<RequestDetail, 'company_name'>;
  requested: NonNullable<RequestDetail['template']>;
}

export function RequestedTemplate({
  request,
  requested: { template, get_url, thumbnail_url },
}: RequestedTemplateProps) {
  const { type, url, filename } = template;
  const variables = templatePlaceholders(template);
  const { text, content } = fillTemplate(
    template,
    variables.map(({ tag, fallback }) => fallback || tag),
  );
  const file = type !== 'text' && (
    <FilePlaceholder
      type={type}
      name={type === 'document' ? (filename ?? '') : url ? new URL(url).host : ''}
      picture={thumbnail_url ?? (type === 'image' ? get_url : null)}
    />
  );
  return (
    <section className={styles.section}>
      <h3>Template</h3>
      <Fields
        fields={[
          ...(url ? [{ label: 'File URL', value: <WebLink url={url} /> }] : []),
          ...template.buttons.map((button) => ({
            label: `Button “${button.text}”`,
            value: <WebLink url={button.value} />,
          })),
          { label: 'Variables', value: variables.map(({ tag }) => tag).join(', ') || 'None' },
          ...(template.external_id ? [{ label: 'Carrier’s template ID', value: template.external_id }] : []),
          ...(template.external_language
            ? [{ label: 'Language at the carrier', value: template.external_language }]
            : []),
        ]}
      />
      <Cropped title="Preview">
        <MessagePreview
          channel={template.channel}
          sender={request.company_name}
          text={text}
          content={content}
          {...(file ? { media: file } : {})}
        />
        {type !== 'text' && get_url && (
          <MediaView type={type} url={get_url} thumbnail_url={thumbnail_url} file_name={filename ?? template.name} />
        )}
      </Cropped>
    </section>
  );
}
