import type { Principal } from '../protocol/principal.ts'

/** The result of a token's check. `problem` may be sent to the caller. */
export type Verdict =
  | {
      readonly valid: true
      readonly principal: Principal
      /** Milliseconds since 1970; undefined if the authorization server says of no end. */
      readonly expiresAt: number | undefined
      /** Milliseconds for which the verdict may be kept. */
      readonly keepMs: number
    }
  | { readonly valid: false; readonly problem: string }

/** Checks the tokens of one authorization server. Rejects with an `AuthorityError` if that cannot be done now. */
export interface TokenChecker {
  check(token: string): Promise<Verdict>
}

type Claims = Readonly<Record<string, unknown>>

/** Whom claims name (RFC 9068, RFC 7662; `azp`, `cid` and `scp` are what some servers write). */
export function principalOf(issuer: string, claims: Claims): Principal {
  const subject = textOf(claims['sub'])
  const clientId = textOf(claims['client_id']) ?? textOf(claims['azp']) ?? textOf(claims['cid'])
  return {
    issuer,
    ...(subject === undefined ? {} : { subject }),
    ...(clientId === undefined ? {} : { clientId }),
    scopes: scopesIn(claims['scope'] ?? claims['scp']),
    claims,
  }
}

/** The audience of a token, as a list. */
export function audiencesIn(audience: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(audience) ? audience : [audience]
  return list.filter((each) => typeof each === 'string')
}

function scopesIn(scope: unknown): readonly string[] {
  const list: readonly unknown[] =
    typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope : []
  return list.filter((each) => typeof each === 'string').filter((each) => each !== '')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A token bound to a key of its client (RFC 9449, RFC 8705) is worth nothing without the proof, which is not read here. */
export function isBoundToKey(claims: Claims): boolean {
  return claims['cnf'] !== undefined
}
