import { createHash } from 'node:crypto'
import type { ModuleBundle } from '../../scripts/bundle-module.ts'

/** What an approval of a script is bound to. */
export type ApprovedScript = {
  /** Of where it is and of the bundle that runs: what it says and all that it imports by a path. */
  readonly hash: string
  /** The hash of each file that went into the bundle, by its absolute path. */
  readonly files: Readonly<Record<string, string>>
}

/** Whether a script may run as it is now. */
export type ScriptApproval =
  | { readonly state: 'approved' }
  | { readonly state: 'needed' }
  /** `files` that were changed, added or removed since. */
  | { readonly state: 'changed'; readonly files: readonly string[] }
  /** The approval is of an earlier version of Patchbay, and covers nothing that the script imports. */
  | { readonly state: 'file-only' }

/** What an approval of a script would be bound to now. */
export function approvable(file: string, { code, files }: ModuleBundle): ApprovedScript {
  const hash = createHash('sha256')
    .update(JSON.stringify(['script bundle', file]))
    .update(code)
    .digest('hex')
  return { hash, files: Object.fromEntries(files.map((each) => [each.file, contentHash(each.content)])) }
}

/** Compares an approval with what it would be bound to now. */
export function compareApproval(
  approved:
    { readonly hash: string; readonly files?: Readonly<Record<string, string>> | undefined } | undefined,
  now: ApprovedScript,
): ScriptApproval {
  if (approved === undefined) return { state: 'needed' }
  if (approved.files === undefined) return { state: 'file-only' }
  if (approved.hash === now.hash) return { state: 'approved' }
  const before = new Map(Object.entries(approved.files))
  const after = new Map(Object.entries(now.files))
  const files = [...new Set([...before.keys(), ...after.keys()])]
  return { state: 'changed', files: files.filter((file) => before.get(file) !== after.get(file)) }
}

/** Why a script does not run, and what to do. */
export function refusal(file: string, approval: Exclude<ScriptApproval, { state: 'approved' }>): string {
  switch (approval.state) {
    case 'needed':
      return `The script ${file} was not approved. Review it and approve it, then it will answer.`
    case 'file-only':
      return `The approval of the script ${file} does not cover the files that it imports. Review them and approve the script again.`
    case 'changed': {
      const names = approval.files.length === 0 ? 'A package that it imports' : approval.files.join(', ')
      const verb = approval.files.length > 1 ? 'were' : 'was'
      return `The script ${file} was not approved as it is now: ${names} ${verb} changed since. Review it and approve it again.`
    }
  }
}

function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
