import type { ServerTransports } from '../../host/sources/workspace-sources.ts'
import { ProfileError } from '../../profile/profile-error.ts'
import { transportsFor } from '../../transports/opener.ts'
import { workspaceFile } from '../../profile/profile-files.ts'
import { openServerSession } from './server-session.ts'

/** Milliseconds for one request of what is proxied. */
const REQUEST_MS = 60_000

/**
 * The ways to an approved entry of a workspace's own file, or else of the usual workspace. Rejects with an error that says
 * why there are none.
 */
export async function transportsForStored(
  name: string,
  folder: string,
  profile: string | undefined,
  signal: AbortSignal,
): Promise<ServerTransports> {
  const data = profile === undefined ? {} : { profile }
  const settings = (workspace: { readonly workspace?: string }) => ({
    target: { type: 'stored', name, ...data, ...workspace } as const,
    json: false,
    timeoutMs: REQUEST_MS,
    ...data,
  })
  const reached = await openServerSession(settings({ workspace: folder }), signal).catch((error: unknown) => {
    if (!isUnknown(error)) throw error
    return openServerSession(settings({}), signal).catch((other: unknown) => {
      if (!isUnknown(other)) throw other
      // Both places were looked at, so both are named.
      throw new ProfileError(
        'NOT_FOUND',
        `${other.message} ${workspaceFile(folder)} has none of that name either.`,
      )
    })
  })
  const { protocol } = reached.direct
  return { ...transportsFor(reached.address, reached.parts), ...(protocol !== undefined && { protocol }) }
}

function isUnknown(error: unknown): error is ProfileError {
  return error instanceof ProfileError && error.code === 'NOT_FOUND'
}
