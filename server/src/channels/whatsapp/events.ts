/**
 * Reads the other events of a messages webhook: changed numbers, errors of the connection, and messages that the
 * business sent from its phone app.
 */
import type { Notice } from '../channel.ts';
import { fromSeconds, type Json, maskNumbers, toList, toObject, toText } from '../wire_json.ts';
import { describeMessage, readContent } from './person.ts';

export const readEvents = (value: Json): Notice[] => [...readErrors(value), ...readMoves(value), ...readEchoes(value)];

const phoneId = (value: Json): string => toText(toObject(value.metadata).phone_number_id, 100);

/** Errors that are not about a message, such as a webhook that WhatsApp could not complete. */
const readErrors = (value: Json): Notice[] =>
  toList(value.errors)
    .map(toObject)
    .map(({ code, title, message, error_data }) => ({
      kind: 'error',
      code: toText(code, 20),
      text: maskNumbers(toText(toObject(error_data).details) || toText(message) || toText(title)),
    }));

/** A conversation continues when the person's number changes. Older versions name the field `new_wa_id`. */
const readMoves = (value: Json): Notice[] =>
  toList(value.messages)
    .map(toObject)
    .filter(({ type, system }) => type === 'system' && toObject(system).type === 'user_changed_number')
    .flatMap(({ id, from, system, timestamp }): Notice[] => {
      const { customer, wa_id, new_wa_id } = toObject(system);
      const [before, after] = [toText(from, 20) || toText(customer, 20), toText(wa_id, 20) || toText(new_wa_id, 20)];
      const at = fromSeconds(timestamp);
      if (![before, after].every((number) => /^\d{5,20}$/.test(number)) || before === after) return [];
      const address = phoneId(value);
      return [
        { kind: 'number', address, external_id: toText(id, 300), before, after, ...(at === undefined ? {} : { at }) },
      ];
    });

const readEchoes = (value: Json): Notice[] =>
  toList(value.message_echoes)
    .map(toObject)
    .flatMap((message): Notice[] => {
      const external_id = toText(message.id, 300);
      const to = [message.to, message.to_user_id].map((item) => toText(item, 200)).find((item) => item !== '');
      const written = describeMessage(message);
      if (external_id === '' || to === undefined || !written) return [];
      const at = fromSeconds(message.timestamp);
      const content = readContent(message, written);
      const { text, amends } = written;
      return [
        {
          ...{ kind: 'echo', address: phoneId(value), to, external_id, text },
          ...(at === undefined ? {} : { at }),
          ...(content ? { content } : {}),
          ...(amends ? { amends } : {}),
        },
      ];
    });
