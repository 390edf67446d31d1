/** Fixed IDs of the demo's chat connections, because the sandbox needs their callback URLs when it starts. */
export const WHATSAPP_CONNECTION = '0197a5f0-0000-7000-8000-00000000c001';
export const VIBER_CONNECTION = '0197a5f0-0000-7000-8000-00000000c002';
