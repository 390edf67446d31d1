/**
 * Registrations of purchased numbers: rejected, corrected, and approved. These tests submit the form through the API;
 * senders.spec.ts uses the wizard.
 */
import { OPERATOR, OWNER } from './api.ts';
import { png } from './png.ts';
import { expect, type Page, test } from './test.ts';

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const step = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();

/** A valid registration form. */
const FORM = {
  company: {
    business_name: 'Harbour Coffee Ltd',
    entity_type: 'private_profit',
    registration_number: 'HRB 12345',
    business_industry: 7,
    business_description: 'Coffee roasters with nine shops',
    business_country: 'DE',
    business_address: 'Am Kai 4, 20457 Hamburg',
    business_website: 'https://harbour.example',
    business_email: 'hello@harbour.example',
    business_phone: '+49 40 1234567',
    contact_name: 'Dana Quill',
  },
  tcr: { tax_id: '12-3456789', tax_country: 'US', privacy_policy_url: '', terms_url: '' },
  sms_campaign: {
    use_case: 'delivery_notification',
    description: 'Customers who order beans get two messages per order: when it ships and when it arrives.',
    monthly_volume: '1000_10000',
  },
  signup_options: {
    methods: ['web_form'],
    web_form_url: 'https://harbour.example/checkout',
    keyword_url: '',
    description: 'At checkout, customers check a box: "I agree to get text messages about my order."',
  },
  example_messages: {
    messages: [
      'Harbour Coffee: your order 1204 has left our roastery. Reply STOP to end.',
      'Harbour Coffee: your parcel was delivered. Enjoy your beans.',
    ],
  },
  compliance_keyword_responses: {
    start_text: 'Harbour Coffee: you will get order updates again.',
    stop_text: 'You are unsubscribed and will get no more messages.',
    help_text: 'Harbour Coffee: write to hello@harbour.example. Reply STOP to end.',
  },
  toll_free: { notification_email: 'hello@harbour.example', additional_information: '' },
} as const;
const REGISTRATIONS = [
  { kind: 'toll_free', title: 'a toll-free verification', word: 'Toll-free', type: 'toll_free', also: ['Toll-free'] },
  { kind: 'tcr', title: 'a 10DLC registration', word: '10DLC', type: 'local', also: [] },
] as const;

for (const { kind, title, word, type, also } of REGISTRATIONS)
  test(`${title} is rejected, corrected, resubmitted, and approved using only the keyboard`, async ({
    openAs,
    api,
    at,
  }) => {
    test.setTimeout(150_000);
    const owner = await api(OWNER);
    const [free] = await owner.get<{ number: string }[]>(`numbers?filter[country]=US&filter[type]=${type}`);
    const code = free!.number;
    const { id } = await owner.post<{ id: string }>('senders', { type, code });
    for (const [section, values] of Object.entries(FORM))
      if (section === kind || (section !== 'tcr' && section !== 'toll_free'))
        await owner.put(`senders/${id}/${section}`, values);
    if (kind === 'toll_free') {
      const form = new FormData();
      form.append('kind', 'opt_in_image');
      form.append('file', new Blob([new Uint8Array(png(40, 40))], { type: 'image/png' }), 'checkout.png');
      const headers = { authorization: `Bearer ${owner.token}` };
      const response = await fetch(`${at.app}/v1/senders/${id}/required_attachments`, {
        method: 'PUT',
        headers,
        body: form,
      });
      expect(response.status).toBe(200);
    }
    await owner.post(`senders/${id}/requests`, {});

    const desk = await openAs(OPERATOR, { host: 'admin', path: '/requests', reducedMotion: 'reduce' });
    const row = desk.getByRole('row', { name: new RegExp(code) });
    const decision = desk.getByRole('complementary');
    await expect(row).toContainText(word);
    await row.click();
    await expect(
      decision.getByText('You are unsubscribed and will get no more messages.', { exact: true }),
    ).toBeVisible();
    await desk.keyboard.press('r');
    await decision.getByRole('combobox', { name: 'Reasons' }).click();
    await desk.getByRole('option', { name: /^The reply to STOP must confirm/ }).click();
    // Closes the list of reasons, which covers the next field.
    await desk.keyboard.press('Tab');
    await decision.getByLabel('In your own words').click();
    await desk.keyboard.press('ControlOrMeta+Enter');
    await expect(desk.getByText(`${code} was rejected`)).toBeVisible();

    const page = await openAs(OWNER, { path: `/senders?open=${id}`, reducedMotion: 'reduce' });
    const panel = page.getByRole('complementary');
    await panel.getByRole('link', { name: 'Edit and resubmit' }).click();
    await step(page, 'Review');
    await page.getByRole('button', { name: 'Keywords' }).click();
    await step(page, 'Keywords');
    await expect(page.getByText('The reply to STOP must confirm', { exact: false })).toBeVisible();
    await page.getByLabel('Reply to STOP').fill('Harbour Coffee: you are unsubscribed and will get no more messages.');
    for (const name of [...also, 'Documents', 'Review']) {
      await next(page);
      await step(page, name);
    }
    await page.getByRole('button', { name: 'Resubmit' }).click();
    await expect(panel.getByText('Pending')).toBeVisible();

    await desk.goto('/requests');
    await row.click();
    await expect(decision.getByText('Harbour Coffee: you are unsubscribed', { exact: false })).toBeVisible();
    await desk.keyboard.press('a');
    await expect(decision.getByRole('button', { name: 'Approve request' })).toBeFocused();
    await desk.keyboard.press('ControlOrMeta+Enter');
    await expect(desk.getByText(`${code} was approved`)).toBeVisible();
    await expect(panel.getByText('Available').first()).toBeVisible();
  });
