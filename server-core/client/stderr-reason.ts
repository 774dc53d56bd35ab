/** Characters of a reason; the whole of stderr is shown beside it. */
const LENGTH = 200
/** A line that names an error, as most languages print it above or below a stack. */
const ERROR = /\b(\w*Error|\w*Exception|error|fatal|panic(ked)?)\b\s*(\[[^\]]*\])?:/i
/** What Node prints last when it ends because of an error. */
const RUNTIME = /^Node\.js v\d/

/**
 * The line of stderr that most likely says why a process ended: the last one that names an error, else the last one.
 *
 * @returns `undefined` if the process wrote nothing
 */
export function stderrReason(stderr: string | undefined): string | undefined {
  const lines = (stderr ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !RUNTIME.test(line))
  const reason = lines.findLast((line) => ERROR.test(line)) ?? lines.at(-1)
  return reason !== undefined && reason.length > LENGTH ? `${reason.slice(0, LENGTH)}…` : reason
}

/** Whether stderr says that the process ended because of the message that opened the connection. */
export function namesOpening(stderr: string): boolean {
  return /\b(server\/discover|initiali[sz]ed?|initialization|handshake|json-?rpc|unknown method|method not found|unexpected (message|request))\b/i.test(
    stderr,
  )
}
