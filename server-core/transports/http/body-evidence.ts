const BODY_EVIDENCE_BYTES = 8 * 1024

/** The beginning of an HTTP body as text: as much as evidence holds, 8 KiB. */
export function bodyEvidence(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, BODY_EVIDENCE_BYTES))
}
