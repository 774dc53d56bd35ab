/**
 * Runs modules one after the other and sends the error of each, if there is one, to the process that forked this one.
 * All run in this process: loading the product takes much longer than an example does. Ends when nothing is open.
 */
let current = ''

function report(error?: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (process.connected) process.send?.({ file: current, ...(error !== undefined && { error: text }) })
  else process.exit(1)
}

process.on('uncaughtException', (error) => report(error))
process.on('unhandledRejection', (reason) => report(reason))

for (const file of process.argv.slice(2)) {
  current = file
  try {
    await import(file)
    // A rejection that nothing handles is reported only after this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    report()
  } catch (error) {
    report(error)
  }
}
process.disconnect()
