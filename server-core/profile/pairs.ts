/** Pairs as an object without a prototype, so that no name (`__proto__`) is special; a later pair wins. */
export function pairsToRecord(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  const record = Object.create(null) as Record<string, string>
  for (const { name, value } of pairs) record[name] = value
  return record
}
