import type { CryptoKey, JWK } from 'jose'
import type { GrantSecrets } from './grant-secrets.ts'
import type { SigningAlgorithm } from './settings.ts'

/** The key that tokens are bound to: it signs proofs, and its public half is in each of them. */
export type DpopKey = {
  readonly algorithm: SigningAlgorithm
  readonly key: CryptoKey
  readonly publicJwk: JWK
}

/** The key that is kept for a server; a new one, kept from now on, if there is none or it is for another algorithm. */
export async function dpopKey(algorithm: SigningAlgorithm, secrets: GrantSecrets): Promise<DpopKey> {
  return (await readKey(algorithm, secrets)) ?? makeKey(algorithm, secrets)
}

async function readKey(algorithm: SigningAlgorithm, secrets: GrantSecrets): Promise<DpopKey | undefined> {
  const text = await secrets.get('dpop_key')
  if (text === undefined) return undefined
  const { importJWK } = await import('jose')
  try {
    const jwk = JSON.parse(text) as JWK
    if (jwk.alg !== algorithm) return undefined
    const key = await importJWK(jwk, algorithm)
    return key instanceof Uint8Array ? undefined : { algorithm, key, publicJwk: publicHalf(jwk) }
  } catch {
    // What cannot be read is replaced: tokens that were bound to it are asked for again.
    return undefined
  }
}

async function makeKey(algorithm: SigningAlgorithm, secrets: GrantSecrets): Promise<DpopKey> {
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey: key } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await exportJWK(key)), alg: algorithm }
  await secrets.set('dpop_key', JSON.stringify(jwk))
  return { algorithm, key, publicJwk: publicHalf(jwk) }
}

/** The members that a proof shows (RFC 9449, 4.2); the private ones are left behind, whatever else is there. */
function publicHalf({ kty, crv, x, y, n, e }: JWK): JWK {
  const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members)
}
