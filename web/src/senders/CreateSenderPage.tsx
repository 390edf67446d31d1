/** Sender types available in a country, with their requirements and the link to request each. */
import { Button } from '@mantine/core';
import { putTcr } from '@parley/contract/registrations/registration.ts';
import { DOCUMENTS } from '@parley/contract/senders/countries.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { listSenderRules, type SenderRule } from '@parley/contract/senders/rules.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { BUY_NUMBER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { CountrySelect } from '../ui/form/CountrySelect.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Buttons } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { daysText, TYPE_LABELS } from './labels.ts';
import styles from './Senders.module.css';

type TypeRule = SenderRule['types'][number];

const DESCRIPTIONS: Record<TypeRule['type'], string> = {
  local: 'A local number people can call or text.',
  mobile: 'A mobile number that sends and receives messages.',
  toll_free: 'Free for people to text. One number covers the United States and Canada.',
  short_code: 'Five or six digits for high volumes.',
  alphanumeric: 'Your name instead of a number. Recipients cannot reply.',
};

export default function CreateSenderPage() {
  const { account } = useSession();
  const { country: parameter } = useSearch({ strict: false }) as { country?: string };
  const navigate = useNavigate();
  const country = parameter && /^[A-Z]{2}$/.test(parameter) ? parameter : account.country_code;
  const answer = useEndpoint(
    listSenderRules,
    { query: { channel: 'sms', filter: { countries: [country] } } },
    { keepPrevious: true, staleTime: 3_600_000 },
  );
  const rule = answer.data?.data[0];
  return (
    <>
      <Back to={SENDERS}>Senders</Back>
      <PageHeader
        title="Create sender"
        description="Where are your recipients? Each country allows different sender types."
      />
      <div className={styles.choose}>
        <CountrySelect
          label="Country"
          value={country}
          onChange={(value) => value && void navigate({ ...linkTo('.', { country: value }), replace: true })}
        />
      </div>
      {answer.error ? (
        <ErrorState
          title="The sender types could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : rule ? (
        <>
          <ul className={styles.cards} aria-label={`Sender types in ${countryName(rule.country)}`}>
            {[...rule.types]
              .sort((a, b) => Number(a.state === 'no') - Number(b.state === 'no'))
              .map((type) => (
                <TypeCard key={type.type} rule={type} country={country} />
              ))}
          </ul>
          <MarketingRules rule={rule} />
        </>
      ) : (
        <SkeletonFields count={3} />
      )}
    </>
  );
}

function MarketingRules({ rule }: { rule: SenderRule }) {
  const { quiet_hours: quiet, opt_out_text } = rule;
  if (!quiet && !opt_out_text) return null;
  return (
    <p className={styles.hint} style={{ marginTop: 20 }}>
      {quiet &&
        `Don’t send marketing between ${quiet.from} and ${quiet.to} in the recipient’s local time. ${quiet.note} `}
      {opt_out_text &&
        `Include in every marketing message: ${opt_out_text.charAt(0).toLowerCase()}${opt_out_text.slice(1)}.`}
    </p>
  );
}

/** The button that requests or buys a sender of the type; null if the country does not allow it. */
function requestAction(
  { type, state }: TypeRule,
  country: string,
): { label: string; link: object; needs: typeof createSender.needs | typeof putTcr.needs } | null {
  if (state === 'no') return null;
  if (type === 'alphanumeric')
    return {
      label: 'Request sender ID',
      link: linkTo(REQUEST_PATHS.sender_id, { country }),
      needs: createSender.needs,
    };
  if (type === 'short_code')
    return {
      label: 'Request short code',
      link: linkTo(REQUEST_PATHS.short_code, { country }),
      needs: createSender.needs,
    };
  return { label: 'Choose number', link: linkTo(BUY_NUMBER, { type, country }), needs: createSender.needs };
}

function TypeCard({ rule, country }: { rule: TypeRule; country: string }) {
  const action = requestAction(rule, country);
  const needsRegistration = rule.state === 'register' && (rule.type === 'local' || rule.type === 'toll_free');
  return (
    <li className={styles.card} data-closed={action ? undefined : true}>
      <h2>{TYPE_LABELS[rule.type]}</h2>
      <p>{DESCRIPTIONS[rule.type]}</p>
      {rule.note && <p>{rule.note}</p>}
      {rule.expected_days && <p>Usually reviewed within {daysText(rule.expected_days)}.</p>}
      {rule.documents.length > 0 && (
        <p>Required documents: {rule.documents.map((kind) => DOCUMENTS[kind]).join('; ')}.</p>
      )}
      <div className={styles.cardFoot}>
        {action ? (
          <Buttons>
            <Allow needs={action.needs}>
              <Button size="xs" component={Link} {...(action.link as { to: string })}>
                {action.label}
              </Button>
            </Allow>
            {needsRegistration && (
              <Allow needs={putTcr.needs}>
                <Button
                  size="xs"
                  variant="default"
                  component={Link}
                  to={rule.type === 'local' ? REQUEST_PATHS.tcr : REQUEST_PATHS.toll_free}
                >
                  Register number
                </Button>
              </Allow>
            )}
          </Buttons>
        ) : (
          <p>Not available in this country.</p>
        )}
      </div>
    </li>
  );
}
