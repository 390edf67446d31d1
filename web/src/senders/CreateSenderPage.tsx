/** Which kind of sender: what is possible in a country, what it takes, and the way to each. */
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
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { daysText, TYPE_LABELS } from './labels.ts';
import styles from './Senders.module.css';

type TypeRule = SenderRule['types'][number];

const FOR: Record<TypeRule['type'], string> = {
  local: 'A number of a town. People can call and write back.',
  mobile: 'A mobile number that sends and receives at once.',
  toll_free: 'Writing to it costs people nothing. One number for the United States and Canada.',
  short_code: 'Five or six digits for many messages at once.',
  alphanumeric: 'Your name instead of a number. Nobody can answer it.',
};

export default function CreateSenderPage() {
  const { account } = useSession();
  const { country: given } = useSearch({ strict: false }) as { country?: string };
  const navigate = useNavigate();
  const country = given && /^[A-Z]{2}$/.test(given) ? given : account.country_code;
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
        description="Choose where people are: what messages may come from there is decided by its carriers."
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
          title="The rules could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : rule ? (
        <>
          <ul className={styles.cards} aria-label={`What is possible in ${countryName(rule.country)}`}>
            {[...rule.types]
              .sort((a, b) => Number(a.state === 'no') - Number(b.state === 'no'))
              .map((type) => (
                <Card key={type.type} rule={type} country={rule.country} />
              ))}
          </ul>
          <Around rule={rule} />
        </>
      ) : (
        <SkeletonFields count={3} />
      )}
    </>
  );
}

function Around({ rule }: { rule: SenderRule }) {
  const { quiet_hours: quiet, opt_out_text } = rule;
  if (!quiet && !opt_out_text) return null;
  return (
    <p className={styles.hint} style={{ marginTop: 20 }}>
      {quiet && `No marketing from ${quiet.from} to ${quiet.to}, where the person is. ${quiet.note} `}
      {opt_out_text && `Marketing says how to end it: ${opt_out_text}.`}
    </p>
  );
}

function wayTo(
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
  return { label: 'Choose a number', link: linkTo(BUY_NUMBER, { type, country }), needs: createSender.needs };
}

function Card({ rule, country }: { rule: TypeRule; country: string }) {
  const way = wayTo(rule, country);
  const register = rule.state === 'register' && (rule.type === 'local' || rule.type === 'toll_free');
  return (
    <li className={styles.card} data-closed={way ? undefined : true}>
      <h2>{TYPE_LABELS[rule.type]}</h2>
      <p>{FOR[rule.type]}</p>
      {rule.note && <p>{rule.note}</p>}
      {rule.expected_days && <p>Usually decided within {daysText(rule.expected_days)}.</p>}
      {rule.documents.length > 0 && <p>Needed: {rule.documents.map((kind) => DOCUMENTS[kind]).join('; ')}.</p>}
      <div className={styles.cardFoot}>
        {way ? (
          <div className={styles.buttons}>
            <Allow needs={way.needs}>
              <Button size="xs" component={Link} {...(way.link as { to: string })}>
                {way.label}
              </Button>
            </Allow>
            {register && (
              <Allow needs={putTcr.needs}>
                <Button
                  size="xs"
                  variant="default"
                  component={Link}
                  to={rule.type === 'local' ? REQUEST_PATHS.tcr : REQUEST_PATHS.toll_free}
                >
                  Register a number
                </Button>
              </Allow>
            )}
          </div>
        ) : (
          <p>Not possible in this country.</p>
        )}
      </div>
    </li>
  );
}
