/** Who writes the files of a folder that the editor only reads. */
export type FolderOwner = 'git' | 'packages' | 'patchbay'

const OWNERS: ReadonlyMap<string, FolderOwner> = new Map([
  ['.git', 'git'],
  ['node_modules', 'packages'],
  ['.patchbay', 'patchbay'],
])

/**
 * The short names that Windows gives these folders beside their long ones: the first six letters and a number, or two
 * letters, four hexadecimal digits of a hash and a number.
 */
const SHORT_NAMES: readonly (readonly [RegExp, FolderOwner])[] = [
  [/^(?:git|gi[0-9a-f]{4})~\d+$/, 'git'],
  [/^(?:node_m|no[0-9a-f]{4})~\d+$/, 'packages'],
  [/^(?:patchb|pa[0-9a-f]{4})~\d+$/, 'patchbay'],
]

/** Names of devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i

/**
 * Who writes the files of a folder with this name, on any file system: some ignore case, characters without width, or
 * dots and spaces at the end, and some know a folder by a short name too.
 *
 * @returns undefined for a folder of the user's own
 */
export function folderOwner(name: string): FolderOwner | undefined {
  const folded = foldedName(name)
  return OWNERS.get(folded) ?? SHORT_NAMES.find(([pattern]) => pattern.test(folded))?.[1]
}

/** Whether a name stands for a device on Windows. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name)
}

/** What file systems that do not tell such names apart would all take a name for. */
function foldedName(name: string): string {
  const visible = name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u206a-\u206f\ufeff]/gu, '')
  // By upper case first: some characters, such as the long s, have an ASCII letter only there.
  return visible
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, '')
}
