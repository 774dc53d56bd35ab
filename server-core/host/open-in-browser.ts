/** Opens an address in the system's default browser. Throws if no program can be started for that. */
export async function openInBrowser(href: string): Promise<void> {
  const { default: open } = await import('open')
  await open(href)
}
