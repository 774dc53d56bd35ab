import type { Client } from '@modelcontextprotocol/client'
import { test } from 'vitest'
import { leftOpen } from '../../server-core/left-open.test-support.ts'
import {
  connectClient,
  ERAS,
  ExampleProcess,
  type Connecting,
  type EraName,
} from './example-process.test-support.ts'

/** Starts an example; it ends with the test. */
export function start(name: string, env?: Readonly<Record<string, string>>): ExampleProcess {
  const example = new ExampleProcess(name, env)
  leftOpen.push(() => example.end())
  return example
}

/** Connects the official client; it is closed with the test. */
export async function connected(url: URL | undefined, era: EraName, options?: Connecting): Promise<Client> {
  if (url === undefined) throw new Error('the example does not listen')
  const client = await connectClient(url, era, options)
  leftOpen.push(() => client.close())
  return client
}

/** Runs an example once, and looks at it with a client of each era. */
export function inBothEras(
  example: string,
  look: (client: Client, era: EraName, running: ExampleProcess) => Promise<void>,
  options?: Connecting,
): void {
  test(example, async () => {
    const running = start(example)
    const [url] = await running.urls()
    for (const era of ERAS) await look(await connected(url, era, options), era, running)
  })
}

/** Calls a tool and gives its texts, one a line; of another block its type. */
export async function textOf(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}
