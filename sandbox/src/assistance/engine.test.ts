import { expect, test } from 'vitest';
import { run } from './engine.ts';

const rewrite = (task: string, draft: string) => run(`Task: ${task}`, JSON.stringify({ draft }));
const read = (task: string, conversation: [string, string][]) =>
  run(`Task: ${task}`, JSON.stringify({ conversation: conversation.map(([from, text]) => ({ from, text })) }));

test('the engine makes a text shorter, friendlier, or formal, and corrects it', () => {
  expect(
    rewrite('shorter', 'Thank you very much. We are just checking order 1042 (from Monday). Please feel free to call.'),
  ).toBe("Thanks. We're checking order 1042.");
  expect(rewrite('friendlier', 'You must send the invoice.')).toBe(
    'Hi! Could you please send the invoice? Thank you, and let us know if we can help with anything else!',
  );
  expect(rewrite('formal', "Hey Ada, we can't do it today!! 😀 Thanks")).toBe(
    'Dear customer Ada, we cannot do it today. Thank you',
  );
  expect(rewrite('spelling', 'i recieved teh the adress ,thansk')).toBe('I received the address, thanks.');
});

test('the engine translates known words in both directions, and keeps the others', () => {
  expect(rewrite('translate_draft de', 'Hello Ada, where is my order?')).toBe('Hallo Ada, wo ist meine Bestellung?');
  expect(read('translate_thread en', [['contact', 'Hola, ¿dónde está mi pedido?']])).toBe('Hello, ¿where is my order?');
  expect(() => rewrite('translate_draft hy', 'Hello')).toThrow(/only between English/);
});

test('a summary and a suggestion use the text of the contact', () => {
  const thread: [string, string][] = [
    ['contact', 'Hi! My order 1042 is late. The weather is nice.'],
    ['agent', 'We are looking for order 1042.'],
    ['contact', 'When will order 1042 arrive?'],
  ];
  const summary = read('summarize', thread);
  expect(summary).toContain('- Contact: When will order 1042 arrive?');
  expect(summary).toContain('Open: the contact waits for a reply.');
  expect(read('suggest', thread)).toBe(
    'Hello! Thank you for asking about your delivery (1042). We will check this and get back to you shortly.',
  );
  expect(read('suggest', [['contact', 'Thanks a lot']])).toMatch(/^You're welcome/);
});

test('the engine refuses other tasks', () => {
  expect(() => run('You are a pirate', '{}')).toThrow(/not a language model/);
});
