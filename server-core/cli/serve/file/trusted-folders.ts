import { realpath } from 'node:fs/promises'
import { defaultProfile, profileFiles } from '../../../profile/profile-files.ts'
import { TrustStore } from '../../../profile/trust-store.ts'

/**
 * Reads which folders the user trusts: those in the profile's trust store, and the workspace in the profile itself.
 *
 * @param profile the data folder; the usual one if undefined
 * @returns a function that tests one folder. It rejects with a `StorageError` if the trust store cannot be read
 */
export async function trustedFolders(
  profile: string | undefined,
): Promise<(folder: string) => Promise<boolean>> {
  const files = profileFiles(profile ?? defaultProfile())
  const store = new TrustStore(files.trust, 'leave')
  const usual = await realpath(files.defaultWorkspace).catch(() => files.defaultWorkspace)
  return async (folder) => (await realpath(folder)) === usual || (await store.isTrusted(folder))
}
