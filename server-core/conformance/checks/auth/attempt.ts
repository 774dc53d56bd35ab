import type { ClientExam, StepEnding } from '../../exam/client-exam.ts'
import type { Authorized, ExamAuthority } from '../../exam/exam-authority.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'

/** One authorization of a client that starts without a token. */
export type Attempt = {
  readonly ending: StepEnding
  readonly exchanges: readonly ExamHttp[]
  readonly authorizations: readonly Authorized[]
  readonly registrations: readonly Record<string, unknown>[]
  readonly tokenRequests: readonly URLSearchParams[]
  /** The well-known paths that were asked for, in order. */
  readonly metadataPaths: readonly string[]
}

/** A client whose user waits for nothing has given up by then. */
const GIVES_UP_MS = 8_000

/** Lets the client connect from the beginning, and returns what it did. */
export async function attempt(
  exam: ClientExam,
  authority: ExamAuthority,
  work: () => Promise<StepEnding> = () => exam.ending(exam.run(), GIVES_UP_MS),
): Promise<Attempt> {
  const from = exam.exchanges.length
  const authorized = authority.authorizations.length
  const registered = authority.registrations.length
  const asked = authority.tokenRequests.length
  authority.tokens.clear()
  const ending = await work()
  await exam.endClient()
  const exchanges = exam.exchanges.slice(from)
  if (exchanges.length === 0) return exam.inconclusive('the client never connected')
  return {
    ending,
    exchanges,
    authorizations: authority.authorizations.slice(authorized),
    registrations: authority.registrations.slice(registered),
    tokenRequests: authority.tokenRequests.slice(asked),
    metadataPaths: exchanges
      .map(({ path }) => path.split('?')[0] ?? '')
      .filter((path) => path.includes('/.well-known/')),
  }
}

/** The last frame of an attempt, for findings about what did not come. */
export function lastFrame({ exchanges }: Attempt) {
  return exchanges.at(-1)?.frame
}
