import { workbenchResultsText } from './text.ts'
/** What a failure means and what to do about it, by its code. */
type FailureText = { readonly title: string; readonly remedy: string }

const TEXTS: Readonly<Record<string, FailureText>> = {
  timeout: {
    title: workbenchResultsText.failureText.timedOut,
    remedy: workbenchResultsText.failureText.aCancellationWasSentTheTimeline,
  },
  cancelled: {
    title: workbenchResultsText.failureText.cancelled,
    remedy: workbenchResultsText.failureText.aCancellationWasSent,
  },
  closed: {
    title: workbenchResultsText.failureText.connectionClosedBeforeTheResponse,
    remedy: workbenchResultsText.failureText.reconnectAndRetryTheCallMay,
  },
  transport: {
    title: workbenchResultsText.failureText.transportError,
    remedy: workbenchResultsText.failureText.theTimelineHasStatusHeadersAnd,
  },
  'invalid-answer': {
    title: workbenchResultsText.failureText.invalidResponseForThisRevision,
    remedy: workbenchResultsText.failureText.theTimelineHasItsBytesThe,
  },
  'input-required': {
    title: workbenchResultsText.failureText.theServerRequestsAnUnsupportedMethod,
    remedy: workbenchResultsText.failureText.theTimelineHasItsRequest,
  },
  'too-many-rounds': {
    title: workbenchResultsText.failureText.tooManyRoundsOfInputRequests,
    remedy: workbenchResultsText.failureText.theRequestWasAbandonedTheTimeline,
  },
  'too-many': {
    title: workbenchResultsText.failureText.tooManyRequestsInFlight,
    remedy: workbenchResultsText.failureText.cancelSomeOfThemOrWait,
  },
  'invalid-params': {
    title: workbenchResultsText.failureText.theParametersAreNotAJson,
    remedy: workbenchResultsText.failureText.correctThemInTheJsonAnd,
  },
  NOT_CONNECTED: {
    title: workbenchResultsText.failureText.theServerIsNotConnected,
    remedy: workbenchResultsText.failureText.connectItAndSendAgainNothing,
  },
}

/** The title and the remedy for the code of a failure. */
export function failureText(code: string): FailureText {
  return (
    TEXTS[code] ?? {
      title: workbenchResultsText.failureText.theRequestFailed,
      remedy: workbenchResultsText.failureText.theTimelineShowsWhatWasSent,
    }
  )
}
