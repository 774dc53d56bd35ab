import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { Tap } from '../../ports/tap.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { ServerOption } from '../options.ts'

/** The transport of a test: a certain one, or what the server suggests. */
export type WantedTransport = TransportKind | 'auto'

/** How one kind of server is started, reached and ended. */
export interface ServerBackend {
  /** The process, if it is ours and runs. */
  readonly pid: number | undefined
  /** What the process wrote on stderr, as far as the connections do not report it. */
  readonly stderr: string
  /** The address of a server that listens, once it does. */
  readonly url: string | undefined
  /** Starts what has to run, and returns the ways to it for one connection. */
  reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory>
  /** Ends what runs, so that the next `reach` starts it again. */
  stop(): Promise<void>
  /** Kills the process at once. Resolves when it has ended. */
  kill(): Promise<void>
}

/** A server as words, for messages. */
export function describeServer(option: ServerOption): string {
  if ('workspace' in option) return `the workspace ${option.workspace}`
  if ('recording' in option) return `the recording ${option.recording}`
  if ('command' in option) return [option.command, ...(option.args ?? [])].join(' ')
  if ('url' in option) return option.url
  return 'a server in this process'
}
