/** Changes the allowed countries. A default export, because it loads when it opens. */
import { Button, Checkbox, Modal } from '@mantine/core';
import { listRates, type Rate } from '@parley/contract/billing/rates.ts';
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import {
  type AllowedCountries,
  openedCountries,
  saveAllowedCountries,
} from '@parley/contract/guard/allowed_countries.ts';
import { useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { Segments } from '../../ui/controls/Segments.tsx';
import { formatMoney } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';
import { CountryBackTestPart } from './CountryBackTest.tsx';

export default function AllowedDialog({ allowed, onClose }: { allowed: AllowedCountries; onClose: () => void }) {
  const { account } = useSession();
  const [enabled, setEnabled] = useState(allowed.enabled);
  const [countries, setCountries] = useState<readonly string[]>(
    allowed.countries.length > 0 ? allowed.countries : [account.country_code],
  );
  const [isShared, setShared] = useState(allowed.sub_accounts);
  const [understood, setUnderstood] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useAction(saveAllowedCountries, {
    onSuccess: () => {
      toast.success('Allowed countries saved');
      onClose();
    },
    onError: ({ message }: ApiError) => setProblem(message),
  });
  const opened = openedCountries(allowed, { enabled, countries });
  const isOpening = opened.length > 0;
  const change = (next: readonly string[]) => {
    setCountries(next);
    setUnderstood(false);
  };
  return (
    <Modal opened onClose={onClose} title="Change allowed countries" size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const shared = account.account_type === 'MAIN' ? { sub_accounts: isShared } : {};
          const acknowledges_risk = isOpening && understood;
          save.mutate({ body: { enabled, countries: [...countries], acknowledges_risk, ...shared } });
        }}
      >
        <Segments
          aria-label="Where messages are sent"
          value={enabled ? 'allowed' : 'all'}
          data={[
            { value: 'all', label: 'All countries' },
            { value: 'allowed', label: 'Only allowed countries' },
          ]}
          onChange={(next) => {
            setEnabled(next === 'allowed');
            setUnderstood(false);
          }}
        />
        {enabled && (
          <CountriesSelect
            label="Allowed countries"
            description="Messages to other countries are blocked. Messages that are waiting to be sent are canceled."
            value={[...countries]}
            onChange={change}
            clearable
            clearButtonProps={{ 'aria-label': 'Remove all countries' }}
          />
        )}
        {enabled && account.account_type === 'MAIN' && <Sharing shared={isShared} onChange={setShared} />}
        {enabled && countries.length > 0 && <CountryBackTestPart list="allowed" countries={countries} />}
        {isOpening && <Risk opened={opened} understood={understood} onChange={setUnderstood} />}
        {problem && <Notice tone="fail">{problem}</Notice>}
        <Buttons>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={(enabled && countries.length === 0) || (isOpening && !understood)}
          >
            Save allowed countries
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Buttons>
      </form>
    </Modal>
  );
}

const Sharing = ({ shared, onChange }: { shared: boolean; onChange: (shared: boolean) => void }) => (
  <Checkbox
    label="Also apply to sub-accounts"
    description="Sub-accounts cannot allow other countries. You can make exceptions under Sub-accounts."
    checked={shared}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

interface RiskProps {
  opened: readonly string[] | 'all';
  understood: boolean;
  onChange: (understood: boolean) => void;
}

/** The countries that the change allows, and the confirmation that it needs. */
const Risk = ({ opened, understood, onChange }: RiskProps) => (
  <>
    {opened === 'all' ? (
      <Notice tone="wait">
        Messages will be sent to all countries that are not blocked, at the prices on the Rates page.
      </Notice>
    ) : (
      <Prices countries={opened} />
    )}
    <Checkbox
      label="I understand the risk"
      description={
        'Stolen passwords and keys are often used to send messages to countries with high prices. Your account ' +
        'pays for these messages. The audit log records your confirmation.'
      }
      checked={understood}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </>
);

const Prices = ({ countries }: { countries: readonly string[] }) => (
  <div>
    <p className={styles.hint}>You are about to allow these countries. Prices per segment or message:</p>
    {countries.map((country) => (
      <p key={country} className={styles.hint}>
        {countryName(country)}: <Price country={country} />
      </p>
    ))}
  </div>
);

function Price({ country }: { country: string }) {
  const reason = useReason(listRates);
  const query = useEndpoint(listRates, { query: { filter: { country } } }, { enabled: reason === null });
  if (reason !== null) return 'you do not have permission to view prices';
  if (query.error) return 'the prices could not be loaded';
  if (!query.data) return 'loading prices';
  return priceText(query.data.data);
}

/** The lowest and highest price of each channel. */
export function priceText(rates: readonly Pick<Rate, 'channel' | 'price_micros' | 'currency'>[]): string {
  const parts = CHANNELS.flatMap((channel) => {
    const prices = rates.filter((rate) => rate.channel === channel).sort((a, b) => a.price_micros - b.price_micros);
    const [low, high] = [prices[0], prices.at(-1)];
    if (!low || !high) return [];
    const money = ({ price_micros, currency }: typeof low) => formatMoney(price_micros, currency);
    const range = low.price_micros === high.price_micros ? money(low) : `${money(low)} to ${money(high)}`;
    return [`${CHANNEL_LABELS[channel]} ${range}`];
  });
  return parts.length === 0 ? 'no prices yet, so nothing can be sent there' : parts.join(', ');
}
