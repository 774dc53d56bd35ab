/** The members of an entry that are data. */
export type EntryData<Entry> = {
  [
    Member in keyof Entry as NonNullable<Entry[Member]> extends (...args: never) => unknown ? never : Member
  ]: Entry[Member]
}

/** An entry without its functions: what can be compared and sent. */
export function entryData<Entry extends object>(entry: Entry): EntryData<Entry> {
  const data = Object.entries(entry).filter(([, value]) => typeof value !== 'function')
  return Object.fromEntries(data) as EntryData<Entry>
}
