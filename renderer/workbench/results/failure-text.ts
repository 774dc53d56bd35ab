/** What a failure means and what to do about it, by its code. */
type FailureText = { readonly title: string; readonly remedy: string }

const TEXTS: Readonly<Record<string, FailureText>> = {
  timeout: {
    title: 'Timed out',
    remedy: 'The server was sent a cancellation. The timeline shows what it sent until then.',
  },
  cancelled: { title: 'Cancelled', remedy: 'The server was sent a cancellation.' },
  closed: {
    title: 'The connection ended before the answer came',
    remedy: 'Reconnect and retry. The call may or may not have run.',
  },
  transport: {
    title: 'The request could not be carried',
    remedy:
      'Look at the frames in the timeline: the status, the headers and the body of the exchange are there.',
  },
  'invalid-answer': {
    title: 'The answer is not one that the revision knows',
    remedy: 'Its bytes are in the timeline. This is a fault of the server.',
  },
  'input-required': {
    title: 'The server asks for something that Patchbay does not answer yet',
    remedy: 'Its question is in the timeline.',
  },
  'too-many-rounds': {
    title: 'The server keeps asking',
    remedy: 'Every round is in the timeline. The request was given up.',
  },
  'too-many': {
    title: 'Too many requests are waiting for answers',
    remedy: 'Cancel some of them, or wait until they are answered.',
  },
  'invalid-params': {
    title: 'The parameters are no JSON object',
    remedy: 'Correct them in the JSON and send again.',
  },
  NOT_CONNECTED: {
    title: 'The server is not connected',
    remedy: 'Connect it and send again; nothing was sent.',
  },
}

/** The title and the remedy for the code of a failure. */
export function failureText(code: string): FailureText {
  return (
    TEXTS[code] ?? { title: 'The request failed', remedy: 'The timeline shows what was sent and what came.' }
  )
}
