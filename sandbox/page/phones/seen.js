/**
 * The last message seen in this browser on each phone. On a phone that was never opened, messages from before the first
 * visit count as seen.
 */

const key = 'sandbox-seen';
const maxPhones = 500;
const stored = JSON.parse(localStorage.getItem(key) ?? 'null') ?? { since: Date.now(), phones: {} };
save();

function save() {
  const phones = Object.entries(stored.phones);
  if (phones.length > maxPhones) stored.phones = Object.fromEntries(phones.slice(-maxPhones));
  localStorage.setItem(key, JSON.stringify(stored));
}

export function markSeen(digits, message) {
  if (!message) return;
  delete stored.phones[digits];
  stored.phones[digits] = message.id;
  save();
}

export function isUnseen(digits, message) {
  if (!message || message.direction === 'from_phone' || !['delivered', 'read'].includes(message.status)) {
    return false;
  }
  const seen = stored.phones[digits];
  return seen === undefined ? Date.parse(message.time) > stored.since : Number(message.id) > Number(seen);
}
