import { serverDraftSchema, type ServerDraft } from '../../profile/server-target.ts'
import { UsageError } from '../output/exit-code.ts'
import type { DirectTarget } from '../connection/target.ts'

/** The server of a command line, as it is stored. @throws UsageError if it cannot be stored */
export function draftOf(name: string, target: DirectTarget): ServerDraft {
  const protocol = target.protocol === undefined ? {} : { protocol: target.protocol }
  if (target.type === 'command') {
    const { command, args, env, cwd } = target
    const place = cwd === undefined ? {} : { cwd }
    return checkedDraft({
      name,
      target: { transport: 'stdio', command, args: [...args], env: [...env], ...place, ...protocol },
    })
  }
  const { url, headers, transport = 'auto' } = target
  // A bearer token has a field of its own in the window.
  const bearer = headers.find(({ name: header, value }) => isBearer(header, value))
  return checkedDraft({
    name,
    target: { transport, url, headers: headers.filter((header) => header !== bearer), ...protocol },
    ...(bearer !== undefined && { bearerToken: bearer.value.replace(/^bearer +/i, '') }),
  })
}

function isBearer(header: string, value: string): boolean {
  return header.toLowerCase() === 'authorization' && /^bearer +\S/i.test(value)
}

/** @throws UsageError for a name that cannot be stored */
export function checkedDraft(draft: ServerDraft): ServerDraft {
  const trimmed = { ...draft, name: draft.name.trim() }
  const read = serverDraftSchema.safeParse(trimmed)
  if (read.success) return trimmed
  const [issue] = read.error.issues
  const what = issue?.path[0] === 'name' ? 'the name of a server' : 'the server'
  throw new UsageError(`${what} cannot be stored: ${issue?.message ?? 'it is invalid'}`)
}
