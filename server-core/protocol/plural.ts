/** A number with the word for what is counted: `1 tool`, `2 tools`. */
export function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
