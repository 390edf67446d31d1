/** The card form. It runs in a frame, talks to the payment API of its own origin, and reports only the result. */
const field = (id) => document.getElementById(id);

function readCard() {
  const number = field('number').value.replace(/\D/g, '');
  const [month = '', year = ''] = field('expiry').value.split('/');
  return { number, month: Number(month), year: 2000 + Number(year), cvc: field('cvc').value };
}

function findMistake({ number, month, year, cvc }) {
  if (!/^\d{16}$/.test(number)) return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  if (!(month >= 1 && month <= 12) || !(year > 2000))
    return { code: 'incomplete_expiry', message: 'Your card’s expiration date is incomplete.' };
  if (new Date(year, month) < new Date())
    return { code: 'invalid_expiry_year_past', message: 'Your card’s expiration date is in the past.' };
  return /^\d{3,4}$/.test(cvc) ? null : { code: 'incomplete_cvc', message: 'Your card’s security code is incomplete.' };
}

async function post(client_secret, action, fields) {
  const id = client_secret.split('_secret_')[0];
  const kind = id.startsWith('pi_') ? 'payment_intents' : 'setup_intents';
  const response = await fetch(`/v1/${kind}/${id}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_secret, ...fields }),
  });
  const body = await response.json();
  return response.ok ? { intent: body } : { error: body.error };
}

/** Resolves with the customer’s decision. */
function challenge() {
  field('challenge').hidden = false;
  field('complete').focus();
  return new Promise((resolve) => {
    const decide = (result) => {
      field('challenge').hidden = true;
      resolve(result);
    };
    field('complete').onclick = () => decide('succeeded');
    field('fail').onclick = () => decide('failed');
  });
}

async function confirm({ key, client_secret, payment_method }, cover) {
  const card = payment_method ? null : readCard();
  const mistake = card && findMistake(card);
  if (mistake) return { error: { type: 'validation_error', ...mistake } };
  const fields = card
    ? {
        'payment_method_data[card][number]': card.number,
        'payment_method_data[card][exp_month]': String(card.month),
        'payment_method_data[card][exp_year]': String(card.year),
      }
    : { payment_method };
  const confirmed = await post(client_secret, 'confirm', { key, ...fields });
  if (confirmed.intent?.status !== 'requires_action') return confirmed;
  cover(true);
  const result = await challenge();
  cover(false);
  return post(client_secret, 'authenticate', { key, result });
}

addEventListener('message', async ({ data, source, origin }) => {
  if (!data?.confirm) return;
  const reply = (message) => source.postMessage({ id: data.id, ...message }, origin);
  const answer = await confirm(data.confirm, (open) => reply({ challenge: open })).catch(() => ({
    error: { type: 'api_error', message: 'The payment service could not be reached.' },
  }));
  reply({ answer });
});

field('expiry').addEventListener('input', ({ target }) => {
  const digits = target.value.replace(/\D/g, '').slice(0, 4);
  target.value = digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
});
field('card').addEventListener('submit', (event) => event.preventDefault());
const { cards } = await (await fetch('/api/stripe/cards')).json();
field('cards').replaceChildren(
  ...cards.map(({ number, effect }) => {
    const option = document.createElement('option');
    option.value = number;
    option.label = effect;
    return option;
  }),
);
parent.postMessage({ event: 'ready' }, '*');
