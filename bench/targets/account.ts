/** Tells the parent where this target listens, and its CPU time whenever it asks. Ends with its parent. */
export function reportTo(parent: NodeJS.Process, port?: number): void {
  parent.on('message', () => {
    const { user, system } = parent.cpuUsage()
    parent.send?.({ type: 'cpu', micros: user + system })
  })
  parent.on('disconnect', () => parent.exit())
  parent.send?.({ type: 'ready', port })
}
