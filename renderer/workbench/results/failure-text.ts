import { workbenchResultsText } from './text.ts'
/** What a failure means and what to do about it, by its code. */
type FailureText = { readonly title: string; readonly remedy: string }

const TEXTS: Readonly<Record<string, FailureText>> = {
  timeout: {
    title: workbenchResultsText.failureText.timedOut,
    remedy: workbenchResultsText.failureText.cancelledDetail,
  },
  cancelled: {
    title: workbenchResultsText.failureText.cancelled,
    remedy: workbenchResultsText.failureText.aCancellationWasSent,
  },
  closed: {
    title: workbenchResultsText.failureText.connectionClosed,
    remedy: workbenchResultsText.failureText.connectionClosedRemedy,
  },
  transport: {
    title: workbenchResultsText.failureText.transportError,
    remedy: workbenchResultsText.failureText.httpErrorRemedy,
  },
  'invalid-answer': {
    title: workbenchResultsText.failureText.invalidResponse,
    remedy: workbenchResultsText.failureText.invalidResponseRemedy,
  },
  'input-required': {
    title: workbenchResultsText.failureText.unsupportedMethod,
    remedy: workbenchResultsText.failureText.unsupportedMethodRemedy,
  },
  'too-many-rounds': {
    title: workbenchResultsText.failureText.tooManyRounds,
    remedy: workbenchResultsText.failureText.tooManyRoundsRemedy,
  },
  'too-many': {
    title: workbenchResultsText.failureText.tooManyRequests,
    remedy: workbenchResultsText.failureText.tooManyRequestsRemedy,
  },
  'invalid-params': {
    title: workbenchResultsText.failureText.invalidParameters,
    remedy: workbenchResultsText.failureText.invalidParametersRemedy,
  },
  NOT_CONNECTED: {
    title: workbenchResultsText.failureText.notConnected,
    remedy: workbenchResultsText.failureText.notConnectedRemedy,
  },
}

/** The title and the remedy for the code of a failure. */
export function failureText(code: string): FailureText {
  return (
    TEXTS[code] ?? {
      title: workbenchResultsText.failureText.theRequestFailed,
      remedy: workbenchResultsText.failureText.timelineNote,
    }
  )
}
