import { workbenchResultsText } from './text.ts'
/** What a failure means and what to do about it, by its code. */
type FailureText = { readonly title: string; readonly remedy: string }

const TEXTS: Readonly<Record<string, FailureText>> = {
  timeout: {
    title: workbenchResultsText.failureText.timedOut,
    remedy: workbenchResultsText.failureText.theServerWasSentACancellation,
  },
  cancelled: {
    title: workbenchResultsText.failureText.cancelled,
    remedy: workbenchResultsText.failureText.theServerWasSentACancellation2,
  },
  closed: {
    title: workbenchResultsText.failureText.theConnectionEndedBeforeTheAnswer,
    remedy: workbenchResultsText.failureText.reconnectAndRetryTheCallMay,
  },
  transport: {
    title: workbenchResultsText.failureText.theRequestCouldNotBeCarried,
    remedy: workbenchResultsText.failureText.lookAtTheFramesInThe,
  },
  'invalid-answer': {
    title: workbenchResultsText.failureText.theAnswerIsNotOneThat,
    remedy: workbenchResultsText.failureText.itsBytesAreInTheTimeline,
  },
  'input-required': {
    title: workbenchResultsText.failureText.theServerAsksForSomethingThat,
    remedy: workbenchResultsText.failureText.itsQuestionIsInTheTimeline,
  },
  'too-many-rounds': {
    title: workbenchResultsText.failureText.theServerKeepsAsking,
    remedy: workbenchResultsText.failureText.everyRoundIsInTheTimeline,
  },
  'too-many': {
    title: workbenchResultsText.failureText.tooManyRequestsAreWaitingFor,
    remedy: workbenchResultsText.failureText.cancelSomeOfThemOrWait,
  },
  'invalid-params': {
    title: workbenchResultsText.failureText.theParametersAreNoJsonObject,
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
