import type { CheckEntry } from '../catalogue/catalogue.ts'
import { exampleArguments } from '../probe/example-arguments.ts'
import { mayCall } from '../probe/permission.ts'
import type { ServerProbe } from '../probe/server-probe.ts'

/** An ordinary use of a peer: no check, but passive ones read its frames. */
export const TOUR: CheckEntry = {
  id: 'tour',
  title: 'An ordinary use',
  group: '',
  sides: ['client'],
  passive: false,
  severity: 'info',
  transports: [],
  revisions: [],
  destructive: false,
  negative: false,
  needs: undefined,
  statements: [],
  probe: '',
  pass: '',
  fail: '',
  inconclusive: '',
}

const CALLS = 12
const READS = 5

/** Calls the first tools that may be called, reads the first resources and gets the first prompts. */
export async function tourServer(probe: ServerProbe): Promise<void> {
  const { tools, resources, prompts } = probe.server
  const connection = await probe.connect()
  const permitted = tools.filter((tool) => mayCall(probe.support.permission, tool))
  for (const { name, inputSchema } of permitted.slice(0, CALLS))
    await connection.call('tools/call', { name, arguments: exampleArguments(inputSchema) })
  for (const { uri } of resources.slice(0, READS)) await connection.call('resources/read', { uri })
  for (const { name, arguments: list } of prompts.slice(0, READS)) {
    const names = Array.isArray(list)
      ? (list as { readonly name?: unknown }[]).map((each) => String(each.name))
      : []
    const args = Object.fromEntries(names.map((each) => [each, 'example']))
    await connection.call('prompts/get', { name, arguments: args })
  }
}
