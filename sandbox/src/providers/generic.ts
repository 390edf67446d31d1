/** A simple provider, for connections that are described by templates. */
import { bearer, json, type Refusal, SANDBOX_SECRET, type SmsProvider, text } from './provider.ts';

const STATUSES: Readonly<Record<Refusal, number>> = {
  ...{ credentials: 401, invalid: 400, number: 422, sender: 422, throttled: 429, busy: 503, rejected: 422 },
};

export const generic: SmsProvider = {
  name: 'generic',
  base: '/generic/send',
  path: '/generic/send',
  settings: { authorization: `Bearer ${SANDBOX_SECRET}`, callback_secret: SANDBOX_SECRET },
  isAllowed: (headers) => bearer(headers) === SANDBOX_SECRET,
  read: (fields) => ({
    from: text(fields.from),
    to: text(fields.to),
    text: text(fields.text),
    callback_url: text(fields.callback),
    reference: '',
  }),
  accept: (id) => ({ status: 200, body: { id } }),
  refuse: (refusal) => ({ status: STATUSES[refusal], body: { error: `The message was refused: ${refusal}` } }),
  receipt: ({ id, to, from, state }) => json({ id, to, from, status: state }),
  inbound: ({ id, from, to, text: body }) => json({ id, from, to, text: body }),
};
