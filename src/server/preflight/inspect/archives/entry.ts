import type { Source } from '../source.ts'

/** A file in an archive. */
export interface Entry {
  /** With `/`, and without one or `./` at its start. */
  readonly path: string
  /** Bytes, as the archive says. */
  readonly size: number
  /** Opens it. In an archive that is read in order, this and the reading must happen before the next entry is asked for. */
  open(): Promise<Source>
}

/** Returns a path as `Entry` has it. */
export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')
}
