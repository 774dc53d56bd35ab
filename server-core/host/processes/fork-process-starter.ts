import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ProcessRequest, ProcessStarter, StartedProcess } from '../process-starter.ts'

/** Starts our processes as children of this one: for plain Node, where that can be done. */
export class ForkProcessStarter implements ProcessStarter {
  async start(request: ProcessRequest): Promise<StartedProcess> {
    const child = fork(request.entry, request.args, {
      env: request.env,
      execArgv: [`--title=${request.name}`, ...(request.execArgv ?? [])],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    await once(child, 'spawn')
    // Sending to a child that has just ended is an error of the channel, and its exit says all there is to say.
    child.on('error', () => undefined)
    const { pid } = child
    if (pid === undefined) throw new Error(`${request.entry} was started and has no process id`)
    return {
      pid,
      exited,
      post: (message) => {
        if (child.connected) child.send(message as object)
      },
      onMessage: (listener) => child.on('message', listener),
      onOutput: (listener) => {
        child.stdout?.on('data', (bytes: Buffer) => listener('stdout', bytes))
        child.stderr?.on('data', (bytes: Buffer) => listener('stderr', bytes))
      },
      kill: () => child.kill('SIGKILL'),
    }
  }
}
