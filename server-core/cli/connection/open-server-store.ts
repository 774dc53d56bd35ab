import path from 'node:path'
import { chooseSecretStore } from '../../profile/choose-secret-store.ts'
import { defaultProfile } from '../../profile/profile-files.ts'
import { ServerStore } from '../../profile/server-store.ts'
import { profileFiles, workspaceFile } from '../../profile/profile-files.ts'

export type StorePlace = {
  /** Patchbay's data folder; the usual one if undefined. */
  readonly profile?: string | undefined
  /** The folder whose `patchbay.json` has the servers; that of the profile if undefined. */
  readonly workspace?: string | undefined
}

/** The stored servers of a workspace, as the window has them. */
export type OpenedServerStore = { readonly storedServers: ServerStore; readonly file: string }

/**
 * Opens the stored servers. A command moves no file aside: one that cannot be used is an error and stays as it is.
 * Rejects with a `StorageError`.
 */
export async function openServerStore({ profile, workspace }: StorePlace): Promise<OpenedServerStore> {
  const files = profileFiles(profile ?? defaultProfile())
  const folder = path.resolve(workspace ?? files.defaultWorkspace)
  const { store } = await chooseSecretStore(files, undefined, 'leave')
  const file = workspaceFile(folder)
  const storedServers = new ServerStore({
    file,
    approvalsFile: files.approvals,
    secretStore: store,
    folder,
    onSetAside: 'leave',
  })
  return { storedServers: storedServers, file }
}
