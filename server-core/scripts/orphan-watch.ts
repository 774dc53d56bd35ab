import { Worker } from 'node:worker_threads'

/** Runs as a thread, so that it sees the end of the parent even while a handler blocks the main thread. */
const WATCH = `
  const parent = require('node:worker_threads').workerData
  const alive = () => {
    try {
      return process.ppid === parent && process.kill(parent, 0)
    } catch (error) {
      return error.code === 'EPERM'
    }
  }
  setInterval(() => {
    if (!alive()) process.kill(process.pid, 'SIGKILL')
  }, 500)`

/** Ends this process within a second after its parent has ended, whatever its handlers do. Keeps nothing alive. */
export function endWhenOrphaned(): void {
  new Worker(WATCH, { eval: true, env: {}, workerData: process.ppid }).unref()
}
