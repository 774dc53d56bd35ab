import type { Connection } from '../../client/connect.ts'
import { LISTS, readPages, type ListId, type Page } from '../../client/listed.ts'
import type { ClientCommand } from './client-command.ts'
import { describeLists, type Lists } from '../output/describe-lists.ts'
import { ExitCode } from '../output/exit-code.ts'
import { describeFailure } from '../connection/failure.ts'
import { isForPerson, writeNote, writeStderr, writeJson, writeStyled } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { progressOutput } from './progress-output.ts'

type ListCommand = Extract<ClientCommand, { type: 'list' }>

/** What is listed unless it is named, and the capability that goes with each list. */
const CAPABILITY = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
} as const
const USUAL = Object.keys(CAPABILITY) as (keyof typeof CAPABILITY)[]

/** `patchbay list`: what a server offers, of every page of its lists or of one. */
export async function list(command: ListCommand, signal: AbortSignal): Promise<ExitCode> {
  const problems: string[] = []
  const nextCursors: Record<string, string> = {}
  const listAll = async (connection: Connection): Promise<Lists> => {
    const read: Partial<Record<ListId, readonly unknown[]>> = {}
    for (const id of command.lists.length === 0 ? USUAL : command.lists) {
      const isAsked = command.lists.length > 0 || connection.capabilities[capabilityOf(id)] !== undefined
      const items = isAsked ? await readList(connection, id, command, problems, signal) : { items: [] }
      read[id] = items.items
      if (items.nextCursor !== undefined) nextCursors[id] = items.nextCursor
    }
    return read
  }
  const lists = await useServer(command, signal, listAll, { listeners: progressOutput(command) })
  const cursors = Object.entries(nextCursors)
  if (isForPerson(command.json)) await writeStyled((style) => describeLists(lists, nextCursors, style))
  else await writeJson(command.page === undefined || cursors.length === 0 ? lists : { ...lists, nextCursors })
  for (const problem of problems) writeStderr(`patchbay: ${problem}`)
  return problems.length === 0 ? ExitCode.ok : ExitCode.toolError
}

function capabilityOf(id: ListId): string {
  return id === 'tasks' ? 'tasks' : CAPABILITY[id]
}

type Read = { readonly items: readonly unknown[]; readonly nextCursor?: string }

/** One list; a server that cannot give it still shows the others. */
async function readList(
  connection: Connection,
  id: ListId,
  { page: wanted, lists }: ListCommand,
  problems: string[],
  signal: AbortSignal,
): Promise<Read> {
  const name = id === 'resourceTemplates' ? 'resource templates' : id
  let items: unknown[] = []
  try {
    const pages =
      wanted?.cursor === undefined
        ? connection.pages(id, { signal })
        : from(connection, id, wanted.cursor, signal)
    for await (const page of pages) {
      if (page.restarted === true) items = []
      for (const item of page.items) items.push(item)
      if (page.problem !== undefined) problems.push(`its ${name} are not whole: ${page.problem}`)
      for (const { index, reason } of page.malformed)
        problems.push(`entry ${index} of its ${name} is malformed: ${reason}`)
      for (const { index, reason } of page.flawed)
        problems.push(`entry ${index} of its ${name} is used without what is wrong in it: ${reason}`)
      if (page.warning !== undefined) problems.push(page.warning)
      if (wanted === undefined) continue
      return { items, ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
    }
    return { items }
  } catch (error) {
    if (isMethodNotFound(error)) {
      writeNote(
        `patchbay: the server does not know ${LISTS[id].method}, so its list of ${name} is shown as empty`,
      )
      return { items: [] }
    }
    const { code, text } = describeFailure(error, 'flags')
    // What was asked for by its name alone has no others to go on for.
    if (code !== ExitCode.toolError || lists.length === 1) throw error
    problems.push(`its ${name}: ${text}`)
    return { items: [] }
  }
}

/** The pages from a cursor on. */
function from(
  connection: Connection,
  id: ListId,
  cursor: string,
  signal: AbortSignal,
): AsyncGenerator<Page, void, void> {
  const kind = LISTS[id]
  return readPages({
    kind,
    revision: connection.revision,
    readPage: (params) => connection.request(kind.method, params ?? { cursor }, { signal }),
  })
}

function isMethodNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === -32_601
}
