import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { createRoute, type Route, removeRoute, updateRoute } from '@parley/contract/admin/admin.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { listConnections } from '@parley/contract/connections/connections.ts';
import { useMemo } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import type { CallInput } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryOptions } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import type { AnyForm } from './FormGroup.tsx';
import { fromMicros, routeNumbers, toMicros } from './route_numbers.ts';

const FORM = 'route-form';

interface RoutePanelProps {
  open: boolean;
  /** Null to add a route. */
  route: Route | null;
  /** The connection of a new route. */
  connection_id?: string;
  onClose: () => void;
  onRemove: (route: Route) => void;
}

export function RoutePanel({ open, route, connection_id = '', onClose, onRemove }: RoutePanelProps) {
  const endpoint = route ? updateRoute : createRoute;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={route ? routeNumbers(route) : 'Add route'}
      description={route ? `Via ${route.connection_name}` : 'Applies to messages accepted from now on.'}
      actions={
        open && (
          <>
            {route && (
              <Allow needs={removeRoute.needs}>
                <Button variant="subtle" color="red" onClick={() => onRemove(route)}>
                  Remove route
                </Button>
              </Allow>
            )}
            <Allow needs={endpoint.needs}>
              <Button type="submit" form={FORM}>
                {route ? 'Save route' : 'Add route'}
              </Button>
            </Allow>
          </>
        )
      }
    >
      {open && <RouteForm key={route?.id ?? 'new'} route={route} connection_id={connection_id} onDone={onClose} />}
    </SidePanel>
  );
}

const LABELS = { connection_id: 'Connection' };

/** An empty prefix matches any number in the country. */
const toBody = <V extends { prefix: string; mccmnc: string; percentage: number | string; cost: number | string }>({
  cost,
  ...values
}: V) => ({
  ...values,
  cost_micros: toMicros(cost),
  prefix: values.prefix.trim() || null,
  mccmnc: values.mccmnc.trim() || null,
  percentage: values.percentage === '' ? null : Number(values.percentage),
});

interface RouteFormProps {
  route: Route | null;
  connection_id: string;
  onDone: () => void;
}

function RouteForm({ route, connection_id, onDone }: RouteFormProps) {
  const endpoint = route ? updateRoute : createRoute;
  const editReason = useReason(endpoint.needs);
  const connections = useEndpoint(listConnections, { query: { page_size: 100, filter: { channel: PHONE_CHANNEL } } });
  const countries = useMemo(countryOptions, []);
  const { form, bind, problem } = useContractForm(endpoint as typeof updateRoute, {
    initial: {
      connection_id: route?.connection_id ?? connection_id,
      country: route?.country ?? (null as string | null),
      prefix: route?.prefix ?? '',
      mccmnc: route?.mccmnc ?? '',
      priority: route?.priority ?? 10,
      percentage: route?.percentage ?? ('' as number | string),
      cost: fromMicros(route?.cost_micros ?? null),
      cost_currency: route?.cost_currency ?? (null as (typeof CURRENCIES)[number] | null),
      enabled: route?.enabled ?? true,
    },
    body: toBody,
    input: (values) =>
      ({ ...(route ? { params: { id: route.id } } : {}), body: toBody(values) }) as CallInput<typeof updateRoute>,
    labels: LABELS,
    onDone: () => {
      toast.success(route ? 'The route was saved' : 'The route was added');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <fieldset disabled={editReason !== null} style={{ display: 'contents' }}>
        <Field
          form={form}
          name="connection_id"
          as={Select}
          label="Connection"
          placeholder="Select a connection"
          data={(connections.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
        />
        <Field
          form={form}
          name="country"
          as={SearchSelect}
          label="Country"
          description="Leave the country and prefix empty to match all numbers."
          placeholder="Any country"
          data={countries}
          clearable
          clearButtonProps={{ 'aria-label': 'Any country' }}
        />
        <Field
          form={form}
          name="prefix"
          as={TextInput}
          label="Prefix"
          description="Leading digits, including the country code but not +. Takes precedence over routes by country."
          inputMode="numeric"
          maxLength={12}
        />
        <OrderFields form={form} />
        <Field form={form} name="enabled" as={Switch} type="checkbox" label="Enabled" />
      </fieldset>
    </Form>
  );
}

/** The network, and the place among routes with the same numbers. */
function OrderFields({ form }: { form: AnyForm }) {
  return (
    <>
      <Field
        form={form}
        name="mccmnc"
        as={TextInput}
        label="Network"
        description="The country code and the network code, such as 26201. Applies to its prefixes."
        inputMode="numeric"
        maxLength={6}
      />
      <Field
        form={form}
        name="priority"
        as={NumberInput}
        label="Priority"
        description="Lower numbers come first. The next route is used while the first is down or in poor health."
        min={1}
        max={1_000}
        allowDecimal={false}
      />
      <Field
        form={form}
        name="percentage"
        as={NumberInput}
        label="Share"
        description="Routes for the same numbers with the same priority share messages by percentage."
        suffix="%"
        min={1}
        max={100}
        allowDecimal={false}
      />
      <Field
        form={form}
        name="cost_currency"
        as={Select}
        label="Cost currency"
        description="Margins include the cost for accounts with this currency."
        placeholder="Unknown"
        data={[...CURRENCIES]}
        clearable
        clearButtonProps={{ 'aria-label': 'Unknown currency' }}
      />
      <Field
        form={form}
        name="cost"
        as={NumberInput}
        label="Cost"
        description="What the carrier charges per segment, such as 0.0075. Without shares, the cheapest route wins."
        min={0}
        max={1_000}
        decimalScale={6}
      />
    </>
  );
}
