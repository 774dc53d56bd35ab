import { endWhenOrphaned } from '../orphan-watch.ts'
import { isUtilityProcess, parentEnd } from '../parent-end.ts'
import type { FromProcess, ToProcess } from '../channel.ts'
import { parseToProcess } from '../channel-parsers.ts'
import { MemoryWatch } from './memory-watch.ts'
import { WorkerThread } from './worker-thread.ts'

/** Runs Workers of scripts, and connects each of them to the host. Runs no script itself. */
function run(): void {
  const parent = parentEnd()
  if (parent === undefined) {
    throw new Error('The tool host talks to the process that starts it; it cannot be started by hand.')
  }
  const send = (message: FromProcess) => {
    parent.post(message)
  }
  const workers = new Map<number, WorkerThread>()
  let memory: MemoryWatch | undefined
  let workerEntry = ''
  const open = (worker: number, start: Extract<ToProcess, { type: 'open' }>['start']) => {
    const thread = new WorkerThread(worker, workerEntry, start, {
      said: (message) => {
        send({ type: 'said', worker, message })
      },
      news: (news) => {
        send({ type: 'news', worker, news })
      },
      ended: (end) => {
        workers.delete(worker)
        memory?.ended(worker)
        send({ type: 'ended', worker, end })
      },
    })
    workers.set(worker, thread)
    memory?.wake()
  }
  const measure = async (id: number) => {
    const measured = await Promise.all([...workers.values()].map((worker) => worker.measure()))
    send({ type: 'measured', id, workers: measured.filter((one) => one !== undefined) })
  }
  parent.onMessage((value) => {
    const message = parseToProcess(value)
    // A script can take bytes out of the channel: what is left of it cannot be relied on.
    if (message === undefined) throw new TypeError('The host sent an invalid message.')
    switch (message.type) {
      case 'setup':
        process.chdir(message.folder)
        workerEntry = message.workerEntry
        memory = new MemoryWatch(workers, message.graceMs, (worker, reason) => {
          send({ type: 'stuck', worker, reason })
        })
        send({ type: 'ready' })
        return
      case 'open':
        open(message.worker, message.start)
        return
      case 'tell':
        workers.get(message.worker)?.send(message.message)
        return
      case 'end':
        workers.get(message.worker)?.end()
        return
      case 'measure':
        void measure(message.id)
    }
  })
  void parent.closed.then(() => process.exit(0))
  if (!isUtilityProcess()) endWhenOrphaned()
}

run()
