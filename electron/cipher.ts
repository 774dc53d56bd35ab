import { safeStorage } from 'electron'
import type { HostToShell, ShellStart, ShellToHost } from '../server-core/host/shell-messages.ts'

type CipherRequest = Extract<HostToShell, { type: 'cipher-encrypt' | 'cipher-decrypt' }>

/** Returns what the system offers: a key chain, or nothing better than a fixed key. Runs once the app is ready. */
export async function encryptionOfSystem(): Promise<ShellStart['encryption']> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'plain'
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return 'plain'
  return 'system'
}

/** Encrypts or decrypts for the host, which cannot reach the key chain from its utility process. */
export async function answerCipher(request: CipherRequest): Promise<ShellToHost> {
  const { requestId } = request
  try {
    if (request.type === 'cipher-encrypt') {
      const result = new Uint8Array(await safeStorage.encryptStringAsync(request.text))
      return { type: 'cipher-done', requestId, result }
    }
    const decrypted = await safeStorage.decryptStringAsync(Buffer.from(request.bytes))
    return { type: 'cipher-done', requestId, ...decrypted }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { type: 'cipher-failed', requestId, message }
  }
}
