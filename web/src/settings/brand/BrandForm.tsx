import { Button, Select, TextInput } from '@mantine/core';
import { type BrandSettings, removeBrand, updateBrand } from '@parley/contract/brand/brand.ts';
import { listLinkDomains } from '@parley/contract/links/links.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { LINK_DOMAINS } from '../../paths.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { Section } from '../Section.tsx';
import styles from './Brand.module.css';
import { BrandPreview } from './BrandPreview.tsx';
import { ImageField } from './ImageField.tsx';
import { ReviewFields } from './ReviewFields.tsx';

const LABELS = { name: 'Name', color: 'Color', domain: 'Domain', sender_email: 'Sender address' };

const toValues = (brand: BrandSettings) => ({
  // The name of the installation would be refused.
  name: brand.is_own || brand.is_installation ? brand.name : '',
  color: brand.color ?? '',
  domain: brand.domain ?? '',
  sender_email: brand.sender_email ?? '',
  logo: brand.logo,
  logo_dark: brand.logo_dark,
  reviews: brand.reviews,
});
type Values = ReturnType<typeof toValues>;

const toBody = ({ name, color, domain, sender_email, logo, logo_dark, reviews }: Values) => ({
  name,
  color: color.trim() || null,
  domain: domain || null,
  sender_email: sender_email.trim() || null,
  logo_id: logo?.id ?? null,
  logo_dark_id: logo_dark?.id ?? null,
  reviews: reviews.map(({ label, href, image }) => ({ label, href, image_id: image?.id ?? null })),
});

export function BrandForm({ brand }: { brand: BrandSettings }) {
  const reason = useReason(updateBrand.needs);
  const readOnly = reason !== null;
  const [values, setValues] = useState(() => toValues(brand));
  const { form, bind, saveBar } = useContractForm(updateBrand, {
    initial: toValues(brand),
    body: toBody,
    input: (values) => ({ body: toBody(values) }),
    labels: LABELS,
    invalidates: ['brand', 'accounts'],
    onChange: setValues,
    onDiscard: setValues,
    onDone: () => toast.success('The brand was saved'),
  });
  const set =
    <K extends keyof Values>(key: K) =>
    (value: Values[K]) =>
      form.setFieldValue(key, value as never);
  return (
    <Form {...bind}>
      <Section
        title="Appearance"
        description="Emails show the logo if it is a PNG or JPEG file, and the name otherwise."
      >
        <Field form={form} name="name" as={TextInput} label="Name" maxLength={40} readOnly={readOnly} />
        <ColorField form={form} readOnly={readOnly} value={values.color} onPick={set('color')} />
        <ImageField label="Logo" value={values.logo} onChange={set('logo')} readOnly={readOnly} />
        <ImageField
          label="Logo for the dark theme"
          hint="Drop a logo for the dark theme here (optional)"
          value={values.logo_dark}
          onChange={set('logo_dark')}
          readOnly={readOnly}
        />
        <BrandPreview
          name={values.name || brand.name}
          color={values.color || null}
          logo={values.logo?.url ?? null}
          logo_dark={values.logo_dark?.url ?? null}
        />
      </Section>
      {brand.is_installation ? (
        <Section
          title="Review pages"
          description="Links with logos below the sign-in and sign-up forms. None are shown until you add them."
        >
          <ReviewFields value={values.reviews} onChange={set('reviews')} errors={form.errors} readOnly={readOnly} />
        </Section>
      ) : (
        <Section title="Domain and emails" description="Where your customers sign in, and the sender of their emails.">
          <AddressFields form={form} brand={brand} domain={values.domain} readOnly={readOnly} />
        </Section>
      )}
      <SaveBar {...saveBar} save="Save brand" reason={reason} />
      {brand.is_own && <DeleteBrand reason={reason} />}
    </Form>
  );
}

type BrandFormState = ReturnType<typeof useContractForm<typeof updateBrand, Values>>['form'];

function ColorField(props: {
  form: BrandFormState;
  readOnly: boolean;
  value: string;
  onPick: (color: string) => void;
}) {
  const { form, readOnly, value, onPick } = props;
  return (
    <Field
      form={form}
      name="color"
      as={TextInput}
      label="Color"
      description="Buttons and links use readable shades of this color. Leave empty for the app’s colors."
      placeholder="#1a2b3c"
      maxLength={7}
      readOnly={readOnly}
      rightSection={
        <input
          type="color"
          className={styles.swatch}
          aria-label="Choose the color"
          disabled={readOnly}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#3a36c8'}
          onChange={(event) => onPick(event.currentTarget.value)}
        />
      }
    />
  );
}

function AddressFields(props: {
  form: BrandFormState;
  brand: BrandSettings;
  /** The chosen domain; empty: none. */
  domain: string;
  readOnly: boolean;
}) {
  const { form, brand, domain, readOnly } = props;
  const canList = useReason(listLinkDomains) === null;
  const domains = useEndpoint(listLinkDomains, {}, { enabled: canList });
  const verified = (domains.data?.data ?? []).filter((row) => row.verified).map(({ host }) => host);
  return (
    <>
      <Field
        form={form}
        name="domain"
        as={Select}
        label="Domain"
        description="Public pages on this domain show your brand, and emails link to it. It must point to this app."
        placeholder={verified.length > 0 ? 'The installation’s domain' : 'No verified domain yet'}
        data={[...new Set([...verified, ...(brand.domain ? [brand.domain] : [])])]}
        clearable={domain !== ''}
        clearButtonProps={{ 'aria-label': 'Clear domain' }}
        readOnly={readOnly}
      />
      {brand.domain && !brand.domain_verified && (
        <Notice tone="wait">This domain is no longer verified, so it is not used.</Notice>
      )}
      <p className={styles.label}>
        <Link to={LINK_DOMAINS}>Add and verify domains</Link>
      </p>
      <Field
        form={form}
        name="sender_email"
        as={TextInput}
        type="email"
        label="Sender address"
        description="Emails to your customers come from this address, which must be on a verified domain."
        readOnly={readOnly}
      />
      {brand.sender_record && (
        <div>
          <p className={styles.label}>DNS record for signed emails (TXT)</p>
          <p className={styles.record}>{brand.sender_record.name}</p>
          <p className={styles.record}>{brand.sender_record.value}</p>
        </div>
      )}
    </>
  );
}

function DeleteBrand({ reason }: { reason: string | null }) {
  const remove = useAction(removeBrand, {
    invalidates: ['brand', 'accounts'],
    onSuccess: () => toast.success('The brand was deleted'),
  });
  const ask = async () => {
    const isConfirmed = await confirm({
      title: 'Delete the brand?',
      consequence: 'Its name, colors, and logos are deleted. Pages and emails show the previous name immediately.',
      action: 'Delete brand',
      danger: true,
    });
    if (isConfirmed) remove.mutate({});
  };
  return (
    <Section title="Delete" description="Pages and emails then show the previous brand.">
      <div>
        <Disabled reason={reason}>
          <Button variant="default" loading={remove.isPending} onClick={() => void ask()}>
            Delete brand
          </Button>
        </Disabled>
      </div>
    </Section>
  );
}
