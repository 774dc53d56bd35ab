import type { OnSetAside } from '../workspace/document-file.ts'
import type { ProfileFiles } from './profile-files.ts'
import {
  hasSecrets,
  LockedSecretStore,
  PlainFileSecretStore,
  SealedFileSecretStore,
  type Cipher,
} from './secret-files.ts'
import type { SecretStore } from './secret-store.ts'

/** What was chosen, and why, for whoever must tell it. */
export type ChosenStore =
  | { readonly kind: 'sealed'; readonly store: SecretStore }
  /** There are encrypted secrets, and nothing that could open them. */
  | { readonly kind: 'locked'; readonly store: SecretStore }
  | {
      readonly kind: 'plain'
      readonly store: SecretStore
      /** Nothing was stored yet. */
      readonly isNew: boolean
    }

/**
 * Chooses where a profile keeps its secrets. Readable text is only for a profile that never had encrypted ones: a
 * key chain that cannot be used for a while does not make it forget them, or store others in the clear.
 *
 * @param cipher undefined if the key chain cannot be used, or there is none
 */
export async function chooseSecretStore(
  files: ProfileFiles,
  cipher: Cipher | undefined,
  onSetAside: OnSetAside,
): Promise<ChosenStore> {
  if (cipher !== undefined) {
    const store = new SealedFileSecretStore(files.sealedSecrets, files.secrets, cipher, onSetAside)
    return { kind: 'sealed', store }
  }
  const plain = new PlainFileSecretStore(files.secrets, onSetAside)
  if (await hasSecrets(files.sealedSecrets)) {
    return { kind: 'locked', store: new LockedSecretStore(files.sealedSecrets, plain) }
  }
  return { kind: 'plain', store: plain, isNew: !(await hasSecrets(files.secrets)) }
}
