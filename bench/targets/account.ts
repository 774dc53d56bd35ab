/** What a target is asked for: its CPU time so far, or its memory when all rubbish is collected. */
export type Question = 'cpu' | 'memory'

/** CPU time in microseconds of all threads; resident bytes, and those of the heap. */
export type Account = { readonly micros: number; readonly resident: number; readonly heap: number }

/** Sends the parent the address of this target, and its account on request. Ends with its parent. */
export function reportTo(parent: NodeJS.Process, port?: number): void {
  parent.on('message', (question: Question) => {
    if (question === 'memory') globalThis.gc?.()
    const { user, system } = parent.cpuUsage()
    const { rss, heapUsed } = parent.memoryUsage()
    parent.send?.({ micros: user + system, resident: rss, heap: heapUsed } satisfies Account)
  })
  parent.on('disconnect', () => parent.exit())
  parent.send?.({ port })
}
