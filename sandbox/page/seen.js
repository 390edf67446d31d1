// Which messages have been looked at in this browser: the last one per phone, and, for phones never opened, what was there
// when the page was first opened.

const key = 'sandbox-seen';
const most = 500;
const stored = JSON.parse(localStorage.getItem(key) ?? 'null') ?? { since: Date.now(), phones: {} };
save();

function save() {
  const phones = Object.entries(stored.phones);
  if (phones.length > most) stored.phones = Object.fromEntries(phones.slice(-most));
  localStorage.setItem(key, JSON.stringify(stored));
}

export function markSeen(digits, message) {
  if (!message) return;
  delete stored.phones[digits];
  stored.phones[digits] = message.id;
  save();
}

export function unseen(digits, message) {
  if (!message || message.direction === 'from_phone' || !['delivered', 'read'].includes(message.status)) {
    return false;
  }
  const seen = stored.phones[digits];
  return seen === undefined ? Date.parse(message.time) > stored.since : Number(message.id) > Number(seen);
}
