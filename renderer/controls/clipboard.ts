/**
 * Puts text on the clipboard.
 * @throws Error when the browser refuses, saying so.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The browser did not let Patchbay write to the clipboard: ${reason}`, { cause: error })
  }
}
