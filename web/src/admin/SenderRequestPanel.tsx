/** One request: what is asked for, what the check finds, the form, the documents, what came before; and the decision. */
import { Anchor } from '@mantine/core';
import type { Data } from '@parley/contract/endpoint.ts';
import { INDUSTRIES } from '@parley/contract/industries.ts';
import { FILE_WORDS } from '@parley/contract/sender_access_form.ts';
import { ENTITY_TYPES, OPT_IN_METHODS, USE_CASES } from '@parley/contract/sender_registration.ts';
import { decideSenderRequest, getSenderRequest, type SenderRequest } from '@parley/contract/sender_requests.ts';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/query.ts';
import { useReason } from '../kernel/session.tsx';
import { countryName } from '../ui/countries.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { formatBytes } from '../ui/format.ts';
import { Fields, SidePanel } from '../ui/SidePanel.tsx';
import { BoneLines } from '../ui/Skeletons.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './Admin.module.css';
import { accessFields } from './access_fields.tsx';
import { accountPath } from './links.ts';
import review_styles from './Review.module.css';
import { SenderDecision } from './SenderDecision.tsx';
import { REQUEST_KIND_WORDS, REQUEST_LOOKS, requestState } from './sender_words.ts';
import { WebLink } from './WebLink.tsx';

type Opened = Data<typeof getSenderRequest>;

export interface SenderRequestPanelProps {
  id: string | null;
  onClose: () => void;
  onDecided: (id: string) => void;
}

export function SenderRequestPanel({ id, onClose, onDecided }: SenderRequestPanelProps) {
  const answer = useEndpoint(
    getSenderRequest,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleTime: 60_000 },
  );
  const request = id && answer.data?.data.id === id ? answer.data.data : null;
  return (
    <SidePanel
      wide
      open={id !== null}
      onClose={onClose}
      title={request ? request.code || request.name : 'Request'}
      line={
        request && (
          <>
            <StatusBadge status={requestState(request)} words={REQUEST_LOOKS} />
            {REQUEST_KIND_WORDS[request.kind]}
            <Link to={accountPath(request.account_id)}>{request.company_name}</Link>
          </>
        )
      }
    >
      {answer.error && !request ? (
        <ErrorState
          title="The request could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : request ? (
        <Sections key={request.id} request={request} onDecided={onDecided} />
      ) : (
        <div role="status" aria-label="Loading">
          <BoneLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function Sections({ request, onDecided }: { request: Opened; onDecided: (id: string) => void }) {
  const mayNot = useReason(decideSenderRequest.needs);
  return (
    <>
      <section className={styles.section}>
        <h3>What can be checked</h3>
        <ul className={review_styles.findings}>
          {request.findings.length === 0 && (
            <li data-level="good">
              <IconCircleCheck size={17} role="img" aria-label="Good" />
              The check finds nothing, and the website answers
            </li>
          )}
          {request.findings.map((finding) => (
            <li key={`${finding.code} ${finding.field}`} data-level="warning">
              <IconAlertTriangle size={17} role="img" aria-label="Look at this" />
              {finding.title}
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.section}>
        <h3>What they ask for</h3>
        <Fields fields={askedFor(request)} />
      </section>
      <section className={styles.section}>
        <h3>What they say</h3>
        <Fields
          fields={request.form.whatsapp || request.form.viber ? accessFields(request.form) : formFields(request)}
        />
      </section>
      <section className={styles.section}>
        <h3>Documents</h3>
        {request.attachments.length === 0 ? (
          <p className={styles.hint}>None.</p>
        ) : (
          <ul className={review_styles.findings}>
            {request.attachments.map((file) => (
              <li key={file.id}>
                <span>
                  <Anchor underline="always" href={file.url} inherit>
                    {file.file_name}
                  </Anchor>{' '}
                  <span className={styles.count}>
                    {FILE_WORDS[file.kind]}, {formatBytes(file.bytes)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {request.earlier.length > 0 && (
        <section className={styles.section}>
          <h3>Earlier requests of the company</h3>
          <ul className={review_styles.earlier}>
            {request.earlier.map((one) => (
              <li key={one.id}>
                <Came request={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.section}>
        <h3>Decision</h3>
        {request.status !== 'IN_PROCESS' ? (
          <Came request={request} />
        ) : mayNot ? (
          <p className={styles.hint}>{mayNot}</p>
        ) : (
          <>
            {request.asked && <Came request={request} />}
            <SenderDecision request={request} onDecided={onDecided} />
          </>
        )}
      </section>
    </>
  );
}

function Came({ request }: { request: SenderRequest }) {
  const words = [...request.reasons.map(({ text }) => text), request.note].filter(Boolean).join(' ');
  return (
    <div className={review_styles.came}>
      <div className={review_styles.cameHead}>
        <strong>{request.code || request.name}</strong>
        <StatusBadge status={requestState(request)} words={REQUEST_LOOKS} />
        <span className={styles.count}>
          {request.reviewer_name && `${request.reviewer_name} · `}
          <DateTime value={request.decide_date ?? request.create_date} />
        </span>
      </div>
      {words && <p>{words}</p>}
    </div>
  );
}

const askedFor = ({ sender, wish, countries, code, name, create_date, expected_date }: Opened) => [
  ...(wish ? [{ label: 'Wish', value: wish.kind === 'random' ? 'Any that is free' : wish.codes.join(', ') }] : []),
  ...(code ? [{ label: 'Sender', value: code }] : []),
  ...(sender.business_name && sender.business_name !== code
    ? [{ label: 'Shown as', value: sender.business_name }]
    : []),
  { label: 'Called', value: name },
  { label: 'Countries', value: countries.map(countryName).join(', ') || 'All' },
  { label: 'Sent', value: <DateTime value={create_date} /> },
  { label: 'Expected until', value: <DateTime value={expected_date} /> },
];

function formFields({ form }: Opened) {
  const { company, sms_campaign: campaign, signup_options: signup, tcr, toll_free } = form;
  const keywords = form.compliance_keyword_responses;
  return [
    ...(company
      ? [
          { label: 'Company', value: company.business_name },
          { label: 'Form', value: ENTITY_TYPES[company.entity_type] },
          { label: 'Register or tax number', value: company.registration_number || '–' },
          { label: 'Industry', value: INDUSTRIES[company.business_industry] ?? '–' },
          { label: 'Address', value: `${company.business_address}, ${countryName(company.business_country)}` },
          { label: 'Website', value: <WebLink url={company.business_website} /> },
          {
            label: 'Contact',
            value: `${company.contact_name} · ${company.business_email} · ${company.business_phone}`,
          },
          ...(company.business_description ? [{ label: 'What it does', value: company.business_description }] : []),
        ]
      : []),
    ...(tcr ? [{ label: 'Tax number', value: `${tcr.tax_id} (${countryName(tcr.tax_country)})` }] : []),
    ...(campaign
      ? [
          { label: 'Purpose', value: USE_CASES[campaign.use_case] },
          { label: 'Description', value: campaign.description },
        ]
      : []),
    ...(signup
      ? [
          {
            label: 'How people agree',
            value: `${signup.methods.map((method) => OPT_IN_METHODS[method]).join(', ')}. ${signup.description}`,
          },
          ...(signup.web_form_url ? [{ label: 'Form', value: <WebLink url={signup.web_form_url} /> }] : []),
        ]
      : []),
    ...(form.example_messages?.messages.map((text, index) => ({ label: `Example ${index + 1}`, value: text })) ?? []),
    ...(keywords
      ? [
          { label: 'Answer to STOP', value: keywords.stop_text },
          { label: 'Answer to HELP', value: keywords.help_text },
        ]
      : []),
    ...(toll_free?.additional_information ? [{ label: 'Further', value: toll_free.additional_information }] : []),
  ];
}
