import { createHook } from 'node:async_hooks'

/** Counts the TCP connections that this process begins while `work` runs, whether anybody listens or not. */
export async function connectionsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'TCPCONNECTWRAP') count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}
