/** The variable by which what a server started is known for its own, even without a parent or in another session. */
export const MARK_VARIABLE = 'PATCHBAY_PROCESS'

/** Names this process's life; no other has the same. */
export const RUN = globalThis.crypto.randomUUID()

let count = 0

/** A mark for one server: the value of `MARK_VARIABLE`. It begins with that of the run and none begins with another. */
export function nextMark(): string {
  count += 1
  return `${runMark(RUN)}${count}/`
}

/** What the marks of all servers of a run begin with. */
export function runMark(run: string): string {
  return `${run}/`
}
