import { type FileFacts, INSPECT_LIMITS, type InspectedFile, type InspectLimits } from './facts.ts'

/**
 * Returns what a file says of itself and of the app inside. Reads it at a few places, within limits. Throws only what
 * `read` throws: what is damaged, not read or over a limit is in the notes.
 */
export async function inspectFile(
  _file: InspectedFile,
  _limits: InspectLimits = INSPECT_LIMITS,
): Promise<FileFacts> {
  return { kind: 'unknown', versions: [], publisher: {}, notes: [] }
}
