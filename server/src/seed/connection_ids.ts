/** The demo's connections to chat apps: known before they exist, since the sandbox is told where they call back when it starts. */
export const WHATSAPP_CONNECTION = '0197a5f0-0000-7000-8000-00000000c001';
export const VIBER_CONNECTION = '0197a5f0-0000-7000-8000-00000000c002';
