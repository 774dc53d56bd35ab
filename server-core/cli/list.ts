import type { Connection } from '../client/connect.ts'
import type { Command } from './command.ts'
import { describeLists, type Lists } from './describe.ts'
import { ExitCode } from './exit-code.ts'
import { describeFailure } from './failure.ts'
import { isForPerson, tell, writeJson, writeText } from './output.ts'
import { withServer } from './with-server.ts'

type ListCommand = Extract<Command, { type: 'list' }>
type Pages = Awaited<ReturnType<Connection['listTools']>>

/** `patchbay list`: everything a server offers, of every page of its lists. */
export async function list(command: ListCommand, signal: AbortSignal): Promise<ExitCode> {
  const problems: string[] = []
  const lists = await withServer(command.target, command.timeoutMs, signal, async (connection) => {
    const { tools, resources, prompts } = connection.capabilities
    const read = async (declared: unknown, name: string, pages: () => Promise<Pages>) =>
      declared === undefined ? [] : readList(name, pages, problems)
    return {
      tools: await read(tools, 'tools', () => connection.listTools()),
      resources: await read(resources, 'resources', () => connection.listResources()),
      resourceTemplates: await read(resources, 'resource templates', () =>
        connection.listResourceTemplates(),
      ),
      prompts: await read(prompts, 'prompts', () => connection.listPrompts()),
    } satisfies Lists
  })
  if (isForPerson(command.json)) await writeText(describeLists(lists))
  else await writeJson(lists)
  for (const problem of problems) tell(`patchbay: ${problem}`)
  return problems.length === 0 ? ExitCode.ok : ExitCode.toolError
}

/** One list; a server that cannot give it still shows the others. */
async function readList(
  name: string,
  pages: () => Promise<Pages>,
  problems: string[],
): Promise<readonly unknown[]> {
  try {
    const { items, malformed, problem } = await pages()
    if (problem !== undefined) problems.push(`its ${name} are not whole: ${problem}`)
    for (const { index, reason } of malformed)
      problems.push(`entry ${index} of its ${name} is malformed: ${reason}`)
    return items
  } catch (error) {
    const { code, text } = describeFailure(error, 'flags')
    if (code !== ExitCode.toolError) throw error
    // A server without resource templates may refuse the method although it has resources.
    if (!(name === 'resource templates' && isMethodNotFound(error))) problems.push(`its ${name}: ${text}`)
    return []
  }
}

function isMethodNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -32_601
}
