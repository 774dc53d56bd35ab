/**
 * A number from 0 to below 1 for the `occasion`-th time that something named `name` may happen. It depends on nothing
 * else, so that the same seed makes the same faults, whatever other rules there are.
 */
export function seededRandom(seed: number, name: string, occasion: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return mixed(Math.imul(hash ^ (occasion + 1), 0x9e3779b1) + occasion) / 0x1_0000_0000
}

/** Spreads the bits of a 32-bit number over all of them. */
function mixed(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
