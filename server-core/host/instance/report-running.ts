/** Reports that another process has the profile, and where its window is. */
export function reportRunning({ address }: { readonly address?: string | undefined }): void {
  console.log(
    address === undefined
      ? 'Patchbay is running with this profile already; its window comes forward.'
      : `Patchbay is running with this profile already. It is at ${address}`,
  )
}
