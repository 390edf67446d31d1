import { ActionIcon, Button } from '@mantine/core';
import type { Customer } from '@parley/contract/admin/customers.ts';
import { createPrice, type ListPrice, listPrices, removePrice, updatePrice } from '@parley/contract/admin/prices.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { Money } from '../../ui/data/Money.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { PricePanel } from '../price_list/PricePanel.tsx';
import { priceName } from '../price_list/price_words.ts';
import { Box } from './Box.tsx';

const ADD = 'add-price';
const MAX_SHOWN = 100;

/** An account's custom prices, which take precedence over the price list. */
export function PricesBox({ customer }: { customer: Customer }) {
  const panel = usePanel();
  const enabled = useReason(listPrices.needs) === null;
  const query = { page_size: MAX_SHOWN, filter: { account_id: customer.id } } as const;
  const prices = useEndpoint(listPrices, { query }, { enabled }).data?.data ?? [];
  const edited = prices.find(({ id }) => id === panel.id) ?? null;
  const reason = customer.closed ? 'The account is closed.' : null;
  return (
    <Box
      title="Custom prices"
      action={
        <Allow needs={createPrice.needs} reason={reason}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => panel.open(ADD)}
          >
            Add price
          </Button>
        </Allow>
      }
    >
      {prices.length === 0 ? (
        <p className={styles.hint}>The account pays the list prices.</p>
      ) : (
        <Fields
          fields={prices.map((price) => ({
            label: priceName(price),
            value: <PriceLine price={price} onEdit={() => panel.open(price.id)} />,
          }))}
        />
      )}
      <PricePanel
        open={panel.id === ADD || edited !== null}
        price={edited}
        account_id={customer.id}
        onClose={panel.close}
      />
    </Box>
  );
}

function PriceLine({ price, onEdit }: { price: ListPrice; onEdit: () => void }) {
  const remove = useAction(removePrice, { onSuccess: () => toast.success('The price was removed') });
  const start = async () => {
    const confirmed = await confirm({
      title: `Remove the custom price for ${priceName(price)}?`,
      consequence: 'New messages from this account cost the list price.',
      action: 'Remove price',
    });
    if (confirmed) remove.mutate({ params: { id: price.id } });
  };
  return (
    <span className={styles.binds}>
      <Money micros={price.price_micros} currency={price.currency} exact />
      <Allow needs={updatePrice.needs}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Edit ${priceName(price)}`} onClick={onEdit}>
          <IconPencil size={14} aria-hidden />
        </ActionIcon>
      </Allow>
      <Allow needs={removePrice.needs}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Remove ${priceName(price)}`}
          loading={remove.isPending}
          onClick={() => void start()}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </Allow>
    </span>
  );
}
