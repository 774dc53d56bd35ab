import type { JsonWebKey, KeyObject } from 'node:crypto'
import type { CryptoKey } from 'jose'
import { OAuthError } from '../oauth-error.ts'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './settings.ts'

/** A private key to sign with, and the `kid` that a JWK has. */
export type SigningKey = {
  readonly key: CryptoKey
  readonly algorithm: SigningAlgorithm
  readonly keyId: string | undefined
}

const OF_CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/**
 * Reads a private key: PEM (PKCS#8, PKCS#1, SEC 1), also with `\n` written out as in a variable of the environment,
 * or JWK. It signs by `algorithm` if that is given, else by the first of `supported` that it can.
 * Throws an `OAuthError` (`client`); the key is in no message.
 */
export async function readSigningKey(
  text: string,
  algorithm: SigningAlgorithm | undefined,
  supported: readonly string[] | undefined,
): Promise<SigningKey> {
  const { createPrivateKey } = await import('node:crypto')
  const trimmed = text.trim()
  let object: KeyObject
  let keyId: string | undefined
  try {
    if (trimmed.startsWith('{')) {
      const jwk = JSON.parse(trimmed) as JsonWebKey
      object = createPrivateKey({ key: jwk, format: 'jwk' })
      keyId = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined
    } else {
      object = createPrivateKey(trimmed.replaceAll('\\n', '\n'))
    }
  } catch {
    const isEncrypted = trimmed.includes('ENCRYPTED')
    throw new OAuthError(
      'client',
      isEncrypted
        ? 'The private key is encrypted. Give it without a passphrase; it is kept in the secret store.'
        : 'The private key cannot be read: expected PEM (BEGIN PRIVATE KEY, BEGIN EC PRIVATE KEY, BEGIN RSA PRIVATE KEY) or a private JWK.',
    )
  }
  const possible = algorithmsOf(object)
  const chosen = algorithm ?? possible.find((each) => supported?.includes(each) === true) ?? possible[0]
  if (chosen === undefined || !possible.includes(chosen)) {
    const type = object.asymmetricKeyType ?? 'unknown'
    const can = possible.length === 0 ? 'none that is known here' : possible.join(', ')
    throw new OAuthError(
      'client',
      `The private key (${type}) cannot sign by ${chosen ?? 'any algorithm'}; it can by ${can}.`,
    )
  }
  const { importPKCS8 } = await import('jose')
  const key = await importPKCS8(object.export({ type: 'pkcs8', format: 'pem' }).toString(), chosen)
  return { key, algorithm: chosen, keyId }
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly SigningAlgorithm[] {
  switch (asymmetricKeyType) {
    case 'ec': {
      const algorithm = OF_CURVES[asymmetricKeyDetails?.namedCurve ?? '']
      return algorithm === undefined ? [] : [algorithm]
    }
    case 'ed25519':
      return ['Ed25519', 'EdDSA']
    case 'rsa':
      return ['RS256', 'PS256', ...SIGNING_ALGORITHMS.filter((each) => /^[RP]S(384|512)$/.test(each))]
    case 'rsa-pss':
      return ['PS256', 'PS384', 'PS512']
    default:
      return []
  }
}
