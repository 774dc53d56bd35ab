import { reachOfHost, type NetworkPolicy } from '../network/policy.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'

/**
 * Where requests may go that a configuration asks for: to the hosts that it names itself, wherever they are, and to
 * others where those that it names are.
 */
export function policyFor(
  named: readonly URL[],
  limits: Pick<NetworkPolicy, 'bodyBytes' | 'timeoutMs'>,
): NetworkPolicy {
  const reaches = named.map((url) => reachOfHost(url))
  return {
    named,
    loopback: reaches.includes('loopback'),
    private: reaches.includes('private'),
    clear: 'named',
    redirects: 3,
    bodyBytes: DEFAULT_LIMITS.sourceBodyBytes,
    ...limits,
  }
}
