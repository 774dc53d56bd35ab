import { useState } from 'react'
import { showFailure } from './toast.tsx'
import { useStillShown } from './use-still-shown.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

interface Submission {
  /** Why what was submitted was not taken. */
  readonly problem: string | undefined
  readonly setProblem: (problem: string | undefined) => void
  readonly isBusy: boolean
  /** Runs an action, one at a time, and then what follows from it. */
  readonly submit: <Result>(action: () => Promise<Result>, then: (result: Result) => void) => void
}

/**
 * Submits a form. It may be closed, and another one open, when the action ends: then nothing
 * follows from it, and a failure is shown by a notice.
 *
 * @param failure what a failure means, for that notice
 */
export function useSubmission(failure: string): Submission {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const isOpen = useStillShown()

  const run = async <Result>(
    action: () => Promise<Result>,
    then: (result: Result) => void,
  ): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const result = await action()
      if (isOpen()) then(result)
    } catch (error) {
      if (isOpen()) setProblem(messageOf(error))
      else showFailure(failure, error)
    } finally {
      setBusy(false)
    }
  }

  return {
    problem,
    setProblem,
    isBusy,
    submit: (action, then) => {
      if (!isBusy) void run(action, then)
    },
  }
}
