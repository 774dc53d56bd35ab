import type { Side } from './catalogue/catalogue.ts'
import type { ClientExam } from './exam/client-exam.ts'
import type { Transcript } from './passive/transcript.ts'
import type { ServerProbe } from './probe/server-probe.ts'

/** Facts about a check that only its code knows. */
export type CheckOptions = {
  /** A short title; the text of its first statement if not given. */
  readonly title?: string
  /** It waits for more than 5 s, so it runs only with `--slow`. */
  readonly slow?: true
  /** It ends or restarts the peer, so it runs only with `--ends`. */
  readonly ends?: true
}

/** Examines a server by what it sends. */
export type ServerCheck = CheckOptions & {
  readonly id: string
  readonly type: 'server'
  readonly run: (probe: ServerProbe) => Promise<void>
}

/** Examines a client by how our own server answers it. */
export type ClientCheck = CheckOptions & {
  readonly id: string
  readonly type: 'client'
  readonly run: (exam: ClientExam) => Promise<void>
}

/** Examines frames that were seen, of either side or of the sides named. */
export type PassiveCheck = CheckOptions & {
  readonly id: string
  readonly type: 'passive'
  readonly inspect: (transcript: Transcript) => void
}

export type Check = ServerCheck | ClientCheck | PassiveCheck

/** A check of servers. `id` is that of the catalogue. */
export function serverCheck(id: string, run: ServerCheck['run'], options: CheckOptions = {}): ServerCheck {
  return { id, type: 'server', run, ...options }
}

/** A check of clients. `id` is that of the catalogue. */
export function clientCheck(id: string, run: ClientCheck['run'], options: CheckOptions = {}): ClientCheck {
  return { id, type: 'client', run, ...options }
}

/** A check that reads frames. `id` is that of the catalogue, which also names the sides. */
export function passiveCheck(
  id: string,
  inspect: PassiveCheck['inspect'],
  options: CheckOptions = {},
): PassiveCheck {
  return { id, type: 'passive', inspect, ...options }
}

/** Whether the code of a check examines that side. */
export function examines(check: Check, side: Side): boolean {
  return check.type === 'passive' || check.type === side
}
