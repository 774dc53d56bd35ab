/** Signals that a client or a terminal sends to a server. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** Passes signals on to a child in place of obeying them. Returns the function that ends that. */
export function forwardSignals(child: { kill(signal: NodeJS.Signals): unknown }): () => void {
  if (process.platform === 'win32') return () => undefined
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  return () => {
    for (const signal of FORWARDED) process.off(signal, forward)
  }
}

/** Ends this process as another one ended: with its exit code, or by its signal. */
export function endLike(code: number | null, signal: NodeJS.Signals | null): Promise<never> {
  if (signal === null) process.exit(code ?? 1)
  for (const listener of process.listeners(signal)) process.off(signal, listener)
  process.kill(process.pid, signal)
  // A signal that does not end a process leaves it running.
  return new Promise(() => setTimeout(() => process.exit(1), 1_000))
}
