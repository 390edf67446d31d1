// The frame's host: responds to commands that panels post with a message port, as the CRM does.
const frame = document.querySelector('iframe');
const snackbar = document.querySelector('#snackbar');
const heights = { min: 100, max: 750 };

const commands = {
  initialize: ({ size } = {}) => resize(size),
  resize: (size) => resize(size),
  show_snackbar: ({ message }) => {
    snackbar.textContent = message;
    snackbar.hidden = false;
    setTimeout(() => {
      snackbar.hidden = true;
    }, 4_000);
  },
  get_signed_token: () => fetch(`/pipedrive/panel_token${location.search}`).then((response) => response.json()),
  redirect_to: ({ view, id }) => location.assign(`/pipedrive/${view === 'deals' ? 'deal' : 'person'}/${id}`),
};

function resize(size) {
  if (!size?.height) return;
  const height = Math.min(heights.max, Math.max(heights.min, size.height));
  frame.style.height = `${height}px`;
}

addEventListener('message', (event) => {
  if (event.source !== frame?.contentWindow || event.origin !== new URL(frame.src).origin) return;
  const { payload } = event.data ?? {};
  const [port] = event.ports;
  if (payload?.type !== 'command' || !port) return;
  const run = commands[payload.command];
  if (!run) return port.postMessage({ error: `Unknown command ${payload.command}` });
  Promise.resolve(run(payload.args ?? {})).then((data) => port.postMessage({ data: data ?? {} }));
});
